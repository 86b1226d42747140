import { Controller } from '@nestjs/common';
import { HttpConfig } from '../config/slices.js';
import { Operation, type Operations } from '../contract/operation.js';
import { OPERATIONS, type Version } from '../../generated/operations.js';
import { VIEWS } from '../../generated/views.js';
import { Addresses } from './addresses.js';
import { servedVersions } from './versions.js';

const DOCUMENTS = [
  { name: 'openapi', href: '/openapi.yaml', title: 'The contract of the HTTP interface' },
  { name: 'graphql', href: '/schema.graphql', title: 'The contract of the GraphQL interface' },
  { name: 'reference', href: '/docs', title: 'The reference of the HTTP interface, to read and to try out' },
  { name: 'graphiql', href: '/graphql', title: 'The GraphQL interface; GraphiQL in a browser' },
];

/** Leads from the root of a version to its resources. */
@Controller()
export class IndexController implements Pick<Operations, 'getIndex' | 'getIndexV2'> {
  constructor(private readonly config: HttpConfig) {}

  @Operation('getIndex')
  async getIndex() {
    return this.indexOf('v1');
  }

  @Operation('getIndexV2')
  async getIndexV2() {
    return this.indexOf('v2');
  }

  private indexOf(version: Version) {
    return {
      version,
      resources: RESOURCES[version],
      versions: servedVersions(this.config).map((name) => ({ version: name, href: `/api/${name}` })),
      documents: DOCUMENTS,
    };
  }
}

/** These are only the addresses of the contract, because resources have no other addresses. */
const ADDRESSES = new Addresses();
const RESOURCES = { v1: resourcesOf('v1'), v2: resourcesOf('v2') } satisfies Record<Version, unknown>;

/** The lists of a version: the addresses right below its root that can be read. */
function resourcesOf(version: Version) {
  const root = `/api/${version}/`;
  return Object.values(OPERATIONS).flatMap(({ id, method, paths: [href = ''] }) => {
    const name = href.slice(root.length);
    if (method !== 'GET' || !href.startsWith(root) || name === '' || /[/:]/.test(name)) return [];
    return [{ name, href, title: VIEWS[id]?.summary ?? id, methods: [...(ADDRESSES.methodsAt(href) ?? [])] }];
  });
}
