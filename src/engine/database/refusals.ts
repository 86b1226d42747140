import type { EntityMetadata } from 'typeorm';
import { Conflict, NotFound, ValidationFailed } from '../errors/errors.js';
import { PROBLEMS, type ConflictCode } from '../errors/problem-kinds.js';
import { RELATIONS, type Relations } from '../../generated/relations.js';
import { faultOf } from './faults.js';
import type { Origin } from './transaction.js';

const NONE: Relations = { unique: {}, refers: {}, keeps: null };

/**
 * The texts of conflicts, by their codes. For a code without a text here, the text is the description of the kind of
 * problem.
 */
export type Details<E> = { readonly [C in ConflictCode]?: (row: E) => string };

/** Converts a violated constraint of a table to the refusal that the contract states (`x-unique`, `x-refers`). */
export class Refusals<E> {
  readonly #unique: readonly { readonly columns: string; readonly code: string }[];
  readonly #refers: Relations['refers'];
  readonly #keeps: string | null;

  readonly #details: Details<E>;

  constructor({ name, tableName, columns }: EntityMetadata, details: Details<E>) {
    this.#details = details;
    const { unique, refers, keeps } = (RELATIONS as Readonly<Record<string, Relations>>)[name] ?? NONE;
    // The unique column may contain a comparable form of the value, such as `email_key` for `email`.
    const columnOf = (member: string): string => {
      const own = columns.find(({ propertyName }) => propertyName === member)?.databaseName ?? member;
      const key = `${own}_key`;
      return `${tableName}.${columns.some(({ databaseName }) => databaseName === key) ? key : own}`;
    };
    this.#unique = Object.entries(unique).map(([code, members]) => ({
      code,
      columns: members.map(columnOf).join(', '),
    }));
    this.#refers = refers;
    this.#keeps = keeps;
    // SQLite does not say which foreign key was violated.
    if (Object.keys(refers).length > 1) throw new TypeError(`${name} has more than one x-refers`);
  }

  /** Whether a change may violate a unique constraint. */
  get isUnique(): boolean {
    return this.#unique.length > 0;
  }

  /** Returns the refusal for a row that cannot be written. Returns an unexpected error as it is. */
  ofWriting(error: unknown, row: E, { pointerTo }: Origin): unknown {
    const { kind, constraint } = faultOf(error);
    if (kind === 'unique') {
      const violated = this.#unique.find(({ columns }) => columns === constraint);
      return violated ? this.#conflict(violated.code, row, error) : error;
    }
    const [reference] = Object.entries(this.#refers);
    if (kind !== 'foreign_key' || reference === undefined) return error;
    const [member, { entity, code }] = reference;
    const what = wordsOf(entity);
    const id = String(row[member as keyof E]);
    if (code === 'NOT_FOUND') return new NotFound(`There is no ${what} with the id ${id}.`, { cause: error });
    if (code !== 'UNKNOWN') return this.#conflict(code, row, error);
    const detail = `must name ${/^[aeio]/.test(what) ? 'an' : 'a'} ${what}: there is none with the id ${id}`;
    return new ValidationFailed([{ pointer: pointerTo(member), code, detail }]);
  }

  /** Returns the refusal for a row that cannot be removed. Returns an unexpected error as it is. */
  ofRemoval(error: unknown, row: E): unknown {
    const code = faultOf(error).kind === 'foreign_key' ? this.#keeps : null;
    return code === null ? error : this.#conflict(code, row, error);
  }

  #conflict(code: string, row: E, cause: unknown): Conflict {
    const known = code as ConflictCode;
    return new Conflict(known, this.#details[known]?.(row) ?? PROBLEMS[known].description, { cause });
  }
}

/** `OrderItem` → `order item`. */
function wordsOf(entity: string): string {
  return entity.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
