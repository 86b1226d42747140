import { expect } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { run, sql } from '../../../src/engine/database/sql.js';
import { EventLog } from '../../../src/engine/events/event-log.js';
import { engineOf } from '../../../src/engine/database/engine.js';
import type { TestApp } from './app.js';

/** Waits until all committed events are in the log. Returns the position of the newest event. */
export async function settled({ app }: TestApp): Promise<number> {
  const { dataSource, reads } = app.get(Database, { strict: false });
  if (engineOf(dataSource) === 'postgres') {
    const waiting = () => reads.all(sql`SELECT id FROM event_outbox`);
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
  }
  return app.get(EventLog, { strict: false }).latest();
}

/** Removes all events from the log, as if they were old. */
export async function purgeAll(store: TestApp): Promise<void> {
  await settled(store);
  const { unitOfWork } = store.app.get(Database, { strict: false });
  await unitOfWork.run(() => run(sql`UPDATE events SET occurred_at = ${new Date(0)}`));
  await store.app.get(EventLog, { strict: false }).purge(new Date(), 10_000);
}
