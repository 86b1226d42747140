import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { counter, flag, id, instant, money, reference, tableColumns, text, version } from '../columns.js';
import { createCounts, dropCounts } from '../counts.js';
import { createTable, refersTo } from '../create-table.js';

export class Orders1763700000004 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'orders',
        columns: tableColumns(queryRunner, {
          id: id(),
          user_id: reference({ nullable: true }),
          status: text(),
          total_minor: money(),
          version: version(),
          created_at: instant(),
          updated_at: instant(),
        }),
        indices: [
          { name: 'orders_by_user', columnNames: ['user_id', 'id'] },
          { name: 'orders_by_status', columnNames: ['status', 'id'] },
          { name: 'orders_by_creation', columnNames: ['created_at', 'id'] },
        ],
        foreignKeys: [
          { columnNames: ['user_id'], referencedTableName: 'users', referencedColumnNames: ['id'] },
        ],
      }),
    );
    await createCounts(queryRunner, 'orders');
    await createTable(queryRunner, 'order_items', {
      order_id: refersTo('orders', 'CASCADE', { primary: true }),
      position: counter({ primary: true }),
      // There is no foreign key, because the id of a deleted product stays here. Ids are never used again.
      product_id: reference(),
      name: text(),
      unit_price_minor: money(),
      quantity: counter(),
      total_minor: money(),
      from_stock: flag({ default: false }),
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('order_items');
    await dropCounts(queryRunner, 'orders');
    await queryRunner.dropTable('orders');
  }
}
