import 'reflect-metadata';
// Its modules bring along their entities and migrations; nothing of the application is started.
import '../app.module.js';
import { Logger } from '@nestjs/common';
import { loadConfig, type Config } from '../config.js';
import { importedFeatures } from '../database/database.module.js';
import { Database } from '../database/database.js';
import { DataSettings } from '../settings.module.js';
import { explainUnreachable } from '../unreachable.js';

export interface Store {
  readonly config: Config;
  readonly database: Database;
}

/**
 * Opens the database that the settings name, up to date and in the right currency, and closes it afterwards. A
 * service may be running on it: each act of the unit of work waits for the others.
 *
 * @throws ConfigError, DatabaseSettingsError
 */
export async function withStore<T>(work: (store: Store) => Promise<T> | T): Promise<T> {
  const config = loadConfig(process.env);
  // The standard output is for data, and Nest's logger would write there.
  Logger.overrideLogger(false);
  const database = await open(config);
  try {
    await new DataSettings(config, database.unitOfWork).onModuleInit();
    return await work({ config, database });
  } finally {
    await database.close();
  }
}

async function open(config: Config): Promise<Database> {
  try {
    return await Database.open({ url: config.databaseUrl, ...importedFeatures() });
  } catch (error) {
    throw explainUnreachable(config, error);
  }
}
