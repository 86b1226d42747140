import { readFile, writeFile } from 'node:fs/promises';
import { commandReference } from './docs/command-reference.ts';
import { withGeneratedPart } from './docs/generated-part.ts';
import { metricsTable } from './docs/metrics-table.ts';
import { settingsTable } from './docs/settings-table.ts';

const ROOT = new URL('../', import.meta.url);

/** Imports a module of the built service; the sources cannot be imported without a build. */
async function built<T>(path: string): Promise<T> {
  return (await import(new URL(`dist/${path}`, ROOT).href)) as T;
}

async function write(name: string, part: string): Promise<void> {
  const file = new URL(name, ROOT);
  const before = await readFile(file, 'utf8');
  const after = await withGeneratedPart(before, part);
  if (after === before) return;
  await writeFile(file, after);
  process.stdout.write(`wrote ${name}\n`);
}

const { SETTINGS } =
  await built<typeof import('../src/engine/config/settings.js')>('engine/config/settings.js');
const { SETTING_MEANINGS } = await built<typeof import('../src/engine/config/setting-meanings.js')>(
  'engine/config/setting-meanings.js',
);
const { METRICS } = await built<typeof import('../src/engine/metrics/catalogue.js')>(
  'engine/metrics/catalogue.js',
);
const { program } = await built<typeof import('../src/app/cli/program.js')>('app/cli/program.js');

await write('docs/settings.md', settingsTable(SETTINGS, SETTING_MEANINGS));
await write('docs/metrics.md', metricsTable(METRICS));
await write('docs/cli.md', commandReference(program()));
