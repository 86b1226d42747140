import { readdir } from 'node:fs/promises';
import { getMetadataArgsStorage, type MigrationInterface } from 'typeorm';
import type { StoreOptions } from './data-source.js';

type Migration = new () => MigrationInterface;

type StoreFeatures = Pick<StoreOptions, 'entities'> & { readonly migrations: Migration[] };

/**
 * The features for a process that opens the database without the application: all migrations, and the entities that
 * have been imported. Such a process starts faster, because loading the modules of the application takes a second.
 */
export async function importedFeatures(): Promise<StoreFeatures> {
  return {
    entities: getMetadataArgsStorage().tables.map(({ target }) => target),
    migrations: await everyMigration(),
  };
}

async function everyMigration(): Promise<Migration[]> {
  const folder = new URL('migrations/', import.meta.url);
  // The source maps beside these files are left out.
  const files = (await readdir(folder)).filter((name) => /\.[jt]s$/.test(name));
  const modules = files.map(
    (name) => import(new URL(name, folder).href) as Promise<Record<string, Migration>>,
  );
  return (await Promise.all(modules)).flatMap((exports) => Object.values(exports));
}
