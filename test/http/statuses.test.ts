import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Credentials } from '../../src/auth/credentials.js';
import { Database } from '../../src/database/database.js';
import { sql, run } from '../../src/database/sql.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { startApp, type TestApp } from '../support/app.js';
import { CONTRACT, judge, type ContractOperation } from '../support/contract.js';
import { describeOnEachEngine } from '../support/database.js';
import { aProduct, create } from '../support/fixtures.js';
import { createKey } from '../support/keys.js';
import { speak } from '../support/socket.js';

/**
 * Every status that the contract promises of every operation is really reached. How to reach a status is the same for
 * all operations; a status nobody knows how to reach fails the test.
 */
const STATUSES: readonly [ContractOperation, string][] = CONTRACT.flatMap((operation) =>
  Object.keys(operation.responses).map((status): [ContractOperation, string] => [operation, status]),
);

const BODIES: Record<string, unknown> = {
  createProduct: aProduct(),
  replaceProduct: aProduct({ in_stock: true }),
  updateProduct: aProduct(),
  setProductStock: { quantity: 4 },
};

interface Attempt {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly key?: string | null;
}

describeOnEachEngine('every status of every operation', (engine) => {
  let store: TestApp;
  let broken: TestApp;
  let powerless: string;

  beforeAll(async () => {
    store = await startApp(engine);
    powerless = await createKey(store, []);
    // A bug is planted in what every request passes.
    broken = await startApp(engine, {}, (app) => {
      const credentials = app.get(Credentials, { strict: false });
      const principalOf = credentials.principalOf.bind(credentials);
      credentials.principalOf = (headers) => {
        if (headers['x-fault'] !== undefined) throw new TypeError('secret detail of a bug');
        return principalOf(headers);
      };
    });
    // The times of the server are 15 and 30 seconds; nobody wants to wait for them here.
    Object.assign(broken.app.getHttpServer(), { headersTimeout: 300, requestTimeout: 600 });
  });
  afterAll(async () => {
    await store.close();
    await broken.close();
  });

  /** A good request for the operation, on a product of its own. */
  async function good({ operationId, address, hasBody }: ContractOperation): Promise<Attempt> {
    const id = address.includes('{id}') ? (await create(store)).id : 0;
    const path = address.replace('{id}', String(id)).replace('{code}', 'not-found');
    return { path, ...(hasBody && { body: BODIES[operationId] }) };
  }

  const WAYS: Record<string, (operation: ContractOperation, attempt: Attempt) => Promise<Attempt> | Attempt> =
    {
      200: (_operation, attempt) => attempt,
      201: (_operation, attempt) => attempt,
      204: (_operation, attempt) => attempt,
      304: async (_operation, attempt) => {
        const etag = (await store.call('GET', attempt.path)).headers.get('etag') as string;
        return { ...attempt, headers: { 'if-none-match': etag } };
      },
      400: (operation, attempt) =>
        operation.method === 'OPTIONS'
          ? { path: `${attempt.path}/%ff` }
          : operation.hasBody
            ? { ...attempt, body: '{"name":' }
            : { ...attempt, path: `${attempt.path}?nothing=1` },
      401: (_operation, attempt) => ({ ...attempt, key: 'sk_1_wrong' }),
      403: (_operation, attempt) => ({ ...attempt, key: powerless }),
      404: ({ address }, attempt) => ({
        ...attempt,
        path: address.replace('{id}', '987654').replace('{code}', 'no-such-kind'),
      }),
      406: (_operation, attempt) => ({ ...attempt, headers: { accept: 'image/png' } }),
      412: (_operation, attempt) => ({ ...attempt, headers: { 'if-match': '"987-v1-x"' } }),
      413: (_operation, attempt) => ({ ...attempt, body: ' '.repeat(1_048_577) }),
      414: (_operation, attempt) => ({ ...attempt, path: `${attempt.path}?q=${'x'.repeat(8200)}` }),
      415: (_operation, attempt) => ({ ...attempt, headers: { 'content-type': 'text/csv' } }),
    };

  const ordinary = STATUSES.filter(([, status]) => !['408', '431', '500', '503'].includes(status));
  it.each(ordinary.map(([operation, status]) => [operation.operationId, status, operation] as const))(
    '%s answers %s',
    async (_id, status, operation) => {
      const way = WAYS[status];
      if (!way) throw new Error(`Nobody knows how to reach ${status}`);
      const { path, ...call } = await way(operation, await good(operation));
      const answer = await store.call(operation.method, path, call);
      expect(answer.status).toBe(Number(status));
      // The contract of the operation has judged the answer if it was found at its own address.
      judge(operation.method, path.split('?', 1)[0]?.replace('/%ff', '') as string, answer);
    },
  );

  it.each(of('500'))('%s answers 500 without a word about the bug', async (_id, operation) => {
    const { path, ...call } = await good(operation);
    const answer = await broken.call(operation.method, path, { ...call, headers: { 'x-fault': '1' } });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret');
  });

  it.each(of('431'))('%s answers 431 to 20 KB of headers', async (_id, operation) => {
    const { path } = await good(operation);
    const text = await speak(broken.port, [
      `${operation.method} ${path} HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]);
    expect(statusJudged(operation, path, text)).toBe(431);
  });

  it.concurrent.each(of('408'))('%s answers 408 to a request that never ends', async (_id, operation) => {
    const { path } = await good(operation);
    const head = `${operation.method} ${path} HTTP/1.1\r\nHost: x\r\n`;
    const text = await speak(broken.port, [
      operation.hasBody ? `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na` : head,
    ]);
    expect(statusJudged(operation, path, text)).toBe(408);
  });

  describe('with the database gone', () => {
    it('is said by every operation that needs it, with the time to try again', async () => {
      const attempts = await Promise.all(
        of('503').map(async ([, operation]) => [operation, await good(operation)] as const),
      );
      const unitOfWork = broken.app.get(UnitOfWork, { strict: false });
      await unitOfWork.run(() => run(sql`SELECT 1`));
      await broken.app.get(Database, { strict: false }).close();
      for (const [operation, { path, ...call }] of attempts) {
        const answer = await broken.call(operation.method, path, call);
        expect([operation.operationId, answer.status]).toEqual([operation.operationId, 503]);
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      expect((await broken.call('GET', '/health/live')).status).toBe(200);
    });
  });
});

function of(status: string): readonly (readonly [string, ContractOperation])[] {
  return STATUSES.filter(([, documented]) => documented === status).map(([operation]) => [
    operation.operationId,
    operation,
  ]);
}

/** The status of an answer that came over a bare socket, after the contract has judged all of it. */
function statusJudged(operation: ContractOperation, path: string, text: string): number {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [line = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1.1 (\d{3}) /.exec(line)?.[1]);
  const headers = new Headers(
    lines.map((header): [string, string] => header.split(': ', 2) as [string, string]),
  );
  if (headers.get('connection') !== 'close') throw new Error('The connection stays open');
  // There is a body, whatever the method: the request was not read far enough to know it.
  judge(operation.method === 'HEAD' ? 'GET' : operation.method, path, { status, headers, text: body });
  return status;
}
