import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const TESTS = 'test/**/*.test.ts';
/** They put something else in the place of a module, or bring tables of their own along: nobody else is to meet that. */
const alone = globSync(TESTS).filter((file) => /vi\.mock\(|\.forFeature\(/.test(readFileSync(file, 'utf8')));

export default defineConfig({
  // Vite would take graphql's other build than Node does for Apollo and Nest, and graphql-js refuses to meet itself.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    globalSetup: ['test/support/fixtures/build.ts', 'test/app/pages/setup.ts'],
    // Far above what anything takes: they end what hangs, and must not judge a machine that has other things to do.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // The tests each boot a whole application, and a runner has two cores.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // To load the application takes longer than most files do with it, so each worker loads it once. Whatever a helper
      // registers for a whole file (`afterEach` at its top) would be there for the first of them only.
      { extends: true, test: { name: 'together', include: [TESTS], exclude: alone, isolate: false } },
    ],
  },
});
