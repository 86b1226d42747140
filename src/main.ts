// Nothing is imported before this check, not even from Node itself. On an older Node, the database driver ends the
// process without a message, and modules of Node lack functions that we import.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 9)) {
  process.stderr.write(
    `The store service needs Node 24.9 or newer, and this is Node ${process.versions.node}: start it by "npm start", which uses its own Node.\n`,
  );
  process.exitCode = 1;
} else if (process.argv.slice(2).some((argument) => argument !== '--demo')) {
  process.stderr.write(
    'The service takes one argument, --demo (the demo store, if neither STORE_DATABASE_URL nor STORE_DEMO is set). All other settings come from the environment; see docs/settings.md.\n',
  );
  process.exitCode = 2;
} else {
  const { prepareImports } = await import('./app/packages.js');
  prepareImports();
  const { start } = await import('./app/start.js');
  await start({ demoByDefault: process.argv.includes('--demo') });
}
