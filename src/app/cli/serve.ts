import { Command } from 'commander';

export function serveCommand(): Command {
  return new Command('serve')
    .description('Starts the service on the ordinary store, and runs it until SIGTERM or Ctrl-C.')
    .option('--demo', 'start with the demo store, if neither STORE_DATABASE_URL nor STORE_DEMO is set', false)
    .addHelpText(
      'after',
      `
The ordinary store is the database that STORE_DATABASE_URL names, or sqlite:./data/store.sqlite if it is not set.
"npm start" begins with the demo store instead, as --demo does.

Examples:
  $ npm run store -- serve
  $ PORT=8080 STORE_DATABASE_URL=postgres://store@127.0.0.1/store npm run store -- serve`,
    )
    .action(async ({ demo }: { demo: boolean }) => {
      const { start } = await import('../start.js');
      await start({ demoByDefault: demo });
    });
}
