import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../../src/engine/errors/problem-kinds.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { OPENAPI } from '../../support/fixtures/openapi.js';

const file = (name: string) => readFile(new URL(`../../../${name}`, import.meta.url), 'utf8');

// oxlint-disable-next-line typescript/no-explicit-any
const WHOLE = OPENAPI as any;

describe('documents', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it('getOpenApiYaml and getGraphqlSchema serve the contracts byte for byte', async () => {
    expect((await store.call('GET', '/openapi.yaml')).text).toBe(await file('openapi.yaml'));
    expect((await store.call('GET', '/schema.graphql')).text).toBe(await file('schema.graphql'));
  });

  it('getOpenApiJson serves the same document as JSON', async () => {
    expect((await store.call('GET', '/openapi.json')).body).toEqual(WHOLE);
  });

  describe.each(['v1', 'v2'])('getOpenApi…Json of %s', (version) => {
    const own = async () => (await store.call('GET', `/openapi/${version}.json`)).body;
    const texts = (node: unknown): string[] =>
      typeof node === 'string'
        ? [node]
        : typeof node === 'object' && node !== null
          ? Object.values(node).flatMap(texts)
          : [];

    it('has only its own paths and the paths that both versions have', async () => {
      const other = version === 'v1' ? 'v2' : 'v1';
      // `/users/{id}` has no version in its path, but belongs to version 1.
      const paths = Object.keys(WHOLE.paths).filter(
        (path) => !`${path}/`.startsWith(`/api/${other}/`) && !(version === 'v2' && path === '/users/{id}'),
      );
      expect(Object.keys((await own()).paths)).toEqual(paths);
      expect(paths).toEqual(
        expect.arrayContaining([`/api/${version}/products`, '/health/live', '/oauth/jwks', '/openapi.yaml']),
      );
    });

    it('has exactly the tags and the components that it uses, not counting security schemes', async () => {
      const document = await own();
      const named = new Set(texts(document).filter((text) => text.startsWith('#/components/')));
      const there = Object.entries(document.components).flatMap(([kind, components]) =>
        Object.keys(components as object).map((name) => `#/components/${kind}/${name}`),
      );
      expect(there.filter((each) => !each.includes('/securitySchemes/')).toSorted()).toEqual(
        [...named].toSorted(),
      );
      const tags = Object.values<object>(document.paths)
        .flatMap((item) => Object.values(item))
        .flatMap((operation): string[] => operation.tags ?? []);
      expect(document.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(
        [...new Set(tags)].toSorted(),
      );
    });

    it('links only to its own operations, and shows the list of products as openapi.yaml does', async () => {
      const document = await own();
      const text = JSON.stringify(document);
      const ids = Object.values<object>(document.paths)
        .flatMap((item) => Object.values(item))
        .flatMap(({ operationId }) => operationId ?? []);
      const leads = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id = '']) => id);
      expect(leads.filter((id) => !ids.includes(id))).toEqual([]);
      expect(leads.length).toBeGreaterThan(ids.length);
      expect(text.includes('"x-same-as":')).toBe(false);
      const path = `/api/${version}/products`;
      const { 'x-same-as': _same, ...get } = WHOLE.paths[path].get;
      const short = JSON.stringify(get).replaceAll(/(?<=\w)V2\b/g, '');
      expect(document.paths[path].get).toEqual(JSON.parse(short));
      expect(document.servers).toEqual([expect.objectContaining({ url: '/' })]);
    });

    it('has names without a version, and neither readOnly nor writeOnly', async () => {
      const [text, whole] = [JSON.stringify(await own()), await file('openapi.yaml')];
      const long = /"\w+V\d"|`\w+V\d`|\/\w+V\d"/;
      const direction = /"?(readOnly|writeOnly)"?: ?true/;
      expect([long.exec(text)?.[0], direction.exec(text)?.[0]]).toEqual([undefined, undefined]);
      expect(long.test(JSON.stringify(WHOLE))).toBe(true);
      expect(direction.test(whole)).toBe(true);
    });

    it('names the version of OpenAPI, and has its own version in the title', async () => {
      const document = await own();
      expect(document.openapi).toBe('3.1.0');
      expect(document.info.title).toBe(`Store service, version ${version.slice(1)}`);
    });
  });

  it.each(Object.entries(PROBLEMS))('getProblemType describes %s', async (code, { status, title }) => {
    const { body } = await store.call('GET', `/problems/${code.toLowerCase().replaceAll('_', '-')}`);
    expect(body).toMatchObject({ code, status, title });
    expect(body.description.length).toBeGreaterThan(20);
  });
});
