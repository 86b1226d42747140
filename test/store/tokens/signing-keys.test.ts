import { sign, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { CredentialChanges } from '../../../src/engine/access/credential-changes.js';
import { privateJwkOf, publicJwkOf, SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { Database } from '../../../src/engine/database/database.js';
import { MasterKey } from '../../../src/engine/secrets/master-key.js';
import { SECRET } from '../../support/clients/app.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';

function keysOn(database: Database): SigningKeys {
  return new SigningKeys(database, new MasterKey(SECRET), new CredentialChanges(database));
}

describeOnEachEngine('signing keys', (engine) => {
  /** Does some work with two instances on one database. */
  async function withTwo(
    work: (keys: [SigningKeys, SigningKeys], database: Database) => Promise<void>,
  ): Promise<void> {
    const fresh = await freshDatabase(engine);
    const databases = [
      await Database.open({ url: fresh.url, ...(await importedFeatures()) }),
      await Database.open({ url: fresh.url, ...(await importedFeatures()) }),
    ] as const;
    try {
      await work([keysOn(databases[0]), keysOn(databases[1])], databases[0]);
    } finally {
      for (const database of databases) await database.close();
      await fresh.drop();
    }
  }

  it('are the same for all instances, even if several instances ask for the first key at the same time', () =>
    withTwo(async ([left, right]) => {
      const found = await Promise.all([left.current(), right.current(), left.current()]);
      expect(new Set(found.map(({ kid }) => kid)).size).toBe(1);
      const signature = sign('sha256', Buffer.from('text'), found[0].privateKey);
      expect(verify('sha256', Buffer.from('text'), found[1].publicKey, signature)).toBe(true);
      expect((await right.all()).length).toBe(1);
    }));

  it('are unreadable in the database', () =>
    withTwo(async ([keys], database) => {
      const key = await keys.current();
      const rows = JSON.stringify(await database.dataSource.query('SELECT * FROM signing_keys'));
      const { d } = privateJwkOf(key);
      expect(rows).toContain(key.kid);
      for (const encoding of ['base64', 'base64url', 'hex'] as const) {
        expect(rows).not.toContain(Buffer.from(String(d), 'base64url').toString(encoding));
      }
      expect(rows).not.toContain('PRIVATE');
      expect(publicJwkOf(key)).not.toHaveProperty('d');
    }));

  it('are rotated, and the previous key is found during the overlap', () =>
    withTwo(async ([left, right]) => {
      const first = await left.current();
      expect((await right.current()).kid).toBe(first.kid);
      const second = await left.rotate(60_000);
      expect(second.kid).not.toBe(first.kid);
      expect((await left.all()).map(({ kid }) => kid)).toEqual([second.kid, first.kid]);
      expect(left.find(first.kid)?.goodUntil).toBeInstanceOf(Date);
      const third = await left.rotate(0);
      expect((await left.all()).map(({ kid }) => kid)).toEqual([third.kid]);
      expect(left.find(first.kid)).toBeNull();
      expect(left.find(second.kid)).toBeNull();
      await expect.poll(async () => (await right.current()).kid).toBe(third.kid);
      expect(right.find(first.kid)).toBeNull();
    }));
});
