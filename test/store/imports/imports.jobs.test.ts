import { expect, it, vi } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { CredentialEnded, requireCredential } from '../../../src/store/imports/import-caller.js';
import { OldImports } from '../../../src/store/imports/imports.purge.js';
import { Revocations } from '../../../src/store/tokens/revocations.js';
import {
  addPart,
  ended,
  imported,
  PATIENCE,
  read,
  refusals,
  refusedRows,
  send,
} from '../../support/clients/imports.js';
import { breakingProxy } from '../../support/faults/breaking-proxy.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine, describeOnPostgres, freshDatabase } from '../../support/fixtures/database.js';
import { ask } from '../../../testkit/databases.js';
import { asBasic, PASSWORD } from '../../support/clients/basic.js';
import { createKey } from '../../support/clients/keys.js';

const IMPORTS = '/api/v2/imports';
const ROWS = 6_000;
/** Ten batches. */
const FEW_ROWS = 1_000;

function productRows(most: number): string {
  const rows = Array.from({ length: most }, (_, index) => `p${index},Product ${index},${index % 100}.50`);
  return `id,name,price\n${rows.join('\n')}\n`;
}

function userRow(email: string): string {
  return `id,name,email\nu1,Ada,${email}\n`;
}

async function count(store: TestApp): Promise<number> {
  const { headers } = await store.call('GET', '/api/v2/products?limit=1');
  return Number(headers.get('x-total-count'));
}

async function leftParts(store: TestApp): Promise<number> {
  const { reads } = store.app.get(Database, { strict: false });
  const found = await reads.one<{ left: number }>(
    sql`SELECT (SELECT COUNT(*) FROM import_parts) + (SELECT COUNT(*) FROM import_batches) AS left`,
  );
  return found?.left ?? -1;
}

/** Waits until an import has written some rows. */
async function begun(store: TestApp, id: number): Promise<void> {
  await expect.poll(async () => (await read(store, id)).rows_done, PATIENCE).toBeGreaterThan(0);
}

describeOnEachEngine('the import that runs', (engine) => {
  async function withStore(work: (store: TestApp) => Promise<void>, settings = {}): Promise<void> {
    const store = await startApp(engine, settings);
    try {
      await work(store);
    } finally {
      await store.close();
    }
  }

  it('stops before its end when it is cancelled, and keeps the rows that were written', () =>
    withStore(async (store) => {
      const { id } = await send(store, { kind: 'products' }, productRows(ROWS));
      await begun(store, id);
      const cancelled = await store.call('DELETE', `${IMPORTS}/${id}`);
      expect(cancelled.body.state).toBe('cancelled');
      await expect.poll(() => leftParts(store), PATIENCE).toBe(0);
      const { rows_done: done, created } = await read(store, id);
      expect(created).toBe(done);
      expect(await count(store)).toBe(done);
      expect(done).toBeLessThan(ROWS);
    }));

  it('fails if it was begun five times and did not end, and names the two possible causes', () =>
    withStore(async (store) => {
      const { body } = await store.call('POST', IMPORTS, { body: { kind: 'products', format: 'csv' } });
      const { unitOfWork } = store.app.get(Database, { strict: false });
      await unitOfWork.run(() => run(sql`UPDATE imports SET attempts = 5 WHERE id = ${body.id}`));
      await addPart(store, body.id, { number: 1, text: productRows(1), last: true });
      const { state, problem } = await ended(store, body.id);
      expect([state, problem]).toEqual([
        'failed',
        'The import was begun 5 times and did not end, because the service stopped or the database could not be reached. Divide the file, and send the parts as new imports: rows that are in the store already are not written twice.',
      ]);
    }));

  it('is continued in the same attempt after the database could not be reached for a while', () =>
    withStore(async (store) => {
      const { unitOfWork, reads } = store.app.get(Database, { strict: false });
      const { id } = await send(store, { kind: 'products' }, productRows(ROWS));
      await begun(store, id);
      const failing = vi.spyOn(unitOfWork, 'run').mockRejectedValue(new DatabaseUnavailable('It is gone.'));
      try {
        // The batch is tried eight times. After that, the lease cannot be released either.
        await expect.poll(() => failing.mock.calls.length, PATIENCE).toBeGreaterThan(8);
      } finally {
        failing.mockRestore();
      }
      expect(await ended(store, id)).toMatchObject({ state: 'done', rows_done: ROWS, created: ROWS });
      expect(await reads.one(sql`SELECT attempts FROM imports WHERE id = ${id}`)).toEqual({ attempts: 1 });
    }));

  it('stops when the key that made it is revoked', () =>
    withStore(async (store) => {
      const key = await createKey(store, ['products:write']);
      const file = productRows(ROWS).replace('p10,Product 10,10.50', 'p10,Product 10,x');
      const { id } = await send(store, { kind: 'products' }, file, { key });
      await begun(store, id);
      await store.call('DELETE', `/api/v2/api-keys/${/^sk_(\d+)_/.exec(key)?.[1]}`);
      const found = await ended(store, id);
      expect(found).toMatchObject({ state: 'failed' });
      expect(found.problem).toContain('revoked');
      expect(found.problem).toContain('not written twice');
      // The header and the refused row are lines of the file too.
      expect(found).toMatchObject({ problem_line: found.rows_done + 3, read: ROWS, refused: 1 });
      expect(await refusals(store, id)).toMatchObject([{ line: 12, column: 'price', value: 'x' }]);
      expect(await refusedRows(store, id)).toContain('p10,Product 10,x');
      expect(await count(store)).toBe(found.created);
      expect(found.created).toBeLessThan(ROWS);
    }));

  it('needs a caller that still exists, and whose tokens were not ended after the import was made', () =>
    withStore(async (store) => {
      const { body } = await store.call('POST', '/api/v2/users', {
        body: { name: 'Ada', email: 'ada@example.com' },
      });
      const [issuer, subject] = ['https://issuer.example', 'somebody of ours'];
      const user = `user ${body.id}`;
      const outside = `subject ${subject} of ${issuer}`;
      const { unitOfWork } = store.app.get(Database, { strict: false });
      const createdAt = new Date();
      const isGood = (caller: string) =>
        unitOfWork
          .run(() => requireCredential({ caller, createdAt }))
          .then(
            () => true,
            (error: unknown) => !(error instanceof CredentialEnded),
          );
      for (const caller of ['administrator', user, outside])
        expect([caller, await isGood(caller)]).toEqual([caller, true]);
      for (const caller of ['key 999', 'client none', 'user 999', 'subject nobody', 'other', '']) {
        expect([caller, await isGood(caller)]).toEqual([caller, false]);
      }
      const revocations = store.app.get(Revocations, { strict: false });
      await revocations.endAllOf({ userId: body.id }, { issuer, subject });
      expect([await isGood(user), await isGood(outside)]).toEqual([false, false]);
    }));

  it('makes the service forget the old e-mail address of a user', () =>
    withStore(async (store) => {
      await imported(store, { kind: 'users' }, userRow('old@example.com'));
      const [{ id }] = (await store.call('GET', '/api/v2/users')).body.data;
      await store.call('PATCH', `/api/v2/users/${id}`, { body: { password: PASSWORD } });
      const statusFor = async (email: string) =>
        (await store.call('GET', '/api/v2/users/me', asBasic(email))).status;
      // The service remembers this address and password for half a minute.
      expect(await statusFor('old@example.com')).toBe(200);
      expect(await imported(store, { kind: 'users' }, userRow('new@example.com'))).toMatchObject({
        updated: 1,
      });
      await expect.poll(() => statusFor('old@example.com'), { timeout: 15_000 }).toBe(401);
      expect(await statusFor('new@example.com')).toBe(200);
    }));

  it('is followed by a waiting import of another caller, before the next import of the same caller', () =>
    withStore(async (store) => {
      const [many, few] = [
        await createKey(store, ['products:write']),
        await createKey(store, ['products:write']),
      ];
      const sent = [];
      for (const key of [many, many, few]) {
        sent.push(
          await send(
            store,
            { kind: 'products', source: key === few ? 'few' : 'many' },
            productRows(FEW_ROWS),
            {
              key,
            },
          ),
        );
      }
      const [first, second, other] = await Promise.all(sent.map(({ id }) => ended(store, id)));
      const began = [first, other, second].map((each) => Date.parse(each.started_at));
      expect(began).toEqual(began.toSorted((a, b) => a - b));
    }));

  it('does not block other requests, and its file is removed at the end', () =>
    withStore(async (store) => {
      const { id } = await send(store, { kind: 'products' }, productRows(ROWS));
      let answered = 0;
      while ((await read(store, id)).ended_at === null) answered += 1;
      expect(answered).toBeGreaterThan(10);
      expect(await read(store, id)).toMatchObject({ state: 'done', created: ROWS, rows_done: ROWS });
      await expect.poll(() => leftParts(store), PATIENCE).toBe(0);
    }));

  it('continues after a stop of the service, without a missing or a duplicate row', async () => {
    const database = await freshDatabase(engine);
    try {
      const settings = { STORE_DATABASE_URL: database.url };
      const first = await startApp(engine, settings);
      const file = productRows(ROWS).replace('p10,Product 10,10.50', 'p10,Product 10,x');
      const { id } = await send(first, { kind: 'products' }, `${file}p20,Other,1\n`);
      await begun(first, id);
      await first.close();
      const second = await startApp(engine, settings);
      expect((await read(second, id)).rows_done).toBeLessThan(ROWS);
      const found = await ended(second, id);
      expect(found).toMatchObject({
        state: 'done',
        read: ROWS + 1,
        rows: ROWS,
        rows_done: ROWS,
        created: ROWS - 1,
        unchanged: 0,
        refused: 2,
      });
      expect(await count(second)).toBe(ROWS - 1);
      const lines = (await refusals(second, id)).map(({ line }) => line);
      expect(lines).toEqual([12, ROWS + 2]);
      await second.close();
    } finally {
      await database.drop();
    }
  });

  it('counts no repeated or refused row twice, even if the service is stopped', async () => {
    const database = await freshDatabase(engine);
    try {
      const settings = { STORE_DATABASE_URL: database.url };
      const first = await startApp(engine, settings);
      const taken = { name: 'Ada', email: 'ada@example.com' };
      await first.call('POST', '/api/v2/users', { body: taken });
      const good = Array.from(
        { length: ROWS },
        (_, index) => `u${index},User ${index},u${index}@example.com\n`,
      );
      const file = `id,name,email\n${'x,Ada,ada@example.com\n'.repeat(3)}${good[0]}${good.join('')}`;
      const { id } = await send(first, { kind: 'users' }, file);
      await begun(first, id);
      expect(await read(first, id)).toMatchObject({ repeated: 1, refused: 3 });
      await first.close();
      const second = await startApp(engine, settings);
      expect((await read(second, id)).rows_done).toBeLessThan(ROWS);
      expect(await ended(second, id)).toMatchObject({
        state: 'done',
        read: ROWS + 4,
        created: ROWS,
        repeated: 1,
        refused: 3,
      });
      expect(await refusals(second, id)).toMatchObject([{ line: 2 }, { line: 3 }, { line: 4 }]);
      expect((await refusedRows(second, id)).trim().split('\n')).toHaveLength(4);
      await second.close();
    } finally {
      await database.drop();
    }
  });

  it('has a bound of bytes for one import, and another bound for all unfinished imports of a caller', () =>
    withStore(
      async (store) => {
        const begin = async () =>
          (await store.call('POST', IMPORTS, { body: { kind: 'products', format: 'csv' } })).body
            .id as number;
        const first = await begin();
        const text = 'x'.repeat(1_000);
        expect((await addPart(store, first, { number: 1, text })).status).toBe(200);
        const larger = await addPart(store, first, { number: 2, text });
        expect([larger.status, larger.body.code]).toEqual([413, 'CONTENT_TOO_LARGE']);
        expect(larger.body.detail).toContain('1024 bytes');
        for (let n = 0; n < 3; n += 1) await addPart(store, await begin(), { number: 1, text });
        const more = await addPart(store, await begin(), { number: 1, text });
        expect(more.headers.get('retry-after')).toBe('10');
        expect([more.status, more.body.code]).toEqual([429, 'RATE_LIMITED']);
        await store.call('DELETE', `${IMPORTS}/${first}`);
        expect((await addPart(store, await begin(), { number: 1, text })).status).toBe(200);
      },
      { STORE_IMPORT_MAX_BYTES: '1024' },
    ));

  it('is removed some days after its end, and within hours if its file never became complete', () =>
    withStore(async (store) => {
      const { id } = await send(store, { kind: 'products' }, productRows(3));
      await ended(store, id);
      const open = (await store.call('POST', IMPORTS, { body: { kind: 'products', format: 'csv' } })).body.id;
      await addPart(store, open, { number: 1, text: 'x' });
      const { purge } = store.app.get(OldImports, { strict: false });
      await purge.run();
      expect([(await read(store, id)).id, (await read(store, open)).id]).toEqual([id, open]);
      const { unitOfWork } = store.app.get(Database, { strict: false });
      const [hours, days] = [new Date(Date.now() - 2 * 3_600_000), new Date(Date.now() - 8 * 86_400_000)];
      await unitOfWork.run(() => run(sql`UPDATE imports SET updated_at = ${hours} WHERE id = ${open}`));
      await unitOfWork.run(() => run(sql`UPDATE imports SET ended_at = ${days} WHERE id = ${id}`));
      await purge.run();
      expect((await store.call('GET', `${IMPORTS}/${id}`)).status).toBe(404);
      expect((await store.call('GET', `${IMPORTS}/${open}`)).status).toBe(404);
      expect(await leftParts(store)).toBe(0);
    }));
});

describeOnPostgres('two instances', () => {
  it('run imports one after another, no matter which instance got the file', async () => {
    const database = await freshDatabase('postgres');
    const settings = { STORE_DATABASE_URL: database.url };
    const [left, right] = [await startApp('postgres', settings), await startApp('postgres', settings)];
    try {
      const file = productRows(2_000);
      const jobs = [];
      for (const [index, store] of [left, right, left, right].entries()) {
        jobs.push(await send(store, { kind: 'products', source: `s${index % 2}` }, file));
      }
      const results = [];
      for (const { id } of jobs) results.push(await ended(left, id));
      expect(results.map(({ created, unchanged }) => [created, unchanged])).toEqual([
        [2_000, 0],
        [2_000, 0],
        [0, 2_000],
        [0, 2_000],
      ]);
      const times = results.flatMap(({ started_at, ended_at }) => [
        Date.parse(started_at),
        Date.parse(ended_at),
      ]);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(await count(right)).toBe(4_000);
    } finally {
      await left.close();
      await right.close();
      await database.drop();
    }
  });
});

describeOnPostgres('an import whose COMMIT is lost', () => {
  it('finds the batch that was stored, and counts its rows once', async () => {
    const database = await freshDatabase('postgres');
    const proxy = await breakingProxy(database.url);
    const store = await startApp('postgres', { STORE_DATABASE_URL: proxy.url });
    try {
      // As after a crash of the server, no connection is older than the transaction. So the service cannot know
      // whether the batch was stored.
      for (const statement of [
        'CREATE SCHEMA crashed',
        'CREATE VIEW crashed.pg_stat_activity AS SELECT * FROM pg_catalog.pg_stat_activity WHERE false',
        `DO $$ BEGIN
          EXECUTE format('ALTER DATABASE %I SET search_path = crashed, pg_catalog, public', current_database());
        END $$`,
      ])
        await ask(database.url, statement);
      const file = productRows(ROWS).replace('p10,Product 10,10.50', 'p10,Product 10,x');
      const { id } = await send(store, { kind: 'products' }, file);
      await begun(store, id);
      await ask(
        database.url,
        `SELECT pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle'`,
      );
      proxy.breakNext('after');
      expect(await ended(store, id)).toMatchObject({
        state: 'done',
        problem: null,
        rows_done: ROWS - 1,
        created: ROWS - 1,
        unchanged: 0,
        refused: 1,
      });
      expect(await count(store)).toBe(ROWS - 1);
    } finally {
      await store.close();
      await database.drop();
    }
  });
});
