import { realpathSync, statSync } from 'node:fs';
import { DatabaseUnavailable } from './faults.js';

/**
 * The files that a connection to SQLite has open, by their names. Whoever moves or removes one of them does not stop the
 * connection: it goes on writing into what nobody will find again.
 */
export class SameFiles {
  readonly #known: Map<string, string>;

  /** @param file of a database that has been written in WAL mode, so that its log is there too */
  constructor(file: string) {
    // SQLite puts it beside the file itself, not beside a link to it.
    this.#known = new Map([file, `${realpathSync(file)}-wal`].map((name) => [name, identityOf(name)]));
  }

  /** @throws DatabaseUnavailable unless each name still leads to the file that is open */
  require(): void {
    for (const [name, known] of this.#known) {
      const found = identityOf(name);
      if (found === known) continue;
      // The log is made by the first who reads or writes.
      if (known === '') this.#known.set(name, found);
      else throw new DatabaseUnavailable(`The database file ${name} ${found === '' ? 'is gone' : REPLACED}`);
    }
  }
}

const REPLACED = 'is another one than that which is open: put it back, or start the service again';

/** Never by opening it: closing a file anywhere in a process ends the locks that SQLite has on it. */
function identityOf(name: string): string {
  const stats = statSync(name, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}
