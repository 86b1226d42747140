import { constants } from 'node:os';
import { tell } from '../terminal.js';

/**
 * On SIGINT and SIGTERM, prints a line that says what has been done and how to continue, and ends the process. The exit
 * code is the one that shells use: 128 plus the number of the signal. Committed data stays; the database rolls back an
 * open transaction.
 *
 * @returns a function that removes the handlers
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
