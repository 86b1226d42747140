import { enableCompileCache } from 'node:module';

// Before anything else is loaded: on an older Node the database driver ends the process without a word.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `The store service needs Node 24 or newer, and this is Node ${process.versions.node}: start it by "npm start", which brings its own.\n`,
  );
  process.exitCode = 1;
} else {
  enableCompileCache();
  const { start } = await import('./start.js');
  await start();
}
