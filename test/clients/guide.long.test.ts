import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type TestApp } from '../support/clients/app.js';
import { clientFolder, compile, execute, npx } from '../support/fixtures/client-folder.js';

const GUIDE = new URL('../../docs/clients.md', import.meta.url);

/** The expected output of each program of the guide. */
const PRINTED = [
  'true',
  "[ { name: 'Masala chai', price: { amount: 1850, currency: 'USD' } } ]",
  'Masala tea',
  '412 PRECONDITION_FAILED',
  '204',
];

/** Follows docs/clients.md literally, but does not install packages. */
describe('docs/clients.md', () => {
  let store: TestApp;
  let sections: readonly string[];
  beforeAll(async () => {
    store = await startApp('sqlite');
    const guide = (await readFile(GUIDE, 'utf8')).replaceAll('http://127.0.0.1:3000', store.url);
    sections = guide.split(/^## /m).slice(1);
  });
  afterAll(() => store.close());

  it.each(['openapi-typescript and openapi-fetch', 'hey-api', 'orval'])(
    'generates a client with %s',
    async (tool) => {
      const section = sections.find((each) => each.startsWith(`${tool}\n`)) ?? '';
      const folder = await clientFolder();
      try {
        const config = block(section, 'js');
        if (config !== '') await writeFile(join(folder, 'orval.config.mjs'), config);
        const commands = block(section, 'sh').matchAll(/^npx (\S+)(.*)$/gm);
        for (const [, program = '', args = ''] of commands) {
          await npx(folder, program, ...args.split(' ').filter((each) => each !== ''));
        }
        await writeFile(join(folder, 'program.ts'), block(section, 'ts'));
        await compile(folder);
        const printed = await execute(folder, 'program.js', { KEY: ADMIN_KEY });
        expect(printed.trimEnd().split('\n')).toEqual(PRINTED);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it('has exactly the three sections that the tests execute', () => {
    expect(sections).toHaveLength(3);
  });
});

/** The block of code in this language; empty if there is none. */
function block(section: string, language: string): string {
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(section)?.[1] ?? '';
}
