import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * Who may ask what time it is: files that compare it with a moment that is stored, sent or set, or that write one down. How
 * long something took, or is kept, is measured by `performance.now()`, since the clock of a machine may be set.
 */
const TELLS_THE_TIME = [
  'auth/api-key.ts',
  'auth/held-credentials.ts',
  'auth/jwt.strategy.ts',
  'auth/kept-principals.ts',
  'auth/revocations.ts',
  'auth/signing-keys.ts',
  'cli/arguments.ts',
  'contract/caching.ts',
  'events/live-events.ts',
  'http/versions.ts',
  'oauth/artifacts.repository.ts',
  'oauth/clients.repository.ts',
  'oauth/interactions.ts',
  'oauth/provider.ts',
  'transfer/orders.target.ts',
  'transfer/products.target.ts',
  'transfer/users.target.ts',
];

describe('the clock of the machine', () => {
  it('is asked only by who needs the time of day', () => {
    const folder = fileURLToPath(new URL('../src/', import.meta.url));
    const asking = globSync('**/*.ts', { cwd: folder, exclude: ['generated/**'] })
      .filter((file) => readFileSync(folder + file, 'utf8').includes('Date.now()'))
      .map((file) => file.replaceAll('\\', '/'));
    expect(asking.toSorted()).toEqual(TELLS_THE_TIME);
  });
});
