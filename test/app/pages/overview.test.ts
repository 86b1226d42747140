import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { speak } from '../../support/clients/socket.js';

describe('the overview page', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CURRENCY: 'EUR' });
  });
  afterAll(() => store.close());

  const overview = (host: string) =>
    speak(store.port, [`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`]);

  it('shows addresses of REST and GraphQL with the host of the request', async () => {
    const html = await overview('store.example:8080');
    expect(html).toContain("curl 'http://store.example:8080/api/v1/products?limit=5'");
    expect(html).toContain('ws://store.example:8080/graphql');
    expect(html).toContain('on SQLite, prices in EUR');
    expect(html).toMatch(/<small>\d+\.\d+\.\d+<\/small>/);
    expect(html).not.toContain('{{');
  });

  it('has only links that work', async () => {
    const html = await (await fetch(`${store.url}/`)).text();
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, address]) => address as string);
    expect(new Set(links)).toEqual(
      new Set([
        '/api/v1/products',
        '/docs',
        '/graphql',
        '/sign-in',
        '/board',
        '/imports',
        '/openapi.yaml',
        '/openapi.json',
        '/schema.graphql',
        '/health/live',
        '/health/ready',
      ]),
    );
    for (const link of links) {
      const { status } = await fetch(store.url + link, { headers: { accept: 'text/html, */*;q=0.5' } });
      expect([link, status]).toEqual([link, 200]);
    }
  });

  it.each(["a'b", 'a&b', '$(id)', 'a;b', '', "x'$(id)'"])(
    'does not show the Host %j in a command',
    async (host) => {
      const html = await overview(host);
      expect(html).toContain(`http://localhost:${store.port}/api/v1/products`);
      expect(html).not.toContain('$(id)');
    },
  );

  it('shows the public address if it is set', async () => {
    const behind = await startApp('sqlite', { STORE_PUBLIC_URL: 'https://store.example' });
    const html = await (await fetch(`${behind.url}/`)).text();
    await behind.close();
    expect(html).toContain("curl 'https://store.example/api/v1/products?limit=5'");
    expect(html).toContain('wss://store.example/graphql');
  });
});
