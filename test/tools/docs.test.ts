import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { program } from '../../src/app/cli/program.js';
import { SETTINGS } from '../../src/engine/config/settings.js';
import { SETTING_MEANINGS } from '../../src/engine/config/setting-meanings.js';
import { METRICS } from '../../src/engine/metrics/catalogue.js';
import { commandReference } from '../../tools/docs/command-reference.js';
import { withGeneratedPart } from '../../tools/docs/generated-part.js';
import { metricsTable } from '../../tools/docs/metrics-table.js';
import { settingsTable } from '../../tools/docs/settings-table.js';

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8');

describe('npm run docs', () => {
  it('changes nothing in docs/settings.md', async () => {
    const page = await read('docs/settings.md');
    expect(page).toBe(await withGeneratedPart(page, settingsTable(SETTINGS, SETTING_MEANINGS)));
    for (const { name } of Object.values(SETTINGS)) expect(page).toContain(`| \`${name}\` `);
  });

  it('changes nothing in docs/metrics.md', async () => {
    const page = await read('docs/metrics.md');
    expect(page).toBe(await withGeneratedPart(page, metricsTable(METRICS)));
  });

  it('changes nothing in docs/cli.md', async () => {
    const page = await read('docs/cli.md');
    expect(page).toBe(await withGeneratedPart(page, commandReference(program())));
    for (const command of program().commands) expect(page).toContain(`\n### ${command.name()}\n`);
  });

  it('refuses a page without a place for the generated part', () => {
    expect(() => withGeneratedPart('# Settings\n', 'a table')).toThrow(/needs the lines/);
  });
});
