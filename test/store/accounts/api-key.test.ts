import { expect, it } from 'vitest';
import { ApiKeysRepository } from '../../../src/store/accounts/api-keys.repository.js';
import { Database } from '../../../src/engine/database/database.js';
import { sql } from '../../../src/engine/database/sql.js';
import { startApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createKey } from '../../support/clients/keys.js';

describeOnEachEngine('API keys', (engine) => {
  const product = { name: 'Chai', price: 1 };

  it('include the key of the administrator, which is created only once, and which may create products', async () => {
    const store = await startApp(engine);
    try {
      const keys = store.app.get(ApiKeysRepository, { strict: false });
      const made = await Promise.all(Array.from({ length: 5 }, () => keys.createFirst()));
      const key = made.find((candidate) => candidate !== null) as string;
      expect(made.filter((candidate) => candidate !== null)).toHaveLength(1);
      expect(await keys.createFirst()).toBeNull();
      expect((await store.call('POST', '/api/products', { key, body: product })).status).toBe(201);
    } finally {
      await store.close();
    }
  });

  it('are stored only as hashes', async () => {
    const store = await startApp(engine);
    try {
      const key = await createKey(store, ['products:write']);
      const secret = key.split('_').slice(2).join('_');
      const rows = await store.app.get(Database, { strict: false }).reads.all(sql`SELECT * FROM api_keys`);
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(secret);
    } finally {
      await store.close();
    }
  });

  it('allow the operations of their scopes, and are refused if their text is changed', async () => {
    const store = await startApp(engine);
    try {
      const create = async (key: string | null) =>
        (await store.call('POST', '/api/products', { key, body: product })).status;
      const good = await createKey(store, ['products:write']);
      expect(await create(good)).toBe(201);
      expect(await create(await createKey(store, ['admin']))).toBe(201);
      expect(await create(await createKey(store, ['products:read']))).toBe(403);
      expect(await create(null)).toBe(401);
      const [, id = '', secret = ''] = /^sk_(\d+)_(.*)$/.exec(good) ?? [];
      const last = secret.endsWith('A') ? 'B' : 'A';
      for (const wrong of [
        good.slice(0, -1) + last,
        `${good}x`,
        `sk_${Number(id) + 1}_${secret}`,
        `sk_0${id}_${secret}`,
        `sk_${id}_`,
        secret,
        'sk_1_',
        `sk_9999999999999999_${secret}`,
        "sk_1_' OR '1'='1",
      ]) {
        expect([wrong, await create(wrong)]).toEqual([wrong, 401]);
      }
    } finally {
      await store.close();
    }
  });
});
