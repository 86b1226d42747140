import { expect } from 'vitest';
import { Database } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';
import { EventLog } from '../../src/events/event-log.js';
import { engineOf } from '../../src/database/engine.js';
import type { TestApp } from './app.js';

/** Waits until all that was committed is in the log, and gives the position of the newest event. */
export async function settled({ app }: TestApp): Promise<number> {
  const { dataSource, reads } = app.get(Database, { strict: false });
  if (engineOf(dataSource) === 'postgres') {
    const waiting = () => reads.all(sql`SELECT id FROM event_outbox`);
    await expect.poll(waiting, { timeout: 20_000 }).toEqual([]);
  }
  return app.get(EventLog, { strict: false }).latest();
}
