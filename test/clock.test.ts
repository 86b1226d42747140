import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * The files that may call `Date.now()`: they write down the time of day, or compare it with a moment that is stored,
 * sent or configured. Durations are measured with `performance.now()`, because the clock of a machine may be changed.
 * This test does not look for `new Date()`.
 */
const TELLS_THE_TIME = [
  'app/cli/arguments.ts',
  'app/pages/board.ts',
  'engine/access/connection-credentials.ts',
  'engine/access/credential-cache.ts',
  'engine/access/credentials.ts',
  'engine/contract/caching.ts',
  'engine/database/change-time.ts',
  'engine/events/live-events.ts',
  'engine/events/tailer.ts',
  'engine/http/response-head.ts',
  'engine/http/versions.ts',
  'engine/tracing/otlp.ts',
  'store/accounts/api-key.ts',
  'store/accounts/jwt.strategy.ts',
  'store/imports/import-lease.ts',
  'store/imports/imports.purge.ts',
  'store/oauth/artifacts.repository.ts',
  'store/oauth/clients.repository.ts',
  'store/oauth/interactions.ts',
  'store/oauth/provider.ts',
  'store/tokens/revocations.ts',
  'store/tokens/signing-keys.ts',
  'store/transfer/orders.target.ts',
  'store/transfer/products.target.ts',
  'store/transfer/users.target.ts',
];

describe('the clock of the machine', () => {
  it('is read with Date.now() only by files that need the time of day', () => {
    const folder = fileURLToPath(new URL('../src/', import.meta.url));
    const asking = globSync('**/*.ts', { cwd: folder, exclude: ['generated/**'] })
      .filter((file) => readFileSync(folder + file, 'utf8').includes('Date.now()'))
      .map((file) => file.replaceAll('\\', '/'));
    expect(asking.toSorted()).toEqual(TELLS_THE_TIME);
  });
});
