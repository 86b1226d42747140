import { expect, it } from 'vitest';
import { CredentialChanges } from '../../../src/engine/access/credential-changes.js';
import { Revocations } from '../../../src/store/tokens/revocations.js';
import { SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { Database } from '../../../src/engine/database/database.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { createUserWithPassword } from '../../support/clients/basic.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';
import { createKey } from '../../support/clients/keys.js';
import { asBearer, tokenOf, userTokenOf } from '../../support/clients/tokens.js';

// A process trusts its cache for one second. The rest of the time is for a slow machine.
const PATIENCE = { timeout: 60_000, interval: 20 };

async function status(store: TestApp, token: string): Promise<number> {
  return (await store.call('GET', '/api/orders', asBearer(token))).status;
}

describeOnEachEngine('several instances', (engine) => {
  async function withTwo(work: (left: TestApp, right: TestApp) => Promise<void>): Promise<void> {
    const database = await freshDatabase(engine);
    const left = await startApp(engine, { STORE_DATABASE_URL: database.url });
    const right = await startApp(engine, { STORE_DATABASE_URL: database.url });
    try {
      await work(left, right);
    } finally {
      await left.close();
      await right.close();
      await database.drop();
    }
  }
  it('accept the tokens of each other, and learn which tokens have ended', () =>
    withTwo(async (left, right) => {
      const { id } = await createUserWithPassword(left);
      const ofClient = await tokenOf(left, { scope: 'orders:read' });
      const ofUser = await userTokenOf(right, id, 'orders:read');
      for (const token of [ofClient, ofUser]) {
        expect([await status(left, token), await status(right, token)]).toEqual([200, 200]);
      }
      await left.call('PATCH', `/api/users/${id}`, { body: { password: 'another horse battery' } });
      expect(await status(left, ofUser)).toBe(401);
      await expect.poll(() => status(right, ofUser), PATIENCE).toBe(401);
      expect(await status(right, ofClient)).toBe(200);
      await right.app.get(Revocations, { strict: false }).endAllOf({ clientId: 'till' });
      expect(await status(right, ofClient)).toBe(401);
      await expect.poll(() => status(left, ofClient), PATIENCE).toBe(401);
    }));

  it('accept a new signing key of another instance at once, and forget keys that have ended', () =>
    withTwo(async (left, right) => {
      const before = await tokenOf(left, { scope: 'orders:read' });
      expect(await status(right, before)).toBe(200);
      await left.app.get(SigningKeys, { strict: false }).rotate(60_000);
      expect(await status(right, await tokenOf(left, { scope: 'orders:read' }))).toBe(200);
      expect(await status(right, before)).toBe(200);
      await left.app.get(SigningKeys, { strict: false }).rotate(0);
      await expect.poll(() => status(right, before), PATIENCE).toBe(401);
    }));

  it('learn which API keys were revoked', () =>
    withTwo(async (left, right) => {
      const key = await createKey(left, ['orders:read']);
      const ask = async (store: TestApp) => (await store.call('GET', '/api/orders', { key })).status;
      expect([await ask(left), await ask(right)]).toEqual([200, 200]);
      await left.call('DELETE', `/api/api-keys/${key.split('_')[1]}`);
      expect(await ask(left)).toBe(401);
      await expect.poll(() => ask(right), PATIENCE).toBe(401);
    }));

  it('trust no cached credential that they cannot check', async () => {
    const store = await startApp(engine);
    try {
      const token = await tokenOf(store, { scope: 'orders:read' });
      const key = await createKey(store, ['products:read']);
      const products = (call: Parameters<TestApp['call']>[2]) => store.call('GET', '/api/products/1', call);
      expect((await products(asBearer(token))).status).toBe(404);
      expect((await products({ key })).status).toBe(404);
      await store.app.get(Database, { strict: false }).close();
      // For the service, a second has now passed.
      Object.assign(store.app.get(CredentialChanges, { strict: false }), { checkedAt: -Infinity });
      for (const call of [asBearer(token), { key }]) {
        const answer = await products(call);
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
        // The check of the credential fails, not the read of the product.
        expect(answer.body.detail).toContain('whether the credential is still valid');
      }
    } finally {
      await store.close().catch(() => undefined);
    }
  });
});
