import { expect } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { engineOf } from '../../../src/engine/database/engine.js';
import type { TestApp } from './app.js';

/** Waits until all committed events are in the log. Returns the position of the newest event. */
export async function waitForLog({ app }: TestApp): Promise<number> {
  const { dataSource, reads } = app.get(Database, { strict: false });
  if (engineOf(dataSource) === 'postgres') {
    const waiting = () => reads.all(sql`SELECT id FROM event_outbox`);
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
  }
  return app.get(EventLog, { strict: false }).latest();
}

/** Removes all events from the log: makes them old, and purges them. Later events continue the numbers. */
export async function purgeAll(store: TestApp): Promise<void> {
  await waitForLog(store);
  const { unitOfWork } = store.app.get(Database, { strict: false });
  await unitOfWork.run(() => run(sql`UPDATE events SET occurred_at = ${new Date(0)}`));
  const log = store.app.get(EventLog, { strict: false });
  while ((await log.purge(new Date(), 10_000)) > 0);
}
