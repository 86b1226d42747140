import { Command, CommanderError } from 'commander';
import { backupCommand } from './backup.js';
import { clientsCommand } from './clients.js';
import { configCommand } from './config.js';
import { documentsCommand } from './documents.js';
import { exportCommand } from './export.js';
import { CommandFailed } from '../../store/transfer/failure.js';
import { importCommand } from './import.js';
import { keysCommand } from './keys.js';
import { migrateCommand } from './migrate.js';
import { seedCommand } from './seed.js';
import { serveCommand } from './serve.js';
import { usersCommand } from './users.js';
import { print, tell } from '../terminal.js';
import { SERVICE_VERSION } from '../../engine/values/service-version.js';

/**
 * The command line of the store. A command imports its code when it runs, so that `--help` answers at once.
 *
 * The exit code is 0 after success, 1 when the command could not do its work, and 2 when its arguments are wrong. The
 * help has the whole list.
 */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  // The program that reads our output may end early (`… | head`).
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.exit(say(`The standard output could not be written: ${error.message}.`, 1));
  });
  // Nobody may read our messages (`… 2>&1 | head`). The exit code still says whether the command did its work.
  process.stderr.on('error', () => undefined);
  try {
    await program().parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = await explain(error);
  }
}

/** All commands, with their options and their help. */
export function program(): Command {
  const store = new Command('store')
    .description('Runs the store service and manages its data.')
    .version(SERVICE_VERSION, '--version', 'print the version')
    .configureHelp({ showGlobalOptions: false })
    .addHelpText(
      'after',
      `
Settings come from the environment, as for the service. STORE_DATABASE_URL names the database
(sqlite:./data/store.sqlite if it is not set). "store config" lists all settings.

The exit code of a command is
    0  when it did its work; also when an import refused rows, or when a signal stopped "serve"
    1  when it could not do its work: the database, the disk or a file fails, something does not exist, a setting
       is wrong, or rows are refused under --strict
    2  when the command is wrong: an option, a mapping or the form of a file is wrong, the file to import does not
       exist, or the output file exists already
  130  when Ctrl-C stopped any other command, and 143 when SIGTERM stopped it

Examples:
  $ npm run store -- migrate
  $ npm run store -- import products products.csv --dry-run
  $ STORE_DATABASE_URL=sqlite:./try.sqlite npm run store -- seed --products 1000
  $ npm run --silent store -- export products - > products.csv
  $ KEY=$(npm run --silent store -- keys create Till --scopes orders:read)
  $ npm run store -- import --help`,
    );
  const commands = [
    serveCommand(),
    migrateCommand(),
    importCommand(),
    exportCommand(),
    seedCommand(),
    backupCommand(),
    keysCommand(),
    clientsCommand(),
    usersCommand(),
    documentsCommand(),
    configCommand(),
  ];
  for (const command of commands) store.addCommand(command);
  govern(store);
  return store;
}

/**
 * Sets the same settings of Commander on every command. Commander itself copies them only to commands that the parent
 * creates by `command()`. Our commands are created in files of their own.
 */
function govern(command: Command): void {
  command
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: tell });
  command.commands.forEach(govern);
}

/** Reports the error to the person, and returns the exit code. A stack is printed for bugs only. */
async function explain(error: unknown): Promise<number> {
  // The parser has already reported the fault. `--help` also throws this error, with the exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandFailed) return say(error.message, error.exitCode);
  const { StoreError } = await import('../../engine/errors/errors.js');
  if (error instanceof StoreError) return say(error.message, 1);
  const { ConfigError } = await import('../../engine/config/config.js');
  const { DatabaseSettingsError } = await import('../../engine/database/settings-error.js');
  const { DatabaseUnavailable, faultOf } = await import('../../engine/database/faults.js');
  if (error instanceof ConfigError || error instanceof DatabaseSettingsError) return say(error.message, 1);
  if (error instanceof DatabaseUnavailable) return say(`${error.message}${causeOf(error)}. Try again.`, 1);
  if (faultOf(error).kind === 'full') return say('The disk is full. Make room, and try again.', 1);
  if (isOfSystem(error)) return say(`The system refused: ${error.message}.`, 1);
  return say(error instanceof Error ? String(error.stack) : String(error), 1);
}

/**
 * Whether an error comes from the operating system, such as «ENOSPC: no space left on device, write». Such an error is
 * no bug, so no stack is printed.
 */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error && 'syscall' in error;
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? ` (${cause.message})` : '';
}

function say(message: string, exitCode: number): number {
  tell(`${message}\n`);
  return exitCode;
}
