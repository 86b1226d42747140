import { constants } from 'node:os';
import { tell } from '../terminal.js';

/**
 * Says on SIGINT and SIGTERM in a line what has been done and how to go on, and ends as a shell expects it. What is
 * committed stays; a transaction that is open is rolled back by the database.
 *
 * @returns takes the handling away again
 */
export function onInterruption(told: () => string): () => void {
  const end = (signal: NodeJS.Signals): void => {
    tell(`\n${told()}\n`);
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  };
}
