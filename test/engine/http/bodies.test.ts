import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/generated/operations.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { speak } from '../../support/clients/socket.js';
import { withProcessorMs } from '../../support/fixtures/processor-time.js';

let store: TestApp;
beforeAll(async () => {
  store = await startApp('sqlite');
});
afterAll(() => store.close());

/** The maximum time to refuse a hostile body. The usual time is far shorter. Without bounds it would be far longer. */
const MOST_MS = 500;

const BODIES = Object.values(OPERATIONS).flatMap(({ id, method, paths, body }) =>
  body ? [[id, method, (paths[0] as string).replaceAll(/:\w+/g, '1'), body.maxBytes] as const] : [],
);

describe('a body', () => {
  it.each(BODIES)(
    'of %s is refused when it is longer than the contract allows',
    async (_id, method, path, bound) => {
      const patch = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : undefined;
      const call = { body: `{}${' '.repeat(bound - 1)}`, ...(patch && { headers: patch }) };
      const { status, body } = await store.call(method, path, call);
      expect(status).toBe(413);
      expect(body.detail).toBe(`The body has ${bound + 1} bytes; it may have at most ${bound}.`);
      const longest = await store.call(method, path, { ...call, body: call.body.slice(0, -1) });
      expect(longest.status).not.toBe(413);
    },
  );

  it.each<[method: string, path: string]>([
    ...BODIES.map(([, method, path]): [string, string] => [method, path]),
    ['POST', '/graphql'],
    ['POST', '/graphql/stream'],
    ['POST', '/oauth/token'],
    ['DELETE', '/api/v1/products/1'],
  ])('that is missing has the same answer as an empty body: %s %s', async (method, path) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${ADMIN_KEY}\r\nAccept: */*\r\n`;
    const answers = await Promise.all(
      ['', 'Content-Length: 0\r\n'].map(async (length) => {
        const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
        const text = await speak(store.port, [
          `${head}${length}Content-Type: ${type}\r\nConnection: close\r\n\r\n`,
        ]);
        return [text.split('\r\n', 1)[0], /"(?:code|error)":"(\w+)"/.exec(text)?.[1]];
      }),
    );
    expect(answers[0]?.[0]).toMatch(/^HTTP\/1\.1 [24]\d\d /);
    expect(answers[0]).toEqual(answers[1]);
  });

  it.each(['', 'text', 'text/', 'a b/c', 'text; charset=utf-8'])(
    'that is empty is refused as missing, also if its media type has a wrong form: «%s»',
    async (type) => {
      const head = `POST /api/v2/products HTTP/1.1\r\nHost: a\r\nX-API-Key: ${ADMIN_KEY}\r\n`;
      for (const length of ['', 'Content-Length: 0\r\n']) {
        const text = `${head}${length}Content-Type: ${type}\r\nConnection: close\r\n\r\n`;
        expect(await speak(store.port, [text])).toMatch(/^HTTP\/1\.1 400 [^]*The request has no body/);
      }
    },
  );

  it('has a bound above 128 KiB only for a batch, and for a part of a file', () => {
    const large = BODIES.filter(([, , , bound]) => bound > 131_072).map(([id]) => id);
    expect(large).toEqual(['addImportPart', 'changeProducts', 'changeProductsV2']);
  });

  it.each([
    [
      '349,000 empty objects',
      `{"items":[${Array.from({ length: 349_000 }, () => '{}').join()}]}`,
      'TOO_MANY',
    ],
    ['a million brackets', '['.repeat(1_000_000), 'TOO_DEEP'],
    ['half a million lists', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, 'TOO_DEEP'],
    [
      'more items than are allowed',
      `{"items":[${Array.from({ length: 9_000 }, () => '{}').join()}]}`,
      'TOO_MANY',
    ],
    [
      'many unknown members',
      `{${Array.from({ length: 19_000 }, (_, n) => `"${n}":1`).join()}}`,
      'UNKNOWN_MEMBER',
    ],
  ])('that is hostile is refused within half a second of computing: %s', async (_what, body, code) => {
    const [answer, ms] = await withProcessorMs(() => store.call('POST', '/api/products/batch', { body }));
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].code).toBe(code);
    expect(answer.body.errors.length).toBeLessThanOrEqual(100);
    expect(ms).toBeLessThan(MOST_MS);
  });

  it('with a long unknown name gets a short answer', async () => {
    const body = { name: 'Chai', price: 1, ['é'.repeat(7_000)]: 1 };
    const { text, ...answer } = await store.call('POST', '/api/v2/products', { body });
    expect(text.length).toBeLessThan(1_000);
    const detail = 'must not be given: there is no such member; its name has 7000 characters';
    expect(answer.body.errors[0]).toEqual({ pointer: '#', code: 'UNKNOWN_MEMBER', detail });
  });
});

describe('an unknown name', () => {
  it.each([
    ['/api/v1/products', 'in_stok', 'did you mean in_stock? (the known names are name, price, in_stock)'],
    ['/api/v1/products', 'inStock', 'did you mean in_stock? (the known names are name, price, in_stock)'],
    ['/api/v1/products', 'cuisine', null],
    [
      '/api/v2/products',
      'naem',
      'did you mean name? (the known names are name, description, price, in_stock)',
    ],
    ['/api/v2/products', 'cuisine', '(the known names are name, description, price, in_stock)'],
  ])('of a member of %s, %s, is answered with this help: %s', async (path, name, said) => {
    const { status, body } = await store.call('POST', path, { body: { [name]: 1 } });
    expect(status).toBe(400);
    const detail = 'must not be given: there is no such member';
    const { errors } = body as { errors: { pointer: string; detail: string }[] };
    expect(errors.find(({ pointer }) => pointer === `#/${name}`)?.detail).toBe(
      said === null ? detail : detail + (said.startsWith('(') ? ` ${said}` : `; ${said}`),
    );
  });

  it('of a parameter is answered with the known names, and with a similar name if there is one', async () => {
    const { status, body } = await store.call('GET', '/api/v2/products?limt=3&pricy=1');
    expect(status).toBe(400);
    const [one, other] = (body as { errors: { detail: string }[] }).errors;
    expect(one?.detail).toMatch(/; did you mean limit\? \(the known names are cursor, limit, sort, /);
    expect(other?.detail).toMatch(/there is no such parameter( \(|;)/);
  });

  it('of an argument is answered with the list of arguments', async () => {
    const { errors } = await store.graphql('{ products(limt: 1) { id } }');
    expect(errors[0].message).toMatch(
      /^Unknown argument "limt" on field "Query.products". Did you mean "limit"\? The arguments are page, limit, sort, q, inStock, /,
    );
  });
});

describe('a parameter that is a list', () => {
  it('accepts repeated parameters as well as commas', async () => {
    await store.call('POST', '/api/v1/products', { body: { name: 'Chai', price: 18 } });
    const [together, apart, both] = await Promise.all(
      ['fields=id,name,price', 'fields=id&fields=name&fields=price', 'fields=id&fields=name,price'].map(
        (query) => store.call('GET', `/api/v1/products?${query}&sort=name&sort=-price`),
      ),
    );
    expect(together?.body[0]).toEqual({ id: 1, name: 'Chai', price: 18 });
    expect(apart?.body).toEqual(together?.body);
    expect(both?.body).toEqual(together?.body);
  });

  it('has a maximum number of values, even if the parameter is repeated', async () => {
    const { status, body } = await store.call('GET', `/api/v1/products?${'fields=id&'.repeat(700)}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ parameter: 'fields', code: 'TOO_MANY' })]);
  });

  it.each(['limit=1&limit=1', 'q=a&q=b'])(
    'is the only kind of parameter that may be repeated, so %s is refused',
    async (query) => {
      const { status, body } = await store.call('GET', `/api/v1/products?${query}`);
      expect([status, body.errors[0].code]).toEqual([400, 'REPEATED_PARAMETER']);
    },
  );

  it.each(['=x', '%20=x', '=', '+='])('needs a name, like every parameter: %s', async (query) => {
    for (const path of ['/api/v1/products', '/api/v2/products', '/health/live']) {
      const { status, body } = await store.call('GET', `${path}?${query}`);
      expect([status, body.code]).toEqual([400, 'MALFORMED_REQUEST']);
    }
  });
});
