import type { Statement } from 'better-sqlite3';
import type { Row } from './counted-table.js';
import type { Mapping } from './mapping.js';
import type { SharedLock } from './shared-lock.js';
import type { SqliteConnection } from './sqlite-connection.js';

// The number of slots for cached rows, a power of two. The id of a row decides its only slot, so finding a row needs no
// search. Many ids have the same slot, and a slot has room for one row.
const SLOTS = 16_384;
/** The slots of a cache without rows. Copying a list is much quicker than making one. */
const NO_ROWS: undefined[] = Array.from({ length: SLOTS });

/**
 * Caches entities. A cached entity is used as long as the row in the database has the same version. Reading a version
 * costs much less than reading a row and making an entity from it. An encoder can also cache its result with the
 * entity. The version is read every time, so nothing outdated is ever shown. Most rows are read only once. So a row is
 * cached at its second read, if no other row of its slot was read in between. Reads of the row that is cached in the
 * slot do not count.
 */
export class SharedRows<E extends Row> {
  /** Many tables are never read, so the slots are copied when the first row is cached. */
  #kept: (E | undefined)[] = NO_ROWS;
  readonly #lastRead = new Float64Array(SLOTS);
  readonly #mapping: Mapping<E>;
  readonly #lock: SharedLock;
  readonly #version: Statement<[number], number>;
  readonly #row: Statement<[number], unknown[]>;

  constructor({ handle }: SqliteConnection, lock: SharedLock, mapping: Mapping<E>) {
    this.#lock = lock;
    this.#mapping = mapping;
    this.#version = handle
      .prepare<[number], number>(`SELECT version FROM ${mapping.table} WHERE id = ?`)
      .pluck();
    this.#row = handle
      .prepare<[number], unknown[]>(`SELECT ${mapping.columns.sqlite} FROM ${mapping.table} WHERE id = ?`)
      .raw();
  }

  find(id: number): E | null {
    this.#lock.beforeRead();
    const kept = this.#kept[id % SLOTS];
    if (kept?.id === id && this.#version.get(id) === kept.version) return kept;
    const values = this.#row.get(id);
    return values === undefined ? null : this.take(values);
  }

  /** Returns the cached entity if it has this version; undefined when the whole row has to be read. */
  get(id: number, version: number): E | undefined {
    const kept = this.#kept[id % SLOTS];
    return kept?.id === id && kept.version === version ? kept : undefined;
  }

  /** The entity of a row that was read completely, in the order of the mapping's columns. */
  take(values: readonly unknown[]): E {
    const entity = this.#mapping.fromValues(values);
    const slot = entity.id % SLOTS;
    const kept = this.#kept[slot];
    if (kept?.id === entity.id && kept.version === entity.version) return kept;
    if (this.#lastRead[slot] === entity.id) this.#keep(slot, Object.freeze(entity));
    this.#lastRead[slot] = entity.id;
    return entity;
  }

  clear(): void {
    this.#kept = NO_ROWS;
  }

  #keep(slot: number, entity: E): void {
    if (this.#kept === NO_ROWS) this.#kept = [...NO_ROWS];
    this.#kept[slot] = entity;
  }
}
