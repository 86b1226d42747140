import { realpathSync, statSync } from 'node:fs';
import { DatabaseUnavailable } from './faults.js';

/**
 * The files that an SQLite connection has open, by their names. Moving or removing one of them does not stop the
 * connection. The connection then writes into a file that can no longer be found.
 */
export class SameFiles {
  readonly #known: Map<string, string>;

  /** @param file a database in WAL mode, which has its log in a second file */
  constructor(file: string) {
    // SQLite creates the log beside the file itself, not beside a link to it.
    this.#known = new Map([file, `${realpathSync(file)}-wal`].map((name) => [name, fileIdOf(name)]));
  }

  /** @throws DatabaseUnavailable when a name no longer leads to the file that is open */
  require(): void {
    for (const [name, known] of this.#known) {
      const found = fileIdOf(name);
      if (found === known) continue;
      // An empty id means that the log did not exist yet. The first connection that reads or writes creates it.
      if (known === '') this.#known.set(name, found);
      else
        throw new DatabaseUnavailable(
          `The database file ${name} ${found === '' ? 'no longer exists' : REPLACED}`,
        );
    }
  }
}

const REPLACED = 'is not the file that the service opened: put the opened file back, or restart the service';

/**
 * Identifies a file without opening it, because closing a file anywhere in a process releases SQLite's locks on the
 * file.
 */
function fileIdOf(name: string): string {
  const stats = statSync(name, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}
