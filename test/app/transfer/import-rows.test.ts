import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { one, sql, type Steps } from '../../../src/engine/database/sql.js';
import { RowsImport } from '../../../src/store/transfer/import-rows.js';
import type { StagedRow } from '../../../src/store/transfer/staging.js';
import {
  describeOnEachEngine,
  migratedDatabase,
  type FreshDatabase,
} from '../../support/fixtures/database.js';

const CHANGES = sql`SELECT number FROM credential_changes`;

function ada(email: string): readonly StagedRow[] {
  return [{ line: 2, id: 'ada', data: { name: 'Ada', email } }];
}

describeOnEachEngine('a batch of an import', (engine) => {
  let fresh: FreshDatabase;
  let database: Database;
  beforeAll(async () => {
    fresh = await migratedDatabase(engine);
    database = await Database.open({ url: fresh.url, ...(await importedFeatures()) });
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  it('reports a changed e-mail address in its last step, because this step locks a row for which other acts wait', async () => {
    const rows = new RowsImport(database, 'users', 'test', true);
    const number = async () => (await database.reads.one<{ number: number }>(CHANGES))?.number as number;
    await rows.batch(ada('old@example.com'), true);
    const before = await number();
    let duringSteps: unknown;
    const steps = function* (): Steps<void> {
      duringSteps = yield* one(CHANGES);
    };
    expect(await rows.batch(ada('new@example.com'), true, steps)).toEqual(['updated']);
    expect(duringSteps).toEqual({ number: before });
    expect(await number()).toBe(before + 1);
  });
});
