import { vi } from 'vitest';
import { Reads } from '../../src/database/reads.js';
import type { TestApp } from './app.js';

// The tailer looks into the log whenever it likes.
const OF_THE_TAILER = /FROM events WHERE position >|^SELECT , AS position/;

/** The texts of the statements that are read with while `act` runs, values left out. */
export async function statementsOf(store: TestApp, act: () => Promise<unknown>): Promise<string[]> {
  const reads = store.app.get(Reads, { strict: false });
  // On PostgreSQL `one` calls `all`, so a statement is known by the object that it is.
  const spies = [vi.spyOn(reads, 'all'), vi.spyOn(reads, 'one')];
  try {
    await act();
    return [...new Set(spies.flatMap(({ mock }) => mock.calls.map(([statement]) => statement)))]
      .map(({ source }) => String(source))
      .filter((text) => !OF_THE_TAILER.test(text));
  } finally {
    spies.forEach((spy) => spy.mockRestore());
  }
}
