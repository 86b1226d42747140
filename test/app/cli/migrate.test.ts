import { expect, it } from 'vitest';
import { runCommand } from '../../support/clients/cli.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';

describeOnEachEngine('store migrate', (engine) => {
  it('reports the migrations that it ran, and reports at a second run that there are none', async () => {
    const database = await freshDatabase(engine);
    try {
      const settings = { STORE_DATABASE_URL: database.url };
      const first = await runCommand(['migrate'], { settings });
      expect(first).toMatchObject({ code: 0 });
      expect(first.stdout).toMatch(/^Products1763700000000\n[^]*Orders1763700000004\n/);
      const second = await runCommand(['migrate'], { settings });
      expect(second).toMatchObject({ code: 0, stdout: '', stderr: 'The database is up to date.\n' });
    } finally {
      await database.drop();
    }
  });
});
