import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Vite would take graphql's other build than Node does for Apollo and Nest, and graphql-js refuses to meet itself.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', 'test/pages/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The tests each boot a whole application, and a runner has two cores.
    maxWorkers: 2,
  },
});
