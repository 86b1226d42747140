import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { greet } from '../../src/app/banner.js';
import { loadConfig } from '../../src/engine/config/config.js';

/** The text that a start prints at the terminal. */
function greeting(address: string): string {
  let text = '';
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  greet(loadConfig({ STORE_DATABASE_URL: 'sqlite::memory:' }), { address, metricsAddress: null }, 'a-key');
  return text;
}

it('the commands that a start prints can be pasted into a shell, also with an IPv6 address', () => {
  const [, commands = ''] = greeting('http://[::1]:3000').split('  Try:\n');
  // Like zsh, this shell refuses a word with brackets if no file matches the word.
  const script = `curl() { printf '%s\\n' "$@"; }\n${commands}`;
  const words = execFileSync('bash', ['-O', 'failglob', '-c', script], { encoding: 'utf8' }).split('\n');
  expect(words.filter((word) => word.startsWith('http'))).toEqual([
    'http://[::1]:3000/api/v1/products?limit=5',
    'http://[::1]:3000/api/v1/products',
    'http://[::1]:3000/graphql',
  ]);
});
