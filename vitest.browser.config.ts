import { defineConfig } from 'vitest/config';

/** The pages in a real browser, on the built service: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    globalSetup: ['build', 'memory', 'parsed'].map((name) => `test/support/fixtures/${name}.ts`),
    reporters: ['default', './test/support/skipped.ts', './test/support/report.ts'],
    testTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
    // The CI machine has two cores. Each worker has one browser for all of its files (test/support/clients/browser.ts).
    maxWorkers: 2,
    isolate: false,
  },
});
