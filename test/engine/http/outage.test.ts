import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnPostgres } from '../../support/fixtures/database.js';
import { aProduct, create } from '../../support/fixtures/fixtures.js';

describeOnPostgres('an outage of the database', () => {
  let store: TestApp;
  let server: Client;
  beforeAll(async () => {
    store = await startApp('postgres');
    server = new Client({ connectionString: process.env['TEST_POSTGRES_URL'] });
    await server.connect();
  });
  afterAll(async () => {
    await server.end();
    await store.close();
  });

  it('leads to 503 while the server accepts no connections, loses no data, and ends without a restart', async () => {
    const { id } = await create(store);
    const { options } = store.app.get(DataSource, { strict: false });
    const name = new URL((options as { url: string }).url).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    const product = `/api/products/${id}`;
    const attempts = () => [
      store.call('GET', product),
      store.call('GET', '/api/products'),
      store.call('GET', '/api/products?sort=name'),
      store.call('POST', '/api/products', { body: aProduct() }),
      store.call('GET', '/health/ready'),
    ];
    for (let n = 0; n < 3; n++) {
      const answers = await Promise.all(attempts());
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
      for (const { headers } of answers) expect(headers.get('retry-after')).toBe('1');
    }
    for (const [query, retryAfter] of [
      ['{ a: product(id: 1) { id } b: product(id: 2) { id } }', '1'],
      ['{ products { id } }', '1'],
      ['{ __typename product(id: 1) { id } }', null],
    ] as const) {
      const answer = await fetch(`${store.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      const { errors } = (await answer.json()) as { errors: { extensions: { code: string } }[] };
      expect(errors[0]?.extensions.code).toBe('UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toBe(retryAfter);
    }
    expect((await store.call('GET', '/health/live')).status).toBe(200);
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    // The last answer of `/health/ready` is cached for half a second.
    await expect.poll(async () => (await store.call('GET', '/health/ready')).status).toBe(200);
    expect((await Promise.all(attempts())).map(({ status }) => status)).toEqual([200, 200, 200, 201, 200]);
    expect((await store.call('GET', product)).status).toBe(200);
  });
});
