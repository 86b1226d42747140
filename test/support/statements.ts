import { vi } from 'vitest';
import { Reads } from '../../src/database/reads.js';
import type { TestApp } from './app.js';

// The tailer looks into the log whenever it likes.
const OF_THE_TAILER = /FROM events WHERE position >|^SELECT , AS position/;

/** The texts of the statements that are read with while `act` runs, values left out. */
export async function statementsOf(store: TestApp, act: () => Promise<unknown>): Promise<string[]> {
  const reads = store.app.get(Reads, { strict: false });
  // On PostgreSQL the others call `all`, so a statement is known by the object that it is.
  const rows = [vi.spyOn(reads, 'all'), vi.spyOn(reads, 'one')];
  const entities = vi.spyOn(reads, 'entities');
  try {
    await act();
    const statements = [
      ...rows.flatMap(({ mock }) => mock.calls.map(([statement]) => statement)),
      ...entities.mock.calls.map(([, statement]) => statement),
    ];
    return [...new Set(statements)]
      .map(({ source }) => String(source))
      .filter((text) => !OF_THE_TAILER.test(text));
  } finally {
    [...rows, entities].forEach((spy) => spy.mockRestore());
  }
}
