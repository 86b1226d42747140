import { expect, it } from 'vitest';
import { dataSourceOptions, openDataSource } from '../../../src/engine/database/data-source.js';
import { importedFeatures } from '../../../src/engine/database/features.js';
import { migrate, revertLastMigration } from '../../../src/engine/database/migrations.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';

describeOnEachEngine('the migration of the sums of orders', (engine) => {
  it('sums up the existing orders', async () => {
    const { migrations } = await importedFeatures();
    const database = await freshDatabase(engine);
    const dataSource = await openDataSource(dataSourceOptions({ url: database.url, migrations }));
    try {
      const names = async () =>
        (await dataSource.query<{ name: string }[]>('SELECT name FROM migrations')).map(({ name }) => name);
      while ((await names()).includes('OrderSums1763700000020')) await revertLastMigration(dataSource);
      const now = Date.now();
      const ages = [0, 1, 90, 24 * 60, 39 * 24 * 60, 400 * 24 * 60];
      const rows = ages.flatMap((minutes, index) => {
        const ms = now - minutes * 60_000;
        const at = engine === 'sqlite' ? String(ms) : `'${new Date(ms).toISOString()}'`;
        return ['paid', 'cancelled'].map((status) => `('${status}', ${index + 1}00, 1, ${at}, ${at})`);
      });
      await dataSource.query(
        `INSERT INTO orders (status, total_minor, version, created_at, updated_at) VALUES ${rows.join()}`,
      );
      await migrate(dataSource);
      const sums = async () =>
        (
          await dataSource.query<{ line: string }[]>(`
            SELECT span || ' ' || at || ' ' || status || ' ' || n || ' ' || total_minor AS line FROM order_sums`)
        )
          .map(({ line }) => line)
          .toSorted();
      const day = (minutes: number) => Math.floor((now - minutes * 60_000) / 86_400_000);
      const minute = (minutes: number) => Math.floor(now / 60_000) - minutes;
      const statuses = ['cancelled', 'paid'];
      const recent = await sums();
      expect(recent.filter((line) => line.startsWith('all'))).toEqual(
        statuses.map((status) => `all 0 ${status} 6 2100`),
      );
      expect(recent.filter((line) => line.startsWith('minute'))).toEqual(
        [
          `minute ${minute(90)}  2 600`,
          `minute ${minute(1)}  2 400`,
          `minute ${minute(0)}  2 200`,
        ].toSorted(),
      );
      // Orders of the last hours may have been placed on two days.
      const days = Map.groupBy(ages.slice(0, 5).entries(), ([, minutes]) => day(minutes));
      expect(recent.filter((line) => line.startsWith('day'))).toEqual(
        [...days]
          .flatMap(([place, found]) => {
            const total = found.reduce((sum, [index]) => sum + (index + 1) * 100, 0);
            return statuses.map((status) => `day ${place} ${status} ${found.length} ${total}`);
          })
          .toSorted(),
      );
    } finally {
      await dataSource.destroy();
      await database.drop();
    }
  });
});
