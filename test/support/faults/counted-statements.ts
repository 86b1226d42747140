import BetterSqlite3 from 'better-sqlite3';
import { Connection } from 'pg';
import { vi } from 'vitest';
import type { Engine } from '../../../src/engine/database/sql.js';

interface Statements {
  /** The texts of the statements since the last call. */
  taken(): readonly string[];
  stop(): void;
}

/**
 * Notes the prepared statements that this thread gives to the driver, if their texts name one of the tables. On SQLite,
 * long reads run in another thread, so they are not noted.
 */
export function countStatements(engine: Engine, tables: readonly string[]): Statements {
  const noted: string[] = [];
  const note = (text: string): void => {
    if (tables.some((table) => new RegExp(`\\b${table}\\b`).test(text))) noted.push(text);
  };
  const spies = engine === 'sqlite' ? onSqlite(note) : onPostgres(note);
  return {
    taken: () => noted.splice(0),
    stop: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

function onSqlite(note: (text: string) => void) {
  const handle = new BetterSqlite3(':memory:');
  const statements = Object.getPrototypeOf(handle.prepare('SELECT 1')) as BetterSqlite3.Statement;
  handle.close();
  return (['get', 'all', 'run', 'iterate'] as const).map((method) => {
    const original = statements[method] as (...values: unknown[]) => never;
    return vi.spyOn(statements, method).mockImplementation(function (
      this: BetterSqlite3.Statement,
      ...values
    ) {
      note(this.source);
      return original.apply(this, values);
    });
  });
}

/** A named statement is parsed once for each connection. Every statement is bound for each execution. */
function onPostgres(note: (text: string) => void) {
  const wire = Connection.prototype as unknown as {
    parse: (query: { name: string; text: string }) => void;
    bind: (config: { statement: string }) => void;
  };
  const texts = new Map<string, string>();
  const { parse, bind } = wire;
  return [
    vi.spyOn(wire, 'parse').mockImplementation(function (this: typeof wire, query, ...rest) {
      texts.set(query.name, query.text);
      parse.call(this, query, ...rest);
    }),
    vi.spyOn(wire, 'bind').mockImplementation(function (this: typeof wire, config, ...rest) {
      note(texts.get(config.statement) ?? '');
      bind.call(this, config, ...rest);
    }),
  ];
}
