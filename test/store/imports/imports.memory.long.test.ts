import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SECRET } from '../../support/clients/app.js';
import { ImportJob, KEY } from '../../support/clients/import-jobs.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';
import { serve } from '../../../testkit/process.js';
import { needing } from '../../support/needs.js';

const FEW = 20_000;
/** On PostgreSQL, an import takes much longer. */
const MANY = { sqlite: 200_000, postgres: 60_000 };
const PART = 200_000;
/** An import of many rows may need this much more memory than an import of few rows. */
const MOST_GROWTH_MIB = 40;
/**
 * V8 collects garbage late if there is room. This bound makes it collect early. A process that kept all rows would run
 * out of memory.
 */
const HEAP_MIB = 96;
const PATIENCE = { timeout: 540_000, interval: 100 };
const SMALL_CACHES = new URL('../../../testkit/small-page-caches.mjs', import.meta.url).href;
const onLinux = needing('Linux', existsSync('/proc/self/status'), 'run the tests there');

/** The memory of a process in MiB, without the files that it maps. */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

describeOnEachEngine('an import', (engine) => {
  /** Imports rows into a new store, and returns the peak memory of the process. */
  async function imported(count: number): Promise<number> {
    const database = await freshDatabase(engine);
    const settings = {
      STORE_DATABASE_URL: database.url,
      STORE_ADMIN_KEY: KEY,
      STORE_SECRET: SECRET,
      STORE_RATE_LIMIT: 'off',
      // The pages of SQLite are data of the store. Their cache has a bound of its own.
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} --import ${SMALL_CACHES}`,
    };
    const service = await serve(settings, { folder: fileURLToPath(new URL('../../../', import.meta.url)) });
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, memoryOf(service.process.pid as number))), 50);
    try {
      const job = await ImportJob.begin(service, count, PART);
      await job.end(service, PATIENCE);
      expect(await job.progress(service)).toMatchObject({
        state: 'done',
        read: count,
        created: count * 0.9,
        refused: count * 0.1,
      });
    } finally {
      clearInterval(watch);
      await service.stop('SIGKILL');
      await database.drop();
    }
    return most;
  }

  it(
    `needs at most ${MOST_GROWTH_MIB} MiB more for ${MANY[engine]} rows than for ${FEW}`,
    { ...onLinux, timeout: 600_000 },
    async () => {
      const few = await imported(FEW);
      const many = await imported(MANY[engine]);
      process.stdout.write(
        `${engine}: ${few.toFixed(0)} MiB with ${FEW} rows, ${many.toFixed(0)} MiB with ${MANY[engine]}.\n`,
      );
      expect(many - few).toBeLessThan(MOST_GROWTH_MIB);
    },
  );
});
