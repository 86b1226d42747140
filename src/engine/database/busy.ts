import { setTimeout as sleep } from 'node:timers/promises';

/** True when another process holds SQLite's write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/**
 * Retries while another process writes. Use this only at start and in commands, because it may wait for half a minute.
 */
export async function withPatience<T>(attempt: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(driverErrorOf(error)) || performance.now() > deadline) throw error;
    }
    await sleep(25);
  }
}

function driverErrorOf(error: unknown): unknown {
  return error instanceof Error && 'driverError' in error ? error.driverError : error;
}
