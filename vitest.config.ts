import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** They replace a module (`vi.mock`) or add tables of their own: each runs in a process of its own. */
const ALONE = 'test/**/*.alone.test.ts';
/** Proofs of proofs, clients of every generator, load, kills and proxies: `npm run test:long`, and `.ci/run`. */
const LONG = 'test/**/*.long.test.ts';

export default defineConfig({
  // Vite would take graphql's other build than Node does for Apollo and Nest, and graphql-js refuses to meet itself.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    globalSetup: ['test/support/fixtures/build.ts', 'test/app/pages/setup.ts'],
    reporters: ['default', './test/support/skipped.ts'],
    // Far above what anything takes: they end what hangs, and must not judge a machine that has other things to do.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // A runner has two cores. The third worker computes while another one waits, for a process or for a limit in time.
    maxWorkers: 3,
    // The concurrent tests of a file wait, and compute nothing.
    maxConcurrency: 200,
    projects: [
      { extends: true, test: { name: 'alone', include: [ALONE] } },
      // To load the application takes longer than most files do with it, so each worker loads it once. Whatever a helper
      // registers for a whole file (`afterEach` at its top) would be there for the first of them only.
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: [ALONE, LONG], isolate: false },
      },
      { extends: true, test: { name: 'long', include: [LONG], isolate: false } },
    ],
  },
});
