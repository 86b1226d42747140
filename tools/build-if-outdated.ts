import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Compiles the sources unless the compiled files are newer. It reports on the standard error only, because the output
 * of the next command may be piped. Compiled files that have a source are not deleted, because a service may be running
 * on them.
 */
const top = dirname(import.meta.dirname);
const sources = readdirSync(join(top, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
);

function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : [];
}

const isOutdated = sources.some((name) => {
  const compiled = join(top, 'dist', name.replace(/\.ts$/, '.js'));
  return modifiedAt(compiled) < modifiedAt(join(top, 'src', name));
});

// The bundle of the packages (bundle-packages.ts) has to match the imports of the service and the installed packages.
// Without its table, a start imports the packages from node_modules.
const table = join(top, 'dist', 'packages.json');
if (isOutdated || modifiedAt(table) < modifiedAt(join(top, 'package-lock.json')))
  rmSync(table, { force: true });

if (isOutdated) {
  process.stderr.write('Compiling the service, because its sources have changed. This takes about 3 s …\n');
  const nest = fileURLToPath(import.meta.resolve('@nestjs/cli/bin/nest.js'));
  const config = join('tools', 'nest-keep.json');
  const { status, stdout, stderr } = spawnSync(process.execPath, [nest, 'build', '--config', config], {
    cwd: top,
    encoding: 'utf8',
  });
  if (status !== 0) process.stderr.write(stdout + stderr);
  process.exitCode = status ?? 1;
}

// A compiled migration without a source may be from another branch. It is deleted, because the command line runs every
// migration that it finds.
const migrations = join('engine', 'database', 'migrations');
for (const name of namesIn(join(top, 'dist', migrations))) {
  if (!sources.includes(join(migrations, name.replace(/\.js(\.map)?$/, '.ts'))))
    rmSync(join(top, 'dist', migrations, name));
}
