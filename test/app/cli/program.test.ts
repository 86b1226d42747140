import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCommand, spawnCommand } from '../../support/clients/cli.js';

const COMMANDS = [
  'serve',
  'migrate',
  'import',
  'export',
  'seed',
  'backup',
  'keys',
  'clients',
  'users',
  'documents',
  'config',
];
const PARTS = [
  ...['list', 'create', 'rotate', 'revoke', 'signing', 'signing list', 'signing rotate'].map(
    (part) => `keys ${part}`,
  ),
  ...['list', 'create', 'show', 'rotate', 'revoke'].map((part) => `clients ${part}`),
  ...['list', 'show', 'create', 'password', 'delete', 'sign-out', 'links', 'link', 'unlink'].map(
    (part) => `users ${part}`,
  ),
  ...['list', 'explain'].map((part) => `documents ${part}`),
];

describe('the command line', () => {
  it('names every command in its help', async () => {
    const { code, stdout } = await runCommand(['--help']);
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toContain(`  ${command}`);
  });

  it('lists its exit codes in its help, and docs/cli.md lists each of them', async () => {
    const { stdout } = await runCommand(['--help']);
    const codes = [...stdout.matchAll(/^ +(\d+)  when /gm)].map(([, code]) => code);
    expect(codes).toEqual(['0', '1', '2', '130']);
    const page = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
    for (const code of [...codes, '143']) expect(page).toMatch(new RegExp(`\\| \`${code}\` +\\|`));
  });

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(
      await readFile(new URL('../../../package.json', import.meta.url), 'utf8'),
    ) as {
      version: string;
    };
    expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([...COMMANDS, ...PARTS])('shows in the help of %s its usage and examples', async (command) => {
    const { code, stdout } = await runCommand([...command.split(' '), '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: store ${command}`);
    expect(stdout).toMatch(/Examples:\n {2}\$ /);
  });

  it.each([
    'keys list',
    'keys signing list',
    'clients list',
    'clients show',
    'users list',
    'users show',
    'users links',
  ])('says in the help of %s that its times are in UTC', async (command) => {
    expect((await runCommand([...command.split(' '), '--help'])).stdout).toContain('\nTimes are in UTC.');
  });

  it.each([
    ['an unknown command', ['migrat'], /unknown command 'migrat'[^]*migrate/],
    ['an unknown option', ['migrate', '--revert'], /unknown option '--revert'/],
    ['an invalid number', ['seed', '--products', '1e3'], /whole number/],
    ['no command', [], /Usage: store/],
    ['an incomplete command', ['keys'], /Usage: store keys/],
    ['an unknown subcommand', ['keys', 'lst'], /unknown command 'lst'[^]*list/],
    ['an invalid duration', ['keys', 'rotate', '1', '--overlap', '1y'], /duration such as 90s/],
    [
      'an invalid time of expiry',
      ['keys', 'create', 'x', '--user', '1', '--expires', 'soon'],
      /6mo or 1y\), a date/,
    ],
    ['an invalid limit', ['users', 'list', '--limit', '0'], /whole number from 1/],
  ])('ends with 2 for %s', async (_what, args, words) => {
    const { code, stdout, stderr } = await runCommand(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain('    at ');
  });

  it('does its work and ends with its own exit code if nobody reads its messages', async () => {
    const settings = { STORE_DATABASE_URL: 'sqlite::memory:' };
    for (const [args, expected] of [
      [['migrate'], 0],
      [['migrat'], 2],
    ] as const) {
      const child = spawnCommand(args, { settings });
      child.stdout?.resume();
      child.stderr?.destroy();
      expect([args, ...(await once(child, 'close'))]).toEqual([args, expected, null]);
    }
  });

  it('reports in a sentence that a database does not answer', async () => {
    const { code, stderr } = await runCommand(['migrate'], {
      settings: { STORE_DATABASE_URL: 'postgres://store:hidden@127.0.0.1:1/store' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database postgres:\/\/store@127\.0\.0\.1:1\/store cannot be reached/);
    expect(stderr).not.toMatch(/hidden|^ {4}at /m);
  });
});
