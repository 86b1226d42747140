import type { EntityMetadata } from 'typeorm';
import { ValidationFailed } from '../errors/errors.js';
import { RELATIONS, type Relations } from '../../generated/relations.js';
import { all, oneAtATime, one, sql, template, type Steps } from './sql.js';
import type { Transaction } from './transaction.js';

type Columns = Readonly<Record<string, unknown>>;

/**
 * The rule for rows that refer to the row above them (`levels` of `x-refers`): no row is above itself, and the tree has
 * at most the stated number of levels. Only one act at a time changes a tree, because two acts that each obey the rule
 * could break it together.
 */
export class Tree {
  readonly #name: string;
  readonly #path: TemplateStringsArray;
  readonly #height: TemplateStringsArray;

  /** Null for an entity whose rows form no tree. */
  static of({ name, tableName, columns }: EntityMetadata): Tree | null {
    const { refers = {} } = (RELATIONS as Readonly<Record<string, Relations | undefined>>)[name] ?? {};
    for (const [member, { levels }] of Object.entries(refers)) {
      const column = columns.find(({ propertyName }) => propertyName === member)?.databaseName;
      if (levels !== undefined && column !== undefined) return new Tree(tableName, column, member, levels);
    }
    return null;
  }

  private constructor(
    table: string,
    column: string,
    private readonly member: string,
    private readonly levels: number,
  ) {
    this.#name = `tree of ${table}`;
    this.#path = template([
      `WITH RECURSIVE path (id, above, level) AS (SELECT id, ${column}, 1 FROM ${table} WHERE id = `,
      ` UNION ALL SELECT t.id, t.${column}, level + 1 FROM ${table} t JOIN path ON t.id = path.above
        WHERE level <= ${levels}) SELECT id FROM path`,
    ]);
    this.#height = template([
      `WITH RECURSIVE below (id, level) AS (SELECT id, 1 FROM ${table} WHERE id = `,
      ` UNION ALL SELECT t.id, level + 1 FROM ${table} t JOIN below ON t.${column} = below.id
        WHERE level <= ${levels}) SELECT max(level) AS levels FROM below`,
    ]);
  }

  /**
   * From now on, other acts that change the tree wait until this act is over. Call this before the act locks a row of
   * the tree.
   */
  begin(): Steps<void> {
    return oneAtATime(this.#name);
  }

  /**
   * Checks the place of a new row, or of a row that moves with all rows below it.
   *
   * @param id the id of the row that moves; null for a new row
   * @throws ValidationFailed with the code `CIRCLE` or `TOO_DEEP`
   */
  *check({ origin }: Transaction, id: number | null, values: Columns): Steps<void> {
    const above = values[this.member];
    if (typeof above !== 'number') return;
    const refusal = (code: string, detail: string) =>
      new ValidationFailed([{ pointer: origin.pointerTo(this.member), code, detail }]);
    const path = yield* all<{ id: number }>(sql(this.#path, above));
    if (path.some((row) => row.id === id))
      throw refusal('CIRCLE', 'must not name the row itself, or a row below it');
    const height = id === null ? 1 : Number((yield* one(sql(this.#height, id)))?.['levels']);
    if (path.length + height > this.levels)
      throw refusal(
        'TOO_DEEP',
        `must name a higher row: the tree would have more than ${this.levels} levels`,
      );
  }
}
