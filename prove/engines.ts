import type { Engine } from './databases.ts';
import { tell } from './options.ts';

const POSTGRES_HOW_TO =
  'set TEST_POSTGRES_URL, for example postgres://postgres@127.0.0.1:5432/postgres, to a server where databases may be created.';

/** The one that is asked for, or all that there are here. */
export function enginesFor(given: string | null): readonly Engine[] {
  const server = process.env['TEST_POSTGRES_URL'];
  if (given === 'sqlite') return ['sqlite'];
  if (server !== undefined) return given === null ? ['sqlite', 'postgres'] : ['postgres'];
  if (given === 'postgres') throw new Error(`There is no PostgreSQL: ${POSTGRES_HOW_TO}`);
  tell(`PostgreSQL is left out: ${POSTGRES_HOW_TO}`);
  return ['sqlite'];
}
