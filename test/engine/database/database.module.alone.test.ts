import 'reflect-metadata';
import { Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { CountedTables } from '../../../src/engine/database/counted-table.js';
import { Database } from '../../../src/engine/database/database.js';
import { DatabaseModule } from '../../../src/engine/database/database.module.js';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { Reads } from '../../../src/engine/database/reads.js';
import { sql } from '../../../src/engine/database/sql.js';
import { UnitOfWork } from '../../../src/engine/database/unit-of-work.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { CreateItems1700000000000, freshDatabaseFor, insert, Item, openItems } from './items.js';

@Injectable()
class ItemsRepository {
  constructor(
    readonly unitOfWork: UnitOfWork,
    readonly reads: Reads,
    readonly counted: CountedTables,
  ) {}
}

@Module({
  imports: [DatabaseModule.forFeature({ entities: [Item], migrations: [CreateItems1700000000000] })],
  providers: [ItemsRepository],
})
class ItemsModule {}

const SETTINGS = Symbol('settings');

@Injectable()
class LateWriter {
  static written: Promise<unknown> | undefined;

  constructor(@Inject(UnitOfWork) private readonly unitOfWork: UnitOfWork) {}

  onApplicationShutdown(): void {
    LateWriter.written = Promise.all(['x', 'y'].map((name) => this.unitOfWork.run(insert(name))));
  }
}

function applicationOn(url: string) {
  @Module({ providers: [{ provide: SETTINGS, useValue: { url } }], exports: [SETTINGS] })
  class SettingsModule {}

  @Module({
    imports: [
      DatabaseModule.forRootAsync({
        imports: [SettingsModule],
        inject: [SETTINGS],
        useFactory: (settings: { url: string }) => settings,
      }),
      ItemsModule,
    ],
    providers: [LateWriter],
  })
  class ApplicationModule {}

  return NestFactory.createApplicationContext(ApplicationModule, { logger: ['error'], abortOnError: false });
}

describeOnEachEngine('the database module', (engine) => {
  it('provides a migrated database for the settings that are injected', async () => {
    const fresh = await freshDatabaseFor(engine);
    const application = await applicationOn(fresh.url);
    const { unitOfWork, reads, counted } = application.get(ItemsRepository);
    const itemId = await unitOfWork.run(insert('a'));
    expect(await reads.one(sql`SELECT id FROM items`)).toEqual({ id: itemId });
    expect(await counted.of(Item).page(0, 1)).toEqual({
      items: [expect.objectContaining({ id: itemId, name: 'a' })],
      total: 1,
    });
    await expect(application.get(Database).ping()).resolves.toBeUndefined();
    await application.close();
  });

  it('finishes the writes that other parts begin during the shutdown, before it closes the connections', async () => {
    const fresh = await freshDatabaseFor(engine);
    const application = await applicationOn(fresh.url);
    const { unitOfWork } = application.get(ItemsRepository);
    await application.close();
    await expect(LateWriter.written).resolves.toHaveLength(2);
    await expect(unitOfWork.run(insert('z'))).rejects.toBeInstanceOf(DatabaseUnavailable);
    const again = await openItems(fresh.url);
    expect(await again.reads.all(sql`SELECT name FROM items ORDER BY name`)).toEqual([
      { name: 'x' },
      { name: 'y' },
    ]);
  });
});
