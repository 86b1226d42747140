import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { counter, flag, id, instant, money, reference, tableColumns, text, version } from '../columns.js';
import { createCounts, dropCounts } from '../counts.js';

export class Products1763700000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.createTable(
      new Table({
        name: 'products',
        columns: tableColumns(queryRunner, {
          id: id(),
          name: text(),
          name_search: text(),
          description: text({ nullable: true }),
          price_minor: money(),
          is_sellable: flag(),
          in_stock: flag(),
          version: version(),
          created_at: instant(),
          updated_at: instant(),
        }),
        indices: [
          { name: 'products_by_name', columnNames: ['name', 'id'] },
          { name: 'products_by_price', columnNames: ['price_minor', 'id'] },
        ],
      }),
    );
    await createCounts(queryRunner, 'products');
    await queryRunner.createTable(
      new Table({
        name: 'product_stocks',
        columns: tableColumns(queryRunner, {
          product_id: reference({ unique: true }),
          quantity: counter({ nullable: true }),
          version: version(),
        }),
        foreignKeys: [
          {
            columnNames: ['product_id'],
            referencedTableName: 'products',
            referencedColumnNames: ['id'],
            onDelete: 'CASCADE',
          },
        ],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('product_stocks');
    await dropCounts(queryRunner, 'products');
    await queryRunner.dropTable('products');
  }
}
