// Nothing is imported before this check; see src/main.ts.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 9)) {
  process.stderr.write(
    `The store service needs Node 24.9 or newer, and this is Node ${process.versions.node}: run "npm run store -- …", which uses its own Node.\n`,
  );
  process.exitCode = 1;
} else {
  const { prepareImports } = await import('../packages.js');
  prepareImports();
  const { runCommandLine } = await import('./program.js');
  await runCommandLine(process.argv.slice(2));
}
