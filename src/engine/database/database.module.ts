import {
  type DynamicModule,
  type FactoryProvider,
  Logger,
  Module,
  type ModuleMetadata,
} from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type MigrationInterface } from 'typeorm';
import { CountedTables } from './counted-table.js';
import { dataSourceOptions, openDataSource, StoreDataSource, type StoreOptions } from './data-source.js';
import { Database } from './database.js';
import { faultOf, reasonOf } from './faults.js';
import { Reads } from './reads.js';
import { LongReads } from './long-reads.js';
import { shownUrl } from '../config/shown-url.js';
import { UnitOfWork } from './unit-of-work.js';

type Settings = Pick<StoreOptions, 'url' | 'directUrl' | 'readUrl'>;

interface AsyncSettings<D extends unknown[]> {
  imports?: NonNullable<ModuleMetadata['imports']>;
  inject: NonNullable<FactoryProvider['inject']>;
  useFactory: (...dependencies: D) => Settings | Promise<Settings>;
}

interface Feature {
  entities?: (new () => object)[];
  migrations?: (new () => MigrationInterface)[];
}

// Each module adds its migrations to this set when it is imported, before any data source is made. So a new feature
// needs no entry in a central list.
const migrations = new Set<new () => MigrationInterface>();

/**
 * The database of the whole application. Features inject `Database`, or one of its parts: `UnitOfWork`, `Reads`,
 * `LongReads` or `CountedTables`.
 */
@Module({})
export class DatabaseModule {
  static forRoot(settings: Settings): DynamicModule {
    return DatabaseModule.forRootAsync({ inject: [], useFactory: () => settings });
  }

  static forRootAsync<D extends unknown[]>({
    imports = [],
    inject,
    useFactory,
  }: AsyncSettings<D>): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      imports,
      inject,
      useFactory: async (...dependencies: unknown[]) => {
        const settings = await useFactory(...(dependencies as D));
        const options = dataSourceOptions({ ...settings, migrations: [...migrations] });
        return {
          ...options,
          autoLoadEntities: true,
          retryAttempts: MOST_TRIES,
          retryDelay: 1_000,
          toRetry: retrying(settings.url),
        };
      },
      dataSourceFactory: (options) => {
        if (options === undefined) throw new TypeError('DatabaseModule was given no options');
        return openDataSource(options);
      },
    });
    return {
      module: DatabaseModule,
      global: true,
      imports: [typeOrm],
      providers: [
        { provide: Database, useFactory: databaseOn, inject: [DataSource] },
        { provide: UnitOfWork, useFactory: (database: Database) => database.unitOfWork, inject: [Database] },
        { provide: Reads, useFactory: (database: Database) => database.reads, inject: [Database] },
        { provide: LongReads, useFactory: (database: Database) => database.scans, inject: [Database] },
        {
          provide: CountedTables,
          useFactory: (database: Database) => database.countedTables,
          inject: [Database],
        },
      ],
      exports: [typeOrm, Database, UnitOfWork, Reads, LongReads, CountedTables],
    };
  }

  static forFeature({ entities: own = [], migrations: added = [] }: Feature): DynamicModule {
    for (const migration of added) migrations.add(migration);
    const typeOrm = TypeOrmModule.forFeature(own);
    return { module: DatabaseModule, imports: [typeOrm], exports: [typeOrm] };
  }
}

function databaseOn(dataSource: DataSource): Database {
  if (!(dataSource instanceof StoreDataSource))
    throw new TypeError('The data source was not made by DatabaseModule');
  const database = new Database(dataSource);
  database.beginLog();
  return database;
}

const logger = new Logger('Database');
/** The number of tries to reach the server at the start. */
const MOST_TRIES = 10;

/**
 * Retries only while the server cannot be reached, because the server may still be starting. Wrong settings are not
 * retried. This function also logs each failed try, because Nest's own log line does not name the server.
 */
function retrying(url: string): (error: unknown) => boolean {
  let tries = 0;
  return (error) => {
    if (faultOf(error).kind !== 'unavailable') return false;
    tries += 1;
    logger.warn(
      `The database ${shownUrl(url)} cannot be reached (${reasonOf(error)}). This was try ${tries} of ${MOST_TRIES}.`,
    );
    return true;
  };
}
