import { Command } from 'commander';
import { tell } from '../terminal.js';
import { shown } from '../../engine/values/shown.js';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Writes a consistent copy of the SQLite database to FILE, while the service runs.')
    .argument('<file>', 'the file of the copy')
    .option('--force', 'replace FILE if it exists already', false)
    .addHelpText(
      'after',
      `
The copy holds the committed data of the moment when the command began, or of a later moment. The copy is checked
(PRAGMA integrity_check), and gets its name only when it is complete. So FILE cannot be a device, a pipe or the standard
output. If FILE is a link to a file, --force replaces the link, and the file that it leads to stays as it is.

To restore a copy, stop the service, replace the database file with the copy, and remove the files beside it that end
in -wal and -shm. Save a PostgreSQL database with pg_dump.

Beside the database there is a file with a name that ends in .secret. The copy does not contain this file. Save it once
in another place. When you restore a copy, put the .secret file beside the copy. The store does not start without this
file. If STORE_SECRET is set, there is no such file.

Examples:
  $ npm run store -- backup backups/store-monday.sqlite
  $ npm run store -- backup store.bak --force`,
    )
    .action(async (file: string, { force }: { force: boolean }) => {
      const [{ loadConfig }, { backUp }, { OutputFile }, { databaseFiles }, { removeAbandoned }] =
        await Promise.all([
          import('../../engine/config/config.js'),
          import('../../engine/database/backup.js'),
          import('../transfer/output-file.js'),
          import('../transfer/same-file.js'),
          import('../transfer/unfinished.js'),
        ]);
      const { url } = loadConfig(process.env).database;
      OutputFile.requireRegular(file, databaseFiles(url), force);
      const bytes = await backUp(url, file, force, () => removeAbandoned(file));
      tell(`${shown(file)}: ${(bytes / 1_048_576).toFixed(1)} MiB, checked.\n`);
    });
}
