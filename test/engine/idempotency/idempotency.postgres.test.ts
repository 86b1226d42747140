import { Client } from 'pg';
import { expect, it } from 'vitest';
import { ANONYMOUS, type Principal } from '../../../src/engine/access/principal.js';
import { Database } from '../../../src/engine/database/database.js';
import { type Act, ownOrigin } from '../../../src/engine/database/transaction.js';
import { one, run, sql } from '../../../src/engine/database/sql.js';
import { IdempotencyKey } from '../../../src/engine/idempotency/idempotency-key.js';
import { IdempotentAct } from '../../../src/engine/idempotency/idempotent-act.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { breakingProxy } from '../../support/faults/breaking-proxy.js';
import { describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';
import { ask } from '../../support/clients/graphql.js';
import { aProduct, aUser, createUser } from '../../support/fixtures/fixtures.js';

const SOMEBODY: Principal = { ...ANONYMOUS, kind: 'client', id: 'somebody' };
const headers = { 'idempotency-key': 'once' };
const post = (store: TestApp) => store.call('POST', '/api/products', { body: aProduct(), headers });
const products = async (store: TestApp) => (await store.call('GET', '/api/products')).body as unknown[];

describeOnPostgres('Idempotency-Key', () => {
  it('leads to 409 while the first request is being served, even if the first request waits for a lock', async () => {
    const database = await freshDatabase('postgres');
    const store = await startApp('postgres', { STORE_DATABASE_URL: database.url });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('BEGIN; LOCK TABLE products IN SHARE MODE');
      const first = post(store);
      const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'products'::regclass`;
      await expect.poll(async () => (await other.query<{ n: number }>(waiting)).rows[0]?.n).toBe(1);
      const second = await post(store);
      expect([second.status, second.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE']);
      expect(second.headers.get('retry-after')).toBe('1');
      await other.query('COMMIT');
      const { status, text } = await first;
      const third = await post(store);
      expect([status, third.status, third.text]).toEqual([201, 201, text]);
      expect(third.headers.get('idempotent-replayed')).toBe('true');
      expect(await products(store)).toHaveLength(1);
    } finally {
      await other.end();
      await store.close();
      await database.drop();
    }
  });

  it('leads to a GraphQL error with Retry-After while the first request is being served', async () => {
    const database = await freshDatabase('postgres');
    const store = await startApp('postgres', { STORE_DATABASE_URL: database.url });
    const other = new Client({ connectionString: database.url });
    await other.connect();
    const mutate = () =>
      ask(store, { query: 'mutation { createProduct(name: "Tea", price: 1) { id } }' }, { headers });
    try {
      await other.query('BEGIN; LOCK TABLE products IN SHARE MODE');
      const first = mutate();
      const waiting = `SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'products'::regclass`;
      await expect.poll(async () => (await other.query<{ n: number }>(waiting)).rows[0]?.n).toBe(1);
      const second = await mutate();
      expect(second.body.errors[0].extensions.code).toBe('IDEMPOTENCY_KEY_IN_USE');
      expect(second.headers.get('retry-after')).toBe('1');
      await other.query('COMMIT');
      const [done, third] = [await first, await mutate()];
      expect(third.body.data).toEqual(done.body.data);
      expect([done, third].map((answer) => answer.headers.get('retry-after'))).toEqual([null, null]);
    } finally {
      await other.end();
      await store.close();
      await database.drop();
    }
  });

  it.each(['before', 'after'] as const)(
    'has one effect when the connection breaks %s the server receives the COMMIT',
    async (when) => {
      const database = await freshDatabase('postgres');
      const proxy = await breakingProxy(database.url);
      const store = await startApp('postgres', { STORE_DATABASE_URL: proxy.url });
      try {
        proxy.breakNext(when);
        const first = await post(store);
        expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
        const again = await post(store);
        expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
        expect(await products(store)).toHaveLength(1);
      } finally {
        await store.close();
        await database.drop();
      }
    },
  );

  it('has one effect when the act is repeated, at every isolation level', async () => {
    const store = await startApp('postgres');
    try {
      const { unitOfWork, reads } = store.app.get(Database, { strict: false });
      for (const isolation of ['read committed', 'repeatable read', 'serializable'] as const) {
        let attempts = 0;
        const act: Act<{ n: number }> = function* () {
          attempts += 1;
          if (attempts < 3)
            yield* run(sql`DO $$ BEGIN RAISE 'met another' USING ERRCODE = 'serialization_failure'; END $$`);
          return { n: attempts };
        };
        const keyedRun = (key: string, work = act) => {
          const sent = IdempotencyKey.in(key) as IdempotencyKey;
          const keyed = new IdempotentAct(sent, SOMEBODY, 'createProduct', {});
          const done = unitOfWork.run(work, { isolation, origin: { ...ownOrigin('test'), keyed } });
          return done.then(({ n }) => [n, sent.isReplayed]);
        };
        const key = isolation.replace(' ', '-');
        expect(await keyedRun(key)).toEqual([3, false]);
        expect(await keyedRun(key)).toEqual([3, true]);
        expect(attempts).toBe(3);
        const many = await Promise.allSettled(Array.from({ length: 20 }, () => keyedRun(`${key}-many`)));
        const done = many.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
        expect(done.filter(([, isReplayed]) => isReplayed === false)).toHaveLength(1);
        // Above READ COMMITTED, it is possible that an act does not see the record that another request has just
        // stored. Then the act cannot store its own result, and is rolled back.
        expect(new Set(done.map(([n]) => n)).size).toBe(1);
      }
      expect(await reads.one(sql`SELECT count(*)::int AS n FROM idempotency_records`)).toEqual({ n: 6 });
    } finally {
      await store.close();
    }
  });

  it('does not prevent the deletion of a user while a request with a key changes this user', async () => {
    const store = await startApp('postgres');
    try {
      for (let n = 0; n < 10; n += 1) {
        const { id } = await createUser(store);
        const [changed, removed] = await Promise.all([
          store.call('PATCH', `/api/users/${id}`, {
            body: aUser(),
            headers: { 'idempotency-key': `race-${n}` },
          }),
          store.call('DELETE', `/api/users/${id}`),
        ]);
        expect([200, 404]).toContain(changed.status);
        expect(removed.status).toBe(204);
      }
      const { reads } = store.app.get(Database, { strict: false });
      const left = await reads.one(sql`SELECT count(*)::int AS n FROM idempotency_records`);
      expect(left).toEqual({ n: 0 });
    } finally {
      await store.close();
    }
  });

  it('refuses a second act of the same request', async () => {
    const store = await startApp('postgres');
    try {
      const { unitOfWork } = store.app.get(Database, { strict: false });
      const keyed = new IdempotentAct(
        IdempotencyKey.in('two') as IdempotencyKey,
        SOMEBODY,
        'createProduct',
        {},
      );
      const origin = { ...ownOrigin('test'), keyed };
      await unitOfWork.run(() => one(sql`SELECT 1 AS n`), { origin });
      await expect(unitOfWork.run(() => one(sql`SELECT 2 AS n`), { origin })).rejects.toThrow('in one act');
    } finally {
      await store.close();
    }
  });
});
