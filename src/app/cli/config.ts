import { Command } from 'commander';
import { jsonOf, tableOf } from './table.js';
import { print, tell } from '../terminal.js';
import type { Setting } from '../../engine/config/settings.js';

interface Line {
  readonly name: string;
  readonly value: string | null;
  readonly source: 'default' | 'environment' | 'STORE_DEMO';
}

export function configCommand(): Command {
  return new Command('config')
    .description('Prints every setting with its value (secrets hidden) and its source.')
    .option('--json', 'print a JSON list of {name, value, source}', false)
    .addHelpText(
      'after',
      `
If settings are wrong, the command lists the faults, as the service does at its start. The exit code is then 1.

Examples:
  $ npm run store -- config
  $ npm run --silent store -- config --json`,
    )
    .action(async ({ json }: { json: boolean }) => {
      const { loadConfig } = await import('../../engine/config/config.js');
      const config = loadConfig(process.env);
      if (config.ignored.length > 0)
        tell(`Ignored, because they are service links: ${config.ignored.join(', ')}.\n`);
      const links = config.ignored.map((name): [string, undefined] => [name, undefined]);
      const lines = await settingsIn({ ...process.env, ...Object.fromEntries(links) }, config.demo);
      const rows = lines.map(({ name, value, source }) => [name, value ?? '–', source]);
      print(json ? jsonOf(lines) : tableOf(rows));
    });
}

async function settingsIn(environment: NodeJS.ProcessEnv, isDemo: boolean): Promise<Line[]> {
  const { DEMO_DATABASE_URL, SETTINGS, givenText } = await import('../../engine/config/settings.js');
  return Object.entries<Setting>(SETTINGS).map(([key, setting]) => {
    const { name, fallback, shown = (text: string) => text } = setting;
    if (key === 'databaseUrl' && isDemo) return { name, value: DEMO_DATABASE_URL, source: 'STORE_DEMO' };
    const given = givenText(setting, environment);
    const value = given ?? fallback;
    return { name, value: value === null ? null : shown(value), source: given ? 'environment' : 'default' };
  });
}
