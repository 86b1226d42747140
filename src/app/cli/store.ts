import 'reflect-metadata';
import { existsSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { loadConfig, type Config } from '../../engine/config/config.js';
import { DEMO_DATABASE_URL } from '../../engine/config/settings.js';
import { DataSettings } from '../../store/settings/data-settings.js';
import { sqliteFileOf } from '../../engine/database/data-source.js';
import { DatabaseSettingsError } from '../../engine/database/settings-error.js';
import { Database } from '../../engine/database/database.js';
import { importedFeatures } from '../../engine/database/features.js';
import { explainUnreachable } from '../unreachable.js';
import { tell } from '../terminal.js';
import { shown } from '../../engine/values/shown.js';

export interface Store {
  readonly config: Config;
  readonly database: Database;
}

interface Opening {
  /**
   * Whether a missing SQLite file is an error. A command that needs an existing store sets this, so that a wrong name
   * makes no new file.
   */
  readonly mustExist?: boolean;
  /**
   * Whether an empty temporary database replaces a missing SQLite file. A dry run sets this, because it must not make
   * the missing file.
   */
  readonly orEmpty?: boolean;
}

/**
 * Opens the database of the settings, migrates it, checks its currency, runs `work`, and closes the database. A service
 * may use the same database at the same time, because the acts of the unit of work wait for one another.
 *
 * @throws ConfigError, DatabaseSettingsError
 */
export async function withStore<T>(
  work: (store: Store) => Promise<T> | T,
  { mustExist = false, orEmpty = false }: Opening = {},
): Promise<T> {
  const settings = loadConfig(process.env);
  if (mustExist) requireDatabase(settings);
  const config = orEmpty ? orInMemory(settings) : settings;
  // The standard output is for data, and Nest's logger would write to it.
  Logger.overrideLogger(false);
  const database = await open(config);
  try {
    await new DataSettings(config.currency, database.unitOfWork).onModuleInit();
    return await work({ config, database });
  } finally {
    await database.close();
  }
}

function orInMemory(config: Config): Config {
  const file = missingFile(config);
  if (file === null) return config;
  tell(`There is no database at ${shown(file)}: the dry run uses an empty store.\n`);
  return { ...config, database: { url: 'sqlite::memory:', directUrl: null, readUrl: null } };
}

function missingFile({ database }: Config): string | null {
  const file = sqliteFileOf(database.url);
  return file === null || existsSync(file) ? null : file;
}

function requireDatabase(config: Config): void {
  const file = missingFile(config);
  if (file === null) return;
  throw new DatabaseSettingsError(
    `There is no database at ${file}. Set STORE_DATABASE_URL to the URL of your database. The URL of the demo store is ${DEMO_DATABASE_URL}.`,
  );
}

async function open(config: Config): Promise<Database> {
  try {
    const { url, directUrl, readUrl } = config.database;
    return await Database.open({ url, directUrl, readUrl, ...(await importedFeatures()) });
  } catch (error) {
    throw explainUnreachable(config, error);
  }
}
