import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codingsIn } from '../../../src/engine/contract/codings.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create } from '../../support/fixtures/fixtures.js';

const DECODE = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync } as const;
type Coding = keyof typeof DECODE;

interface Bytes {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly bytes: Buffer;
}

describeOnEachEngine('compression', (engine) => {
  let store: TestApp;
  const LIST = '/api/products?limit=100';
  beforeAll(async () => {
    store = await startApp(engine);
    for (let n = 0; n < 30; n += 1) await create(store, { name: `Chai number ${n}`, price: n });
  });
  afterAll(() => store.close());

  /** The answer with its body as it is sent. `fetch` would decode the body. */
  function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      httpRequest(store.url + path, { method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode as number,
            headers: response.headers as Bytes['headers'],
            bytes: Buffer.concat(parts),
          }),
        );
      })
        .on('error', reject)
        .end();
    });
  }

  it.each(['br', 'zstd', 'gzip'] as const)(
    'sends the same text compressed as %s, with a tag of its own',
    async (coding) => {
      const plain = await get(LIST);
      for (let time = 0; time < 3; time += 1) {
        const short = await get(LIST, { 'accept-encoding': coding });
        expect(short.headers['content-encoding']).toBe(coding);
        expect(short.headers['content-length']).toBe(String(short.bytes.length));
        expect(short.bytes.length).toBeLessThan(plain.bytes.length / 2);
        expect(DECODE[coding](short.bytes).equals(plain.bytes)).toBe(true);
        expect(short.headers['etag']).toBe(`${plain.headers['etag']?.slice(0, -1)}.${coding}"`);
        expect(short.headers['vary']).toBe('Accept, Accept-Encoding');
      }
      const head = await get(LIST, { 'accept-encoding': coding }, 'HEAD');
      const again = await get(LIST, { 'accept-encoding': coding });
      expect([head.headers['content-length'], head.headers['etag'], head.bytes.length]).toEqual([
        again.headers['content-length'],
        again.headers['etag'],
        0,
      ]);
    },
  );

  it.each<[string, string, string, number]>([
    ['the best accepted coding', 'br', 'br', 304],
    ['another accepted coding', 'gzip', 'br, gzip', 304],
    ['a coding that is not accepted', 'br', 'gzip', 200],
    ['a coding that is refused', 'br', 'br;q=0, gzip', 200],
    ['the plain text', '', 'br', 304],
  ])(
    'compares If-None-Match with the tags of all accepted codings: %s',
    async (_what, holds, takes, status) => {
      const { headers } = await get(LIST, holds === '' ? {} : { 'accept-encoding': holds });
      const etag = headers['etag'] as string;
      const answer = await get(LIST, { 'if-none-match': etag, 'accept-encoding': takes });
      const isHeld = answer.headers['etag'] === etag && answer.bytes.length === 0;
      expect([answer.status, isHeld]).toEqual([status, status === 304]);
    },
  );

  it('accepts the tag of a compressed answer in If-Match', async () => {
    const product = await create(store, { name: 'x'.repeat(200) });
    const { etag = '' } = (await get(`/api/products/${product.id}`)).headers;
    const change = (tag: string) =>
      store.call('PATCH', `/api/products/${product.id}`, {
        body: { price: 77 },
        headers: { 'if-match': tag },
      });
    expect((await change(`${etag.slice(0, -1)}.br"`)).status).toBe(200);
    expect((await change(`${etag.slice(0, -1)}.br"`)).status).toBe(412);
  });

  it('does not compress short answers, unless the client refuses uncompressed answers', async () => {
    const { id } = await create(store);
    const path = `/api/products/${id}`;
    const plain = await get(path, { 'accept-encoding': 'br' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const short = await get(path, { 'accept-encoding': 'gzip, identity;q=0' });
    expect(short.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(short.bytes).equals(plain.bytes)).toBe(true);
  });

  it.each(['identity;q=0', '*;q=0', 'deflate, *;q=0'])('answers 406 to «%s»', async (header) => {
    const { status, bytes } = await get(LIST, { 'accept-encoding': header });
    expect([status, (JSON.parse(bytes.toString()) as { code: string }).code]).toEqual([
      406,
      'NOT_ACCEPTABLE',
    ]);
  });

  it('compresses the contracts, but no refusals', async () => {
    const contract = await get('/openapi.yaml', { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(contract.bytes).equals((await get('/openapi.yaml')).bytes)).toBe(true);
    const refused = await get(`/api/products?${'x=1&'.repeat(300)}`, { 'accept-encoding': 'br' });
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, undefined]);
    expect(refused.bytes.length).toBeGreaterThan(300);
  });

  it.each(['/openapi.yaml', '/openapi.json', '/schema.graphql', '/oauth/jwks'])(
    'names for %s the headers on which the answer depends, and requires revalidation',
    async (path) => {
      for (const coding of ['br', 'identity']) {
        const { headers } = await get(path, { 'accept-encoding': coding });
        expect([headers['vary'], headers['cache-control']]).toEqual([
          'Accept, Accept-Encoding',
          'public, max-age=0, must-revalidate',
        ]);
      }
    },
  );

  it.each(['br', 'zstd', 'gzip'] as const)('compresses exports as %s', async (coding) => {
    const path = '/api/v1/products/export?format=ndjson';
    const short = await get(path, { 'accept-encoding': `${coding}, identity;q=0` });
    expect([short.headers['content-encoding'], short.headers['vary']]).toEqual([
      coding,
      'Accept, Accept-Encoding',
    ]);
    expect(DECODE[coding](short.bytes).equals((await get(path)).bytes)).toBe(true);
    const head = await get(path, { 'accept-encoding': coding }, 'HEAD');
    expect([head.headers['content-encoding'], head.bytes.length]).toEqual([coding, 0]);
  });

  it('sends the same text to concurrent requests with different codings', async () => {
    const texts = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const coding = (['br', 'zstd', 'gzip'] as const)[n % 3] as Coding;
        const { bytes } = await get(`${LIST}&page=1&sort=${n % 2 === 0 ? 'id' : '-id'}`, {
          'accept-encoding': coding,
        });
        return [n % 2, DECODE[coding](bytes).toString()] as const;
      }),
    );
    expect(new Set(texts.filter(([side]) => side === 0).map(([, text]) => text)).size).toBe(1);
    expect(new Set(texts.filter(([side]) => side === 1).map(([, text]) => text)).size).toBe(1);
  });
});

describe('codingsIn', () => {
  it.each<[string | undefined, string | null, boolean]>([
    [undefined, null, true],
    ['', null, true],
    ['gzip, deflate, br, zstd', 'br', true],
    ['gzip;q=1, br;q=0.5', 'gzip', true],
    ['GZIP', 'gzip', true],
    ['x-gzip', 'gzip', true],
    ['br;q=0, *', 'zstd', true],
    ['*;q=0', null, false],
    ['*;q=0, gzip', 'gzip', false],
    ['identity, br;q=0.5', null, true],
    ['identity;q=0.1, br;q=0.5', 'br', true],
    ['identity;q=0', null, false],
    ['deflate', null, true],
    ['br;q=2', null, true],
    ['br;level=4', null, true],
  ])('reads «%s»', (header, best, identity) => {
    expect(codingsIn(header)).toMatchObject({ best, identity });
  });
});
