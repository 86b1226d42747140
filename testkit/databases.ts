import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** A new database, for one purpose only. */
export interface FreshDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** @param template the file that is copied; no process may have it open. Without a template, no file is made yet */
export async function createSqliteFile(
  template?: string,
): Promise<FreshDatabase & { readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  const file = join(folder, 'store.sqlite');
  if (template !== undefined) await copyFile(template, file);
  return { file, url: `sqlite:${file}`, drop: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * @param server a server on which databases may be created; it need not run between two calls
 * @param template the database that is copied; nobody may be connected to it. By default the new database is empty
 */
export async function createOnServer(
  server: string,
  template = 'template1',
): Promise<FreshDatabase & { readonly name: string }> {
  const name = `store_own_${randomBytes(6).toString('hex')}`;
  await ask(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    name,
    url: url.href,
    drop: async () => void (await ask(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/** One statement on a connection of its own. */
export async function ask<T extends object>(connectionString: string, statement: string): Promise<T[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}
