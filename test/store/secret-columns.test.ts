import { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { snapshotsOf } from '../../src/engine/database/snapshots.js';
import { RowType } from '../../src/engine/documents/row-types.js';
import { startApp } from '../support/clients/app.js';
import { describeOnEachEngine } from '../support/fixtures/database.js';

type Class = new () => object;
const SECRET = /hash|secret|password|private/i;
/** All columns whose names look secret. Each of them must be `secret()` or `select: false`. */
const HIDDEN = [
  'api_keys.previousHash',
  'api_keys.secretHash',
  'oauth_clients.previousHash',
  'oauth_clients.secretHash',
  'signing_keys.privateKey',
  'users.passwordHash',
];

describeOnEachEngine('secret columns', (engine) => {
  it('are in no event, and the SQL of trusted documents cannot read them', async () => {
    const store = await startApp(engine);
    try {
      const dataSource = store.app.get(DataSource);
      const secrets: string[] = [];
      const shown: string[] = [];
      for (const { target, tableName, columns } of dataSource.entityMetadatas) {
        const names = columns.map(({ propertyName }) => propertyName);
        const entity = Object.assign(
          new (target as Class)(),
          Object.fromEntries(names.map((name) => [name, 1])),
        );
        const written = snapshotsOf(dataSource, target as Class).write(entity);
        const row = RowType.of(target as Class);
        const event = Object.keys(JSON.parse(written) as object);
        for (const name of names.filter((each) => SECRET.test(each))) {
          secrets.push(`${tableName}.${name}`);
          if (event.includes(name) || row.column(name) !== undefined) shown.push(`${tableName}.${name}`);
        }
      }
      expect(secrets.toSorted()).toEqual(HIDDEN);
      expect(shown).toEqual([]);
    } finally {
      await store.close();
    }
  });
});
