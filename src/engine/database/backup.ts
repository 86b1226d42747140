import { existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { shownUrl } from '../config/shown-url.js';
import { withPatience } from './busy.js';
import { sqliteFileOf } from './data-source.js';
import { DatabaseSettingsError } from './settings-error.js';

/**
 * Copies an SQLite database to which other processes may be writing. `VACUUM INTO` is used, because it reads one
 * snapshot. SQLite can also copy page by page, but this would have to begin again after each write of another process.
 * The copy has no free pages.
 *
 * @param prepare is called after all checks, and before anything is written
 * @returns the size of the copy in bytes
 * @throws DatabaseSettingsError when this database cannot be copied, when the target exists and must not be replaced,
 *   or when the copying fails
 */
export async function backUp(
  databaseUrl: string,
  file: string,
  mayReplace: boolean,
  prepare: () => void,
): Promise<number> {
  const source = sqliteFileOf(databaseUrl);
  if (databaseUrl === 'sqlite::memory:') {
    throw new DatabaseSettingsError(
      'The database of sqlite::memory: cannot be copied. It is a temporary file that only the service knows.',
    );
  }
  if (source === null) {
    const url = shownUrl(databaseUrl);
    throw new DatabaseSettingsError(
      `This command copies only SQLite databases. For PostgreSQL, run: pg_dump --format=custom --file=${shellQuoted(file)} ${shellQuoted(url)}`,
    );
  }
  const target = resolve(file);
  if (!existsSync(source)) {
    throw new DatabaseSettingsError(
      `There is no database at ${source}. Set STORE_DATABASE_URL to the URL of your database.`,
    );
  }
  if (target === source)
    throw new DatabaseSettingsError(`${file} is the database itself. Name another file.`);
  if (!mayReplace && existsSync(target)) {
    throw new DatabaseSettingsError(`${file} already exists. Name another file, or add --force.`);
  }
  prepare();
  const unfinished = `${target}.${process.pid}.part`;
  try {
    await copy(source, unfinished);
    requireSound(unfinished);
    await flush(unfinished);
    await rename(unfinished, target);
  } catch (error) {
    if (error instanceof DatabaseSettingsError) throw error;
    throw new DatabaseSettingsError(
      `The database ${source} could not be copied to ${file}: ${(error as Error).message}.`,
      { cause: error },
    );
  } finally {
    await rm(unfinished, { force: true });
  }
  return (await stat(target)).size;
}

async function copy(source: string, target: string): Promise<void> {
  // The copy contains password hashes and e-mail addresses, so only its owner may read it. Therefore an empty file with
  // these rights is created first. `VACUUM INTO` accepts an existing file if it is empty.
  await (await open(target, 'wx', 0o600)).close();
  const handle = new BetterSqlite3(source, { readonly: true, fileMustExist: true });
  try {
    await withPatience(() => handle.prepare('VACUUM INTO ?').run(target));
  } finally {
    handle.close();
  }
}

function requireSound(file: string): void {
  const handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  try {
    const verdict = handle.pragma('integrity_check', { simple: true });
    if (verdict !== 'ok') throw new Error(`the copy is damaged (${String(verdict)})`);
  } finally {
    handle.close();
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
