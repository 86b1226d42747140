import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sqliteFileOf } from '../../engine/database/data-source.js';

/** Whether two names lead to the same file, also through links. If neither file exists, their paths are compared. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => statSync(name, { throwIfNoEntry: false, bigint: true }));
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
