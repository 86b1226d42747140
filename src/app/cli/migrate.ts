import { Command } from 'commander';
import { print, tell } from '../terminal.js';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Brings the tables of the database up to date and prints the migrations that it ran.')
    .addHelpText(
      'after',
      `
The service does the same when it starts. Every command that opens the database does it too, except "store backup". Run
this command before a new version is deployed to several instances. Only a backup can undo a migration: see
"store backup".

Examples:
  $ npm run store -- migrate
  $ STORE_DATABASE_URL=postgres://store@127.0.0.1/store npm run store -- migrate`,
    )
    .action(async () => {
      const { withStore } = await import('./store.js');
      await withStore(({ database }) => {
        const { migrated } = database.dataSource;
        for (const name of migrated) print(`${name}\n`);
        const count = migrated.length;
        tell(
          count === 0
            ? 'The database is up to date.\n'
            : `${count} ${count === 1 ? 'migration' : 'migrations'} run.\n`,
        );
      });
    });
}
