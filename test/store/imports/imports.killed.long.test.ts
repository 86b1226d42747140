import { expect, it } from 'vitest';
import { SECRET } from '../../support/clients/app.js';
import { ImportJob, KEY } from '../../support/clients/import-jobs.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';
import { serve } from '../../../testkit/process.js';

const ROWS = 20_000;
const PATIENCE = { timeout: 240_000, interval: 50 };

describeOnEachEngine(
  'the service, killed twice during an import,',
  (engine) => {
    it('continues the import: no row is left out or written twice, and the counts are right', async () => {
      const database = await freshDatabase(engine);
      const settings = { STORE_DATABASE_URL: database.url, STORE_ADMIN_KEY: KEY, STORE_SECRET: SECRET };
      try {
        let service = await serve(settings);
        const job = await ImportJob.begin(service, ROWS, 100_000);
        let before = 0;
        for (let kill = 1; kill <= 2; kill += 1) {
          const from = before;
          await expect
            .poll(async () => (await job.progress(service)).rows_done, PATIENCE)
            .toBeGreaterThan(from);
          await service.stop('SIGKILL');
          service = await serve(settings);
          before = (await job.progress(service)).rows_done;
          expect(before).toBeGreaterThan(from);
        }
        await job.end(service, PATIENCE);
        expect(await job.progress(service)).toMatchObject({
          state: 'done',
          read: ROWS,
          rows_done: ROWS * 0.9,
          created: ROWS * 0.9,
          updated: 0,
          unchanged: 0,
          refused: ROWS * 0.1,
        });
        const list = await fetch(`${service.url}/api/v1/products?limit=1&page=1`, {
          headers: { 'x-api-key': KEY },
        });
        expect(list.headers.get('x-total-count')).toBe(String(ROWS * 0.9));
        const names = await fetch(`${service.url}/api/v2/products/export?format=csv`, {
          headers: { 'x-api-key': KEY },
        });
        const rows = (await names.text()).trim().split('\n').slice(1);
        expect(new Set(rows.map((row) => /Product \d+/.exec(row)?.[0])).size).toBe(ROWS * 0.9);
        const refused = await fetch(`${service.url}/api/v2/imports/${job.id}/refused-rows`, {
          headers: { 'x-api-key': KEY },
        });
        expect((await refused.text()).trim().split('\n')).toHaveLength(ROWS * 0.1 + 1);
        await service.stop('SIGINT');
      } finally {
        await database.drop();
      }
    }, 600_000);
  },
  { concurrent: true },
);
