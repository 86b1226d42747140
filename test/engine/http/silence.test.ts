import { afterEach, beforeEach, expect, it } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../support/clients/app.js';
import { describeOnPostgres, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';
import { aProduct, create } from '../../support/fixtures/fixtures.js';
import { silentProxy, type SilentProxy } from '../../support/faults/silent-proxy.js';

/** The service waits two seconds longer than this for an answer of the database. */
const STATEMENT_MS = 200;

/** The answer, and its time in seconds. */
async function timed(asked: Promise<Answer>): Promise<readonly [Answer, number]> {
  const since = performance.now();
  return [await asked, (performance.now() - since) / 1000];
}

describeOnPostgres('a database that does not answer', () => {
  let database: FreshDatabase;
  let proxy: SilentProxy;
  let store: TestApp;
  beforeEach(async () => {
    database = await freshDatabase('postgres');
    proxy = await silentProxy(database.url);
    store = await startApp('postgres', {
      STORE_DATABASE_URL: `${proxy.url}?statement_timeout=${STATEMENT_MS}`,
    });
  });
  afterEach(async () => {
    proxy.wake();
    await store.close();
    proxy.close();
    await database.drop();
  });

  it('causes 503 within a limited time, and requests work again when the database answers', async () => {
    const { id } = await create(store);
    proxy.silence();
    const [read, written, ready] = await Promise.all([
      timed(store.call('GET', `/api/products/${id}`)),
      timed(store.call('POST', '/api/products', { body: aProduct() })),
      timed(store.call('GET', '/health/ready')),
    ]);
    for (const [{ status, headers }, seconds] of [read, written, ready]) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(seconds).toBeLessThan(30);
    }
    expect(ready[1]).toBeLessThan(15);
    proxy.wake();
    await expect.poll(async () => (await store.call('GET', '/health/ready')).status).toBe(200);
    const answer = await store.call('GET', `/api/products/${id}`);
    expect([answer.status, answer.body.id]).toEqual([200, id]);
  });

  it('causes 503 for a COMMIT without an answer, and the message says that the result is not known', async () => {
    const body = aProduct({ name: 'Silent night' });
    proxy.silenceAtCommitOf(body.name);
    const headers = { 'idempotency-key': 'once' };
    const [lost, seconds] = await timed(store.call('POST', '/api/products', { body, headers }));
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1']);
    expect(lost.body.detail).toContain('It is not known whether the change was stored');
    expect(seconds).toBeLessThan(60);
    proxy.wake();
    const again = await store.call('POST', '/api/products', { body, headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect((await store.call('GET', '/api/products')).body).toHaveLength(1);
  });
});
