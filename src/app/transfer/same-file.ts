import { realpathSync, statSync, type BigIntStats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sqliteFileOf } from '../../engine/database/data-source.js';
import { WrongUsage } from '../../store/transfer/failure.js';

/**
 * The properties of a file; undefined if no file has this name.
 *
 * @throws WrongUsage for a name that cannot be looked up, such as a name in a folder that this user may not enter
 */
export function statsOf(name: string, advice = 'Name another file.'): BigIntStats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    throw new WrongUsage(`${name} cannot be used (${codeOf(error)}). ${advice}`);
  }
}

/** The code of an error of the operating system, such as EACCES. */
export function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}

/**
 * Whether two names lead to the same file, also through links. If neither file exists, their paths are compared.
 *
 * @throws WrongUsage as `statsOf`
 */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [statsOf(one), statsOf(other)];
  if (a && b) return a.dev === b.dev && a.ino === b.ino;
  return a === b && realPath(one) === realPath(other);
}

function realPath(name: string): string {
  const folder = dirname(resolve(name));
  try {
    return join(realpathSync(folder), basename(name));
  } catch {
    return resolve(name);
  }
}

/** The files of an SQLite database; none for a database in memory or on a server. */
export function databaseFiles(databaseUrl: string): readonly string[] {
  const file = sqliteFileOf(databaseUrl);
  return file === null ? [] : [file, `${file}-wal`, `${file}-shm`, `${file}-journal`];
}
