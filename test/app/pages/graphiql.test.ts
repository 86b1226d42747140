import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { ask } from '../../support/clients/graphql.js';

const HTML = 'text/html; charset=utf-8';
const VARY = 'Accept, Accept-Encoding, Authorization, X-API-Key';
const JSON_TYPE = 'application/json; charset=utf-8';

describe('/graphql', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  const get = async (accept: string, query = '') => {
    const { status, headers } = await fetch(`${store.url}/graphql${query}`, { headers: { accept } });
    return [status, headers.get('content-type'), headers.get('vary')];
  };

  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json;q=0.5, text/html',
  ])('is GraphiQL for clients that prefer HTML: %s', async (accept) => {
    expect(await get(accept)).toEqual([200, HTML, 'Accept']);
    expect(await get(accept, '?tab=2')).toEqual([200, HTML, 'Accept']);
  });

  it.each([
    '*/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0.5, application/json',
    'application/graphql-response+json, text/html;q=0.9',
    'text/html;q=0, */*',
  ])('is GraphQL for clients that do not prefer HTML: %s', async (accept) => {
    const [status, type, vary] = await get(accept);
    expect([status, vary]).toEqual([400, VARY]);
    expect(type).not.toBe(HTML);
  });

  it('is GraphQL for every request with a query', async () => {
    const query = `?query=${encodeURIComponent('{ products { id } }')}`;
    expect(await get('text/html,*/*;q=0.8', query)).toEqual([200, JSON_TYPE, VARY]);
    expect(await get('text/html', query)).toEqual([406, HTML, 'Accept, Accept-Encoding']);
    expect(await get('text/html,*/*;q=0.8', '?query=')).toEqual([400, JSON_TYPE, VARY]);
  });

  it('answers HEAD like GET, without the body', async () => {
    const [got, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        fetch(`${store.url}/graphql`, { method, headers: { accept: 'text/html' } }),
      ),
    );
    expect([head?.status, await head?.text()]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy']) {
      expect(head?.headers.get(name)).toBe(got?.headers.get(name));
    }
  });

  it('answers POST with GraphQL, even if the client prefers HTML', async () => {
    const { status, body } = await ask(
      store,
      { query: '{ products { id } }' },
      { headers: { accept: 'text/html,*/*;q=0.8' } },
    );
    expect([status, body.data]).toEqual([200, { products: [] }]);
  });

  it('shows GraphiQL even with a wrong credential, but refuses GraphQL with this credential', async () => {
    const headers = { accept: 'text/html', 'x-api-key': 'wrong' };
    expect((await fetch(`${store.url}/graphql`, { headers })).status).toBe(200);
    expect((await fetch(`${store.url}/graphql`, { headers: { ...headers, accept: '*/*' } })).status).toBe(
      401,
    );
  });
});
