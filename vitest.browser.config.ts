import { defineConfig } from 'vitest/config';

/** The pages in a real browser, on the built service: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.browser.ts'],
    globalSetup: ['test/support/fixtures/build.ts', 'test/app/pages/setup.ts'],
    reporters: ['default', './test/support/skipped.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 60_000,
    // Only one browser at a time, because the first load of a page is already slow on a busy machine.
    fileParallelism: false,
  },
});
