import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';

interface Index {
  readonly version: string;
  readonly resources: readonly { readonly name: string; readonly href: string; readonly methods: string[] }[];
  readonly versions: readonly { readonly version: string; readonly href: string }[];
  readonly documents: readonly { readonly href: string }[];
}

describe('getIndex', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it.each([
    ['/api', 'v1'],
    ['/api/v1', 'v1'],
    ['/api/v2', 'v2'],
  ])('%s needs no credential, and its links work', async (path, version) => {
    const { status, body } = await store.call('GET', path, { key: null });
    const index = body as unknown as Index;
    expect([status, index.version]).toEqual([200, version]);
    expect(index.resources.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['products', 'users', 'orders', 'events', 'api-keys']),
    );
    for (const { href, methods } of index.resources) {
      expect(href).toMatch(new RegExp(`^/api/${version}/[a-z-]+$`));
      expect(methods).toEqual((await store.call('OPTIONS', href)).headers.get('allow')?.split(', '));
      expect([href, (await store.call('GET', href)).status]).toEqual([href, 200]);
    }
    for (const { href } of [...index.versions, ...index.documents])
      expect([
        href,
        (await fetch(store.url + href, { headers: { accept: 'text/html, */*' } })).status,
      ]).toEqual([href, 200]);
  });

  it.each(['json', 'xml', 'yaml', 'html'])('is available as %s', async (format) => {
    for (const path of ['/api', '/api/v1', '/api/v2']) {
      const { status, headers, text } = await store.call('GET', `${path}?format=${format}`);
      expect([status, headers.get('content-type')?.includes(format)]).toEqual([200, true]);
      expect(text).toContain('/products');
      expect((await store.call('HEAD', `${path}?format=${format}`)).status).toBe(200);
    }
    expect((await store.call('POST', '/api/v2', { body: {} })).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS',
    );
  });

  it('names the versions that are currently served', async () => {
    const ended = await startApp('sqlite', { STORE_V1_SUNSET: '2026-01-01T00:00:00Z' });
    const { body } = await ended.call('GET', '/api/v2');
    expect((body as unknown as Index).versions).toEqual([{ version: 'v2', href: '/api/v2' }]);
    for (const path of ['/api', '/api/v1']) expect((await ended.call('GET', path)).status).toBe(410);
    await ended.close();
  });
});
