import { items, member, members, textOf, texts, type Node } from '../json.ts';
import type { Dto } from '../shape.ts';
import { addresses, checkAddresses } from './addresses.ts';
import { answersOf } from './answers.ts';
import { bodyOf } from './bodies.ts';
import type { Document } from './document.ts';
import { checkKeywords } from './keywords.ts';
import { METHODS, type Operation, type Parameters, type Endpoint, type Rest } from './model.ts';
import { costOf, parametersDto, parametersOf } from './parameters.ts';
import { ownerOf, schemeNames, scopesOf, securityOf } from './security.ts';
import { checkPromises } from './promises.ts';
import { checkSame } from './same.ts';
import { Shapes } from './shapes.ts';
import { checkStructure } from './structure.ts';

/** Reads every operation in the order of the paths of the document, so that messages come in reading order. */
export function readOperations(document: Document): Rest {
  if (!/^3\.1\.\d+$/.test(textOf(member(document.root, 'openapi')) ?? '')) {
    document.fault(document.root, 'only OpenAPI 3.1 is supported');
  }
  checkStructure(document);
  checkAddresses(document);
  const shapes = new Shapes(document, 'request');
  const seen = new Set<string>();
  const answered = new Set<string>();
  for (const [, schema] of members(member(member(document.root, 'components'), 'schemas'))) {
    checkKeywords(document, schema, seen);
  }
  const endpoints = endpointsOf(document);
  const operations: Operation[] = [];
  const taken = new Set<string>();
  for (const endpoint of endpoints) {
    const { paths, version } = addresses(document, endpoint);
    for (const path of paths) {
      const address = `${endpoint.method} ${path.replaceAll(/:\w+/g, ':')}`;
      if (taken.has(address))
        document.fault(endpoint.node, `${address} is also the address of another operation`);
      taken.add(address);
    }
    const parameters = parametersOf(shapes, endpoint, seen);
    const { statuses, answer } = answersOf(shapes, endpoint, seen, answered);
    const security = securityOf(document, endpoint.node);
    const path = parametersDto(shapes, endpoint, 'path', parameters);
    const query = parametersDto(shapes, endpoint, 'query', parameters);
    const headers = parametersDto(shapes, endpoint, 'header', parameters);
    checkReach(document, endpoint.node, query);
    const shown = propertiesOf(document, answer.entitySchema);
    const body = bodyOf(shapes, endpoint, shown, seen);
    if (body !== null && endpoint.method === 'get') document.fault(endpoint.node, 'GET must not have a body');
    const dtos: Record<string, Dto | undefined> = {
      path: path?.dto,
      query: query?.dto,
      body: shapes.dtos.get(body?.dto ?? ''),
    };
    if (answer.entity !== null && version === null) {
      document.fault(
        endpoint.pathItem,
        `${endpoint.id} shows ${answer.entity}, but its version is not stated: add x-version: v1 to the path`,
      );
    }
    const owner = ownerOf(document, endpoint.node, (where, name) =>
      where === 'row'
        ? answer.entity !== null && shown.includes(name)
        : (dtos[where]?.members ?? []).some((each) => each.name === name),
    );
    const tag = textOf(items(member(endpoint.node, 'tags'))[0]) ?? '';
    operations.push({
      ...endpoint,
      paths,
      version,
      tag,
      sameAs: textOf(member(endpoint.node, 'x-same-as')) ?? null,
      security,
      owner,
      cost: costOf(shapes, endpoint.node),
      path,
      query,
      headers,
      body,
      answer,
      statuses,
    });
  }
  checkSame(document, operations, shapes.dtos);
  checkPromises(document);
  return {
    operations,
    scopes: scopesOf(document),
    schemes: schemeNames(document),
    dtos: shapes.dtos,
  };
}

function endpointsOf(document: Document): Endpoint[] {
  const ids = new Map<string, Endpoint>();
  const endpoints: Endpoint[] = [];
  for (const [template, pathItem] of members(member(document.root, 'paths'))) {
    for (const [key, node] of members(pathItem)) {
      if (!METHODS.some((method) => method === key)) continue;
      const id = textOf(member(node, 'operationId')) ?? '';
      const endpoint = { node, pathItem, method: key, template, id };
      checkOperation(document, endpoint, ids.get(id));
      ids.set(id, endpoint);
      endpoints.push(endpoint);
    }
  }
  return endpoints;
}

function checkOperation(document: Document, { node, id }: Endpoint, other: Endpoint | undefined): void {
  if (id === '') document.fault(node, 'the operation has no operationId');
  else if (!/^[a-z][A-Za-z0-9]*$/.test(id)) document.fault(node, `the operationId ${id} is not in camelCase`);
  else if (other !== undefined)
    document.fault(node, `the operationId ${id} is taken by ${document.place(other.node)}`);
  if ((textOf(member(node, 'description')) ?? '').trim() === '')
    document.fault(node, 'the operation has no description');
  const summary = member(node, 'summary');
  if (summary !== undefined && textOf(summary)?.trim() === '')
    document.fault(
      summary,
      'the summary is empty; write a text, or remove the member: then the summary follows from the operationId',
    );
  if (texts(member(node, 'tags')).length !== 1) document.fault(node, 'the operation must have one tag');
}

/** Checks `x-reach`: the number of rows that the pages of a list reach. */
function checkReach(document: Document, node: Node, query: Parameters | null): void {
  const reach = member(node, 'x-reach');
  if (reach === undefined) return;
  const [[of, rows] = [], ...others] = members(reach);
  const isRight =
    others.length === 0 &&
    /^(all|filtered)$/.test(of ?? '') &&
    Number.isInteger(rows?.value) &&
    Number(rows?.value) > 0;
  if (!isRight)
    document.fault(
      reach,
      'x-reach must be { all: 100000 }, or { filtered: 100000 } if only filtered lists have a bound',
    );
  else if (query?.kinds['page'] === undefined)
    document.fault(reach, 'x-reach is only for a list that is read by `page`');
}

function propertiesOf(document: Document, schema: Node | null): string[] {
  return schema === null ? [] : members(member(document.follow(schema), 'properties')).map(([name]) => name);
}
