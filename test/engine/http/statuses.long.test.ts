import { ModulesContainer } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Representations } from '../../../src/engine/contract/representation.js';
import { Credentials } from '../../../src/engine/access/credentials.js';
import { Database } from '../../../src/engine/database/database.js';
import { OPERATIONS, type OperationId } from '../../../src/generated/operations.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { CONTRACT, judge, operationAt, type ContractOperation } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { purgeAll } from '../../support/clients/events.js';
import { anOrder, create, createUser } from '../../support/fixtures/fixtures.js';
import { holdKey } from '../../support/clients/idempotency.js';
import { createKey } from '../../support/clients/keys.js';
import {
  anotherBody,
  goodBody,
  goodPath,
  pathToNothing,
  referringToNothing,
  relatedOperation,
  requestsTo,
} from '../../support/clients/requests.js';
import { speak } from '../../support/clients/socket.js';

/**
 * Every documented status of every operation occurs. The way to get a status is the same for all operations.
 * A status without such a way fails the test.
 */
const STATUSES: readonly [ContractOperation, string][] = CONTRACT.flatMap((operation) =>
  Object.keys(operation.responses).map((status): [ContractOperation, string] => [operation, status]),
);

/**
 * These statuses, and 200, depend on the SQL statements of an operation. They are tested on both engines for every
 * operation, except 200 for HEAD and OPTIONS. The same code decides all other statuses for all operations. So only a
 * few operations test them on PostgreSQL too.
 */
const OF_STATEMENTS = /^(20[14]|409|410)$/;
const FEW = 3;

/** The ways to cause a conflict, by its code. These conflicts do not follow from the contract. */
const CONFLICTS: Record<string, (store: TestApp, attempt: Attempt) => Promise<Attempt>> = {
  OUT_OF_STOCK: async (store, attempt) => {
    const { id } = await create(store, { in_stock: false });
    return { ...attempt, body: await anOrder(store, { items: [{ product_id: id, quantity: 1 }] }) };
  },
  ILLEGAL_STATUS: async (_store, attempt) => ({ ...attempt, body: { status: 'delivered' } }),
  API_KEY_ENDED: revoked,
  CLIENT_ENDED: revoked,
  IMPORT_STARTED: async (store, attempt) => {
    await store.call('DELETE', attempt.path.replace('/parts', ''));
    return attempt;
  },
  PATCH_CONFLICT: async (_store, attempt) => ({
    ...attempt,
    headers: { 'content-type': 'application/json-patch+json' },
    body: [{ op: 'test', path: '/id', value: -1 }],
  }),
};

async function revoked(store: TestApp, attempt: Attempt): Promise<Attempt> {
  await store.call('DELETE', attempt.path.replace('/rotate', ''));
  return attempt;
}

/** Makes another row, and puts the unique values of this row into the request. */
async function taken(store: TestApp, { operationId }: ContractOperation, attempt: Attempt): Promise<Attempt> {
  const { makes, entity, uniques } = relatedOperation(operationId);
  const requests = requestsTo(store);
  const maker = requests.makerOf((makes?.entity ?? entity) as string);
  const body = (await requests.body(maker)) as Record<string, unknown>;
  await requests.makeBy(maker, body);
  const names = Object.values(uniques).flat();
  const values = Object.fromEntries(names.map((name) => [name, body[name]]));
  return { ...attempt, body: { ...(attempt.body as object), ...values } };
}

/** The addresses of the operations that make rows. */
const MAKERS = CONTRACT.filter(({ operationId }) => relatedOperation(operationId).makes !== null).map(
  ({ address }) => address,
);
const IN_USE = 'IDEMPOTENCY_KEY_IN_USE';

/** Whether the only conflict of the operation is another request with the same key. */
function isOnlyInUse({ operationId }: ContractOperation): boolean {
  return relatedOperation(operationId).conflicts.every((code) => code === IN_USE);
}

/** Operations whose 410 may also mean that a cursor is too old. */
const EXPIRING = new Set(['listEvents', 'HEAD listEvents', 'listEventsV2', 'HEAD listEventsV2']);

/** Operations that answer only with facts about the caller. The administrator is known without the database. */
const ABOUT_THE_CALLER = new Set(['getCredential', 'HEAD getCredential']);

/** Lists that have no rows when the row of their path is new. So no representation is made. */
const EMPTY_AT_FIRST = new Set(['listImportRefusals', 'HEAD listImportRefusals']);

interface Attempt {
  readonly path: string;
  readonly headers?: Record<string, string>;
  body?: unknown;
  readonly key?: string | null;
}

/** The names of an object's methods, with those of the classes that its class extends. */
function methodsOf(object: object): Set<string> {
  const names = new Set<string>();
  let prototype = Object.getPrototypeOf(object) as object;
  while (prototype !== Object.prototype) {
    for (const name of Object.getOwnPropertyNames(prototype)) names.add(name);
    prototype = Object.getPrototypeOf(prototype) as object;
  }
  names.delete('constructor');
  return names;
}

describeOnEachEngine('every status of every operation', (engine) => {
  let store: TestApp;
  let broken: TestApp;
  let powerless: string;
  const held: (() => Promise<void>)[] = [];
  let bug: 'nowhere' | 'in a step of every request' | 'in the repository' | 'in the representation' =
    'nowhere';

  beforeAll(async () => {
    store = await startApp(engine);
    powerless = await createKey(store, []);
    // oxlint-disable-next-line typescript/unbound-method -- it is applied to its object
    const representationOf = Representations.prototype.of;
    const plantable = vi.spyOn(Representations.prototype, 'of').mockImplementation(function (
      this: Representations,
      ...entity
    ) {
      const present = representationOf.apply(this, entity);
      return (row) => {
        if (bug === 'in the representation') throw new TypeError('secret detail of a bug');
        return present(row);
      };
    });
    broken = await startApp(engine, {}, (app) => {
      const get = <T extends object>(type: new (...dependencies: never[]) => T): T =>
        app.get<T>(type, { strict: false });
      plant('in a step of every request', get(Credentials));
      // The name of a class shows its role.
      for (const object of providersOf(app)) {
        const { name } = object.constructor;
        if (name.endsWith('Repository')) plant('in the repository', object);
        if (/V\d$/.test(name)) plant('in the representation', object);
      }
    });
    plantable.mockRestore();
    // The list of products needs a row, so that a representation is made.
    await create(broken);
    // The limits of the server are 15 and 30 seconds, which is too long for a test.
    Object.assign(broken.app.getHttpServer(), { headersTimeout: 300, requestTimeout: 600 });
  });
  afterAll(async () => {
    for (const letGo of held) await letGo();
    await store.close();
    await broken.close();
  });

  /** Makes every method of the object fail while the bug is planted. */
  function plant(place: typeof bug, object: object): void {
    const methods = object as Record<string, (...args: unknown[]) => unknown>;
    for (const name of methodsOf(object)) {
      const method = methods[name];
      if (typeof method !== 'function') continue;
      methods[name] = (...args) => {
        if (bug === place) throw new TypeError('secret detail of a bug');
        return method.apply(object, args);
      };
    }
  }

  /** A valid request for the operation, about a new row. */
  async function good(
    { operationId, address, hasBody }: ContractOperation,
    app: TestApp = store,
  ): Promise<Attempt> {
    const path = await goodPath(app, operationId);
    return {
      path,
      ...(hasBody && { body: await goodBody(app, operationId) }),
      ...(address.endsWith('/me') && { key: await createKey(app, [], (await createUser(app)).id) }),
    };
  }

  const WAYS: Record<string, (operation: ContractOperation, attempt: Attempt) => Promise<Attempt> | Attempt> =
    {
      200: (_operation, attempt) => attempt,
      201: (_operation, attempt) => attempt,
      204: ({ responses }, attempt) =>
        '200' in responses ? { ...attempt, headers: { prefer: 'return=minimal' } } : attempt,
      304: async (_operation, attempt) => {
        const etag = (await store.call('GET', attempt.path, attempt)).headers.get('etag') as string;
        return { ...attempt, headers: { 'if-none-match': etag } };
      },
      400: (operation, attempt) =>
        operation.hasBody
          ? { ...attempt, body: '{"name":' }
          : { ...attempt, path: `${attempt.path}?nothing=1` },
      401: (_operation, attempt) => ({ ...attempt, key: 'sk_1_wrong' }),
      403: (_operation, attempt) => ({ ...attempt, key: powerless }),
      404: ({ operationId }, attempt) => ({
        ...attempt,
        ...(attempt.body !== undefined && { body: referringToNothing(operationId, attempt.body as object) }),
        // The administrator is not a user.
        key: ADMIN_KEY,
        path: pathToNothing(operationId),
      }),
      406: (_operation, attempt) => ({ ...attempt, headers: { accept: 'image/png' } }),
      409: async (operation, attempt) => {
        const { operationId } = operation;
        if (isOnlyInUse(operation)) {
          held.push(await holdKey(store, 'held', operationId));
          return { ...attempt, headers: { 'idempotency-key': 'held' } };
        }
        const { uniques, conflicts } = relatedOperation(operationId);
        if (Object.keys(uniques).length > 0) return taken(store, operation, attempt);
        const [code = ''] = conflicts.filter((each) => each !== IN_USE);
        const conflict = CONFLICTS[code];
        if (conflict) return conflict(store, attempt);
        // The conflict follows from `x-refers`: another row refers to this row.
        await requestsTo(store).makeReferrer(code, Number(/\d+$/.exec(attempt.path)?.[0]));
        return attempt;
      },
      410: async (_operation, attempt) => {
        await create(store);
        await purgeAll(store);
        return { ...attempt, path: `${attempt.path}?after=0` };
      },
      412: async ({ operationId }, attempt) => ({
        ...attempt,
        headers: { 'if-match': '"987-v1-x"' },
        ...(operationId.startsWith('changeProducts') && {
          body: { items: [{ op: 'delete', id: (await create(store)).id, if_match: '"987-v1-x"' }] },
        }),
      }),
      413: (_operation, attempt) => ({ ...attempt, body: ' '.repeat(1_048_577) }),
      414: (_operation, attempt) => ({ ...attempt, path: `${attempt.path}?q=${'x'.repeat(8200)}` }),
      415: (_operation, attempt) => ({ ...attempt, headers: { 'content-type': 'text/csv' } }),
      422: async (operation, attempt) => {
        const headers = { 'idempotency-key': `422-${operation.operationId}` };
        const first = await store.call(operation.method, attempt.path, { ...attempt, headers });
        expect(first.status).toBeLessThan(300);
        return { ...attempt, headers, body: anotherBody(operation.operationId, attempt.body as object) };
      },
    };

  /** A service on which version 1 has ended. */
  let ended: TestApp;
  beforeAll(async () => {
    ended = await startApp(engine, { STORE_V1_SUNSET: '2020-01-01' });
  });
  afterAll(() => ended.close());
  const gone = of('410').filter(([id]) => !EXPIRING.has(id));
  it.each(gone)('%s answers 410 after the end of version 1', async (_id, { method, address, hasBody }) => {
    const path = withOnes(address);
    const { status, headers } = await ended.call(method, path, hasBody ? { body: {} } : {});
    expect([status, headers.get('sunset')]).toEqual([410, 'Wed, 01 Jan 2020 00:00:00 GMT']);
  });

  const few = (operations: ReturnType<typeof of>) =>
    engine === 'sqlite' ? operations : operations.slice(0, FEW);
  const someOf = (status: string) => few(of(status));
  const ordinary = STATUSES.filter(
    ([operation, status]) =>
      (engine === 'sqlite' ||
        OF_STATEMENTS.test(status) ||
        (status === '200' && operation.method !== 'HEAD' && operation.method !== 'OPTIONS') ||
        someOf(status).some(([id]) => id === operation.operationId)) &&
      !['408', '428', '429', '431', '500', '503'].includes(status) &&
      !(status === '410' && !EXPIRING.has(operation.operationId)) &&
      !(operation.method === 'OPTIONS' && status === '400') &&
      // On SQLite, acts run one after another, so no request finds its key in use.
      !(engine === 'sqlite' && status === '409' && isOnlyInUse(operation)),
  );
  it.each(ordinary.map(([operation, status]) => [operation.operationId, status, operation] as const))(
    '%s answers %s',
    async (_id, status, operation) => {
      const way = WAYS[status];
      if (!way) throw new Error(`There is no test for the status ${status}`);
      const { path, ...call } = await way(operation, await good(operation));
      const answer = await store.call(operation.method, path, call);
      expect(answer.status).toBe(Number(status));
      // The answer must have been checked with the contract of this operation.
      expect(operationAt(operation.method, path)?.operationId).toBe(operation.operationId);
    },
  );

  describe.each([
    ['a caller without requests left', ADMIN_KEY],
    ['a wrong credential from an address without requests left', 'sk_1_wrong'],
  ])('to %s', (_who, key) => {
    let limited: TestApp;
    beforeAll(async () => {
      limited = await startApp(engine, { STORE_RATE_LIMIT: 'anonymous=1/h,caller=1/h' });
      await fetch(`${limited.url}/api/products`, { headers: { 'x-api-key': key } });
    });
    afterAll(() => limited.close());

    it.each(someOf('429'))('%s answers 429', async (_id, { method, address, hasBody }) => {
      const path = withOnes(address);
      const { status, headers } = await limited.call(method, path, { key, ...(hasBody && { body: {} }) });
      expect([status, headers.get('retry-after')]).toEqual([
        429,
        expect.stringMatching(/^(3600|3[45]\d\d)$/),
      ]);
    });
  });

  describe('with STORE_REQUIRE_IF_MATCH', () => {
    let strict: TestApp;
    beforeAll(async () => {
      strict = await startApp(engine, { STORE_REQUIRE_IF_MATCH: 'true' });
    });
    afterAll(() => strict.close());

    it.each(someOf('428'))('%s answers 428', async (_id, operation) => {
      const { path, ...call } = await good(operation, strict);
      if (operation.operationId.startsWith('changeProducts')) {
        call.body = { items: [{ op: 'delete', id: (await create(strict)).id }] };
      }
      expect((await strict.call(operation.method, path, call)).status).toBe(428);
    });
  });

  const options = of('400').filter(([, { method }]) => method === 'OPTIONS');
  it.each(options)('%s answers 400 to a request without Host', async (_id, operation) => {
    const { path } = await good(operation);
    const text = await speak(store.port, [`OPTIONS ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`]);
    expect(statusJudged(operation, path, text)).toBe(400);
  });

  describe.each([
    ['in a step of every request', someOf('500')],
    ['in the repository', few(of('500').filter(isOfData))],
    [
      'in the representation',
      few(of('500').filter((each) => isOfData(each) && !showsNoEntity(each) && !EMPTY_AT_FIRST.has(each[0]))),
    ],
  ] as const)('with a bug %s', (place, operations) => {
    it.each(operations)('%s answers 500 without details of the bug', async (_id, operation) => {
      const { path, ...call } = await good(operation, broken);
      bug = place;
      try {
        const answer = await broken.call(operation.method, path, call);
        expect(answer.status).toBe(500);
        expect(answer.text).not.toContain('secret');
        expect(answer.headers.get('cache-control')).toBe('no-store');
        // The headers of the answer that failed are not sent.
        for (const name of ['etag', 'location', 'link', 'x-total-count']) {
          expect([name, answer.headers.get(name)]).toEqual([name, null]);
        }
      } finally {
        bug = 'nowhere';
      }
    });
  });

  it.each(
    CONTRACT.filter(({ method }) => method === 'HEAD').map((each) => [each.operationId, each] as const),
  )('%s has the same headers as GET in the contract', (_id, { address, responses }) => {
    const get = CONTRACT.find((other) => other.method === 'GET' && other.address === address);
    const namesOf = (all: typeof responses = {}) => Object.keys(all['200']?.headers ?? {}).toSorted();
    expect(namesOf(responses)).toEqual(namesOf(get?.responses));
  });

  it.each(someOf('431'))('%s answers 431 to 20 KB of headers', async (_id, operation) => {
    const { path } = await good(operation);
    const text = await speak(broken.port, [
      `${operation.method} ${path} HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]);
    expect(statusJudged(operation, path, text)).toBe(431);
  });

  it.concurrent.each(someOf('408'))('%s answers 408 to a request that never ends', async (_id, operation) => {
    const { path } = await good(operation);
    const head = `${operation.method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\n`;
    const text = await speak(broken.port, [
      operation.hasBody ? `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na` : head,
    ]);
    expect(statusJudged(operation, path, text)).toBe(408);
  });

  it('each operation that needs the database answers 503 while the database is closed', async () => {
    const closed = await startApp(engine);
    try {
      const attempts = await Promise.all(
        of('503')
          .filter(([id]) => !ABOUT_THE_CALLER.has(id))
          .map(async ([, operation]) => [operation, await good(operation, closed)] as const),
      );
      await closed.app.get(Database, { strict: false }).close();
      for (const [operation, { path, ...call }] of attempts) {
        const ask = () => closed.call(operation.method, path, call);
        let answer = await ask();
        // For one second, the service trusts the signing keys in its memory. Then it needs the database.
        const status = async () => (answer.status === 503 ? 503 : (answer = await ask()).status);
        await expect.poll(status, { message: operation.operationId }).toBe(503);
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      expect((await closed.call('GET', '/health/live')).status).toBe(200);
    } finally {
      await closed.close();
    }
  });
});

/** The path with the id 1 for each row. */
function withOnes(address: string): string {
  return address.replaceAll(/\{\w+\}/g, '1');
}

/** The parts of the application that Nest has made. */
function providersOf(app: TestApp['app']): readonly object[] {
  return [...app.get(ModulesContainer).values()].flatMap(({ providers }) =>
    [...providers.values()].flatMap(({ instance }) =>
      typeof instance === 'object' && instance !== null ? [instance] : [],
    ),
  );
}

/** Whether the answer of the operation is not a representation of an entity. */
function showsNoEntity([id]: readonly [string, ContractOperation]): boolean {
  const { shape } = OPERATIONS[id.replace('HEAD ', '') as OperationId].answer;
  return shape === 'none' || shape === 'plain';
}

/** Whether the operation uses a repository. */
function isOfData([id, { address, method }]: readonly [string, ContractOperation]): boolean {
  if (method === 'OPTIONS') return false;
  return relatedOperation(id).entity !== null || MAKERS.some((path) => address.startsWith(path));
}

function of(status: string): readonly (readonly [string, ContractOperation])[] {
  return STATUSES.filter(([, documented]) => documented === status).map(([operation]) => [
    operation.operationId,
    operation,
  ]);
}

/** The status of an answer on a bare socket, after the whole answer was checked with the contract. */
function statusJudged(operation: ContractOperation, path: string, text: string): number {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [line = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1.1 (\d{3}) /.exec(line)?.[1]);
  const headers = new Headers(
    lines.map((header): [string, string] => header.split(/: ?/, 2) as [string, string]),
  );
  if (headers.get('connection')?.toLowerCase() !== 'close') throw new Error('The connection stays open');
  // The answer has a body for every method, because the server did not read the request far enough to know
  // the method.
  judge(operation.method === 'HEAD' ? 'GET' : operation.method, path, { status, headers, text: body });
  return status;
}
