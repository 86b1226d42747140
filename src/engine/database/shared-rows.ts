import type { Statement } from 'better-sqlite3';
import type { Row } from './counted-table.js';
import type { Mapping } from './mapping.js';
import type { SqliteConnection } from './sqlite-connection.js';

// A power of two. A row has one place, by its id, which it shares with few others: nothing has to be searched or cleared
// to make room.
const PLACES = 16_384;

/**
 * Entities that were read before, kept as long as the row in the database has the same version: reading a version
 * costs a fraction of reading a row and making an entity of it, and whoever encodes an entity can keep the result with
 * it. The version is asked for every time, so nothing outdated is ever shown. A row is kept when it is read for the
 * second time; most are read once.
 */
export class SharedRows<E extends Row> {
  readonly #kept: (E | undefined)[] = Array.from({ length: PLACES });
  readonly #lastRead = new Float64Array(PLACES);
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
    const kept = this.#kept[id % PLACES];
    if (kept?.id === id && this.#version.get(id) === kept.version) return kept;
    const values = this.#row.get(id);
    return values === undefined ? null : this.take(values);
  }

  /** For a row of which this very moment the version was read; undefined when it has to be read as a whole. */
  get(id: number, version: number): E | undefined {
    const kept = this.#kept[id % PLACES];
    return kept?.id === id && kept.version === version ? kept : undefined;
  }

  /** The entity of a row that was read as a whole, in the order of the mapping's columns. */
  take(values: readonly unknown[]): E {
    const entity = this.#mapping.fromValues(values);
    const place = entity.id % PLACES;
    const kept = this.#kept[place];
    if (kept?.id === entity.id && kept.version === entity.version) return kept;
    if (this.#lastRead[place] === entity.id) this.#kept[place] = Object.freeze(entity);
    this.#lastRead[place] = entity.id;
    return entity;
  }

  clear(): void {
    this.#kept.fill(undefined);
  }
}
