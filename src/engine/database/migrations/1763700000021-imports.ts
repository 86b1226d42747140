import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';
import { counter, flag, id, instant, text, version } from '../columns.js';
import { createTable, refersTo } from '../create-table.js';

/** The imports over the API, with the parts of their files, their results, and the rows that they refused. */
export class Imports1763700000021 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, 'imports', {
      id: id(),
      caller: text(),
      kind: text(),
      format: text(),
      rehearsal: flag(),
      events: flag(),
      order_lines: flag(),
      source: text(),
      mapping: text({ nullable: true }),
      state: text(),
      problem: text({ nullable: true }),
      bytes: counter(),
      parts: counter(),
      row_count: counter(),
      rows_done: counter(),
      read_count: counter(),
      order_items: counter(),
      created: counter(),
      updated: counter(),
      unchanged: counter(),
      skipped: counter(),
      repeated: counter(),
      refused: counter(),
      attempts: counter(),
      runner: text({ nullable: true }),
      lease_until: instant({ nullable: true }),
      version: version(),
      created_at: instant(),
      updated_at: instant(),
      started_at: instant({ nullable: true }),
      ended_at: instant({ nullable: true }),
    });
    await queryRunner.createIndices('imports', [
      new TableIndex({ name: 'imports_of_callers', columnNames: ['caller', 'id'] }),
      new TableIndex({ name: 'imports_by_state', columnNames: ['state', 'id'] }),
    ]);
    const owner = refersTo('imports', 'CASCADE', { primary: true });
    await createTable(queryRunner, 'import_parts', {
      import_id: owner,
      number: counter({ primary: true }),
      bytes: counter(),
      text: text(),
    });
    await createTable(queryRunner, 'import_batches', {
      import_id: owner,
      number: counter({ primary: true }),
      result: text(),
    });
    await createTable(queryRunner, 'import_refusals', {
      id: id(),
      import_id: refersTo('imports', 'CASCADE'),
      line: counter(),
      column_name: text(),
      refused_value: text(),
      detail: text(),
      code: text(),
    });
    await createTable(queryRunner, 'import_refused_rows', {
      import_id: owner,
      number: counter({ primary: true }),
      text: text(),
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const tables = ['import_refused_rows', 'import_refusals', 'import_batches', 'import_parts', 'imports'];
    // oxlint-disable-next-line no-await-in-loop -- all other tables refer to `imports`, so it is dropped last
    for (const name of tables) await queryRunner.dropTable(name);
  }
}
