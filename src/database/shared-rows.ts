import type { Statement } from 'better-sqlite3';
import type { Row } from './counted-table.js';
import type { Mapping } from './mapping.js';
import type { SqliteConnection } from './sqlite-connection.js';

const MOST_ROWS = 10_000;

/**
 * Entities that were read before, kept as long as the row in the database has the same version: reading a version
 * costs a fraction of reading a row and making an entity of it, and whoever encodes an entity can keep the result with
 * it. The version is asked for every time, so nothing outdated is ever shown.
 */
export class SharedRows<E extends Row> {
  readonly #kept = new Map<number, E>();
  readonly #mapping: Mapping<E>;
  readonly #version: Statement<[number], number>;
  readonly #row: Statement<[number], unknown[]>;

  constructor({ handle }: SqliteConnection, mapping: Mapping<E>) {
    this.#mapping = mapping;
    this.#version = handle
      .prepare<[number], number>(`SELECT version FROM ${mapping.table} WHERE id = ?`)
      .pluck();
    this.#row = handle
      .prepare<[number], unknown[]>(`SELECT ${mapping.columns.sqlite} FROM ${mapping.table} WHERE id = ?`)
      .raw();
  }

  find(id: number): E | null {
    const kept = this.#kept.get(id);
    return kept !== undefined && this.#version.get(id) === kept.version ? kept : this.#read(id);
  }

  /** For a row of which this very moment the version was read. */
  get(id: number, version: number): E | null {
    const kept = this.#kept.get(id);
    return kept !== undefined && kept.version === version ? kept : this.#read(id);
  }

  clear(): void {
    this.#kept.clear();
  }

  #read(id: number): E | null {
    this.#kept.delete(id);
    const values = this.#row.get(id);
    if (values === undefined) return null;
    const entity = Object.freeze(this.#mapping.fromValues(values));
    if (this.#kept.size >= MOST_ROWS) this.#kept.delete(this.#kept.keys().next().value as number);
    this.#kept.set(id, entity);
    return entity;
  }
}
