import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { speak } from '../../support/clients/socket.js';

/** The Accept header of Chromium when a user enters an address. */
const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

describe('the pages', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  // A request without the headers that fetch adds. The answer is not decoded.
  const raw = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const lines = Object.entries({ host: `localhost:${store.port}`, connection: 'close', ...headers });
    const text = await speak(store.port, [
      `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    ]);
    const [head = '', ...body] = text.split('\r\n\r\n');
    const [start = '', ...fields] = head.split('\r\n');
    return {
      status: Number(start.split(' ')[1]),
      headers: new Headers(fields.map((field) => field.split(/: (.*)/s).slice(0, 2) as [string, string])),
      body: body.join('\r\n\r\n'),
    };
  };
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(store.url + path, { headers: { accept: BROWSER, ...headers } });
  const assetsOf = async (path: string) => {
    const html = await (await get(path)).text();
    return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address]) => address as string);
  };

  it.each(['/', '/docs', '/graphql'])(
    'have HTML at %s that is revalidated for each request, with 304 if it is unchanged',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      const html = await answer.text();
      expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(html)));

      const again = await get(path, { 'if-none-match': answer.headers.get('etag') as string });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('etag')).toBe(answer.headers.get('etag'));
    },
  );

  it.each(['/', '/docs', '/graphql'])(
    'have a Content-Security-Policy at %s that allows only what the page needs',
    async (path) => {
      const { headers } = await get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      const policy = new Map(
        (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
          const [name = '', ...sources] = directive.split(' ');
          return [name, sources.join(' ')];
        }),
      );
      for (const name of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
        expect([name, policy.get(name)]).toEqual([name, "'none'"]);
      }
      expect(policy.get('script-src')).toBe("'self'");
      expect(policy.get('connect-src')).toBe(path === '/' ? undefined : "'self'");
      expect(policy.get('style-src')).toBe(path === '/' ? "'self'" : "'self' 'unsafe-inline'");
      // The pages load from no other origin. The only allowed scheme is `data:`, for images in style sheets.
      const sources = new Set([...policy.values()].flatMap((list) => list.split(' ')));
      expect([...sources].filter((source) => !source.startsWith("'"))).toEqual(path === '/' ? [] : ['data:']);
    },
  );

  it.each(['/', '/docs', '/graphql'])(
    'have no inline script or style at %s, and load only our files',
    async (path) => {
      const html = await (await get(path)).text();
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
      for (const [, address = ''] of html.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)) {
        expect(address).toMatch(/^\/assets\/[\w.-]+-[\w-]{8}\.\w+$/);
        expect((await get(address)).status).toBe(200);
      }
    },
  );

  it('send each file with its type, and allow caches to keep it for a year', async () => {
    const folder = new URL('../../../pages/dist/assets/', import.meta.url);
    const names = (await readdir(folder)).filter((name) => !/\.(br|gz)$/.test(name));
    expect(names.length).toBeGreaterThan(10);
    const types: Record<string, string> = {
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      svg: 'image/svg+xml',
      ttf: 'font/ttf',
    };
    for (const name of names) {
      const { status, headers } = await raw('HEAD', `/assets/${name}`);
      expect([name, status]).toEqual([name, 200]);
      expect(headers.get('content-type')).toBe(types[name.split('.').at(-1) as string]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('vary')).toBe('Accept-Encoding');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('send a file in the smallest coding that the client accepts, and each coding has its own tag', async () => {
    const [address = ''] = (await assetsOf('/docs')).filter((asset) => asset.endsWith('.css'));
    const sent = async (encoding: string | null) => {
      // fetch would decode the body, and hide the coding in which it was sent.
      const { status, headers } = await raw(
        'HEAD',
        address,
        encoding === null ? {} : { 'accept-encoding': encoding },
      );
      expect(status).toBe(200);
      return [
        headers.get('content-encoding'),
        headers.get('etag'),
        Number(headers.get('content-length')),
      ] as const;
    };
    const [none, plainTag, plainBytes] = await sent(null);
    const [br, brTag, brBytes] = await sent('gzip, deflate, br, zstd');
    const [gzip, gzipTag, gzipBytes] = await sent('gzip, br;q=0');
    expect([none, br, gzip]).toEqual([null, 'br', 'gzip']);
    expect(new Set([plainTag, brTag, gzipTag]).size).toBe(3);
    expect(brBytes).toBeLessThan(gzipBytes);
    expect(gzipBytes).toBeLessThan(plainBytes / 3);

    const plain = await (await get(address, { 'accept-encoding': 'identity' })).text();
    expect(Buffer.byteLength(plain)).toBe(plainBytes);
    const bytes = async (encoding: string) =>
      Buffer.from(
        (await store.app.inject({ url: address, headers: { 'accept-encoding': encoding } })).rawPayload,
      );
    expect(brotliDecompressSync(await bytes('br')).toString()).toBe(plain);
    expect(gunzipSync(await bytes('gzip')).toString()).toBe(plain);
    const again = await raw('GET', address, { 'accept-encoding': 'br', 'if-none-match': brTag as string });
    expect([again.status, again.body]).toEqual([304, '']);
    // The tag of one coding does not match another coding.
    expect((await raw('HEAD', address, { 'if-none-match': brTag as string })).status).toBe(200);
  });

  it('cause no error in the log when a visitor leaves while a file is sent', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const watched = await startApp('sqlite', {}, undefined, logger);
    try {
      const [asset = ''] =
        (await (await fetch(`${watched.url}/docs`)).text()).match(/\/assets\/[^"]+\.js/) ?? [];
      for (let n = 0; n < 20; n += 1) {
        const socket = connect(watched.port, '127.0.0.1');
        socket.write(`GET ${asset} HTTP/1.1\r\nHost: 127.0.0.1:${watched.port}\r\n\r\n`);
        await once(socket, 'data');
        socket.resetAndDestroy();
      }
      expect((await fetch(`${watched.url}${asset}`)).status).toBe(200);
    } finally {
      await watched.close();
    }
    expect(lines).toEqual([]);
  });

  it('answer HEAD like GET, without the body', async () => {
    const [asset = ''] = await assetsOf('/docs');
    for (const path of ['/', '/docs', asset]) {
      const [got, head] = [await raw('GET', path), await raw('HEAD', path)];
      expect([head.status, head.body]).toEqual([200, '']);
      expect(got.body).not.toBe('');
      for (const headers of [got.headers, head.headers])
        for (const name of ['x-request-id', 'date']) headers.delete(name);
      expect([...head.headers]).toEqual([...got.headers]);
    }
  });

  it('answer other methods with 405 and the allowed methods, and list the same methods for OPTIONS', async () => {
    const [asset = ''] = await assetsOf('/docs');
    for (const path of ['/', '/docs', asset]) {
      const { status, headers } = await store.call('POST', path, { body: {} });
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
      const options = await store.call('OPTIONS', path);
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    }
  });

  it('answer 406 to a client that does not accept HTML', async () => {
    const { status, headers } = await get('/', { accept: 'application/json' });
    expect([status, headers.get('content-type')]).toEqual([406, 'application/problem+json; charset=utf-8']);
  });

  it.each([
    '/assets/',
    '/assets/nothing.js',
    '/assets/../index.html',
    '/assets/..%2Findex.html',
    '/assets/%2e%2e/made-of',
    '/assets/..%2f..%2f..%2fpackage.json',
    '/assets/..%5C..%5Cpackage.json',
    '/assets//etc/passwd',
    '/assets/%2Fetc%2Fpasswd',
    '/assets/docs.js%00.css',
    '/assets/__proto__',
    '/assets/constructor',
    '/made-of',
    '/index.html',
  ])('have no file at %s', async (path) => {
    const { status, headers } = await raw('GET', path);
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });

  it('have no addresses for the compressed forms of files', async () => {
    const [asset = ''] = await assetsOf('/docs');
    for (const suffix of ['.br', '.gz']) expect((await raw('GET', asset + suffix)).status).toBe(404);
  });

  it('redirect an address with a slash at its end to the address without this slash', async () => {
    const { status, headers } = await raw('GET', '/docs/?a=1');
    expect([status, headers.get('location')]).toEqual([308, '/docs?a=1']);
  });

  it('have an icon at the address that browsers request', async () => {
    const { status, headers, body } = await raw('GET', '/favicon.ico');
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(body).toContain('<svg');
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
  });

  it('ignore a bad credential, and refuse a bad Host', async () => {
    expect((await get('/docs', { 'x-api-key': 'wrong' })).status).toBe(200);
    expect((await raw('GET', '/', { host: 'a b' })).status).toBe(400);
  });
});
