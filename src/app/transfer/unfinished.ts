import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The name of a file until it is complete. */
export function unfinishedName(path: string): string {
  return `${path}.${process.pid}.part`;
}

/** The greatest id of a process on Linux. */
const LAST_PROCESS = 4_194_304;

/**
 * Removes the unfinished copies of this file that killed processes have left, and the journals of such copies. In a
 * container, such a process may have had the id of this process. So it must be called before this process writes.
 */
export function removeAbandoned(path: string): void {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of namesIn(folder)) {
    const id = name.startsWith(start)
      ? /^([1-9]\d{0,6})\.part(?:-journal)?$/.exec(name.slice(start.length))?.[1]
      : undefined;
    if (id !== undefined && isAbandoned(Number(id))) rmSync(join(folder, name), { force: true });
  }
}

function isAbandoned(processId: number): boolean {
  return processId === process.pid || (processId <= LAST_PROCESS && isGone(processId));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that cannot be used is reported when the file is written.
    return [];
  }
}

/** Whether there is no process with this id. */
export function isGone(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
