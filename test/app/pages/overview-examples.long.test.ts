import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { needing } from '../../support/needs.js';

type Language = 'curl' | 'javascript' | 'python';

/** The command that executes an example. The example follows as the last argument. */
const COMMANDS: Readonly<Record<Language, readonly [file: string, ...args: string[]]>> = {
  curl: ['/bin/sh', '-c'],
  javascript: [process.execPath, '--input-type=module', '--eval'],
  python: ['python3', '-u', '-c'],
};

const PROGRAMS: readonly (readonly [Language, program: string])[] = [
  ['curl', 'curl'],
  ['javascript', process.execPath],
  ['python', 'python3'],
];

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const ENVIRONMENT = { PATH: process.env['PATH'], KEY: ADMIN_KEY };

const ENTITIES: Readonly<Record<string, string>> = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&amp;': '&' };

describe.each([
  ['version 1', {}],
  ['version 2', { STORE_V1_SUNSET: '2020-01-01T00:00:00Z' }],
])('the examples of the overview, in %s', (_version, settings: Record<string, string>) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', settings);
  });
  afterAll(() => store.close());

  /** The example as a visitor copies it. */
  const example = async (step: string, language: Language) => {
    const html = await (await fetch(`${store.url}/`)).text();
    const [, code = ''] = new RegExp(`<code id="${step}-${language}"\\s*>([^]*?)</code`).exec(html) ?? [];
    return code.replaceAll(/<[^>]*>/g, '').replaceAll(/&[^;]+;/g, (entity) => ENTITIES[entity] ?? entity);
  };
  const run = async (step: string, language: Language) => {
    const [file, ...args] = COMMANDS[language];
    const text = await example(step, language);
    return (await promisify(execFile)(file, [...args, text], { env: ENVIRONMENT })).stdout;
  };
  const count = async () =>
    Number((await fetch(`${store.url}/api/v2/products`)).headers.get('x-total-count'));

  describe.each(PROGRAMS)('%s', (language, program) => {
    const onProgram = needing(program, isThere(program), 'install it');

    it('creates a product and reads it', onProgram, async () => {
      const before = await count();
      expect(await run('create', language)).toContain('Chai');
      expect(await count()).toBe(before + 1);
      expect(await run('read', language)).toContain('Chai');
    });

    it('watches products', onProgram, async () => {
      const [file, ...args] = COMMANDS[language];
      const child = spawn(file, [...args, await example('watch', language)], { env: ENVIRONMENT });
      let seen = '';
      child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
      const ended = once(child, 'exit');
      // Products that are created before the service has read the subscription are not seen. So more than one
      // product may be necessary.
      await expect
        .poll(
          async () => {
            await run('create', 'javascript');
            return seen;
          },
          { timeout: 20_000, interval: 300 },
        )
        .toContain('"change":"created"');
      child.kill();
      await ended;
    });
  });
});
