import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe } from 'vitest';
import type { Engine } from '../../src/database/sql.js';

const postgresUrl = process.env['TEST_POSTGRES_URL'];

const HOW_TO =
  'set TEST_POSTGRES_URL, for example postgres://postgres@127.0.0.1:5432/postgres, to a server where this user may create databases';

if (postgresUrl === undefined) {
  if (process.env['TEST_REQUIRE_SERVERS'] === '1') throw new Error(`No PostgreSQL to test on: ${HOW_TO}`);
  process.stderr.write(`The tests on PostgreSQL are skipped: ${HOW_TO}.\n`);
}

/** The engines that can be tested here. */
export const engines: readonly Engine[] = postgresUrl === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

/** Runs the same tests on each engine; without a PostgreSQL server its half shows as skipped. */
export function describeOnEachEngine(name: string, tests: (engine: Engine) => void): void {
  for (const engine of ['sqlite', 'postgres'] as const) {
    describe.skipIf(!engines.includes(engine))(`${name} on ${engine}`, () => {
      tests(engine);
    });
  }
}

export function describeOnPostgres(name: string, tests: () => void): void {
  describe.skipIf(postgresUrl === undefined)(`${name} on postgres`, () => {
    tests();
  });
}

export interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

/** An empty database of its own for one test. */
export async function freshDatabase(engine: Engine): Promise<FreshDatabase> {
  return engine === 'sqlite' ? freshFile() : freshOnServer();
}

async function freshFile(): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'store-test-'));
  return {
    url: `sqlite:${join(folder, 'store.sqlite')}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

async function freshOnServer(): Promise<FreshDatabase> {
  const name = `store_test_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(postgresUrl ?? '');
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
