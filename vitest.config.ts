import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** These files replace a module (`vi.mock`) or add tables. So each of them runs in its own process. */
const ALONE = 'test/**/*.alone.test.ts';
/**
 * Tests of the proofs, of generated clients, of builds, of the examples in the Markdown files, and tests with load,
 * kills and proxies. `npm run test:long` runs them, and each run of `.ci/run` runs a part of them.
 */
const LONG = 'test/**/*.long.test.ts';
/** `npm test` runs these with a sample of their cases, and the long tests run them with all cases. */
const SAMPLED = 'test/**/*.sampled.test.ts';
/** The long files and the sampled files of this run: all of them, or one part. */
const EXHAUSTIVE = partOf(globSync([LONG, SAMPLED]).toSorted());
/** `npm run test:all` runs the long tests too, so it does not run the samples of the same files. */
const NOT_TOGETHER = [ALONE, LONG, ...(process.env['TEST_ALL'] === '1' ? EXHAUSTIVE : [])];

/** `TEST_PART=2/6` chooses the second of six parts of these files. Each file is in exactly one part. */
function partOf(files: readonly string[]): string[] {
  const asked = process.env['TEST_PART'] ?? '1/1';
  const [part = 0, parts = 0] = /^\d+\/\d+$/.test(asked) ? asked.split('/').map(Number) : [];
  if (part < 1 || part > parts)
    throw new Error(`TEST_PART is ${asked}. It must be a part and the number of parts, such as 2/6.`);
  return files.filter((_file, at) => at % parts === part - 1);
}

const SOURCES = fileURLToPath(new URL('src/', import.meta.url));
const COMPILED = fileURLToPath(new URL('dist/', import.meta.url));

/**
 * Gives the tests the compiled service, as it runs in production (`test/support/fixtures/build.ts` compiles it first).
 * Node loads it in a third of the time that Vite needs for the sources. `npm run test:watch` uses the sources.
 */
const compiled: Plugin = {
  name: 'compiled',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    if (!found?.id.startsWith(SOURCES) || !found.id.endsWith('.ts')) return found;
    return `${COMPILED}${found.id.slice(SOURCES.length, -'ts'.length)}js`;
  },
};
const ofTheRun = process.argv.includes('run') ? [compiled] : [];

/** The options of all projects. */
const SHARED: TestProjectInlineConfiguration = {
  // Node loads one build of graphql for Apollo and Nest. Vite would load its other build, and graphql-js refuses to run
  // with two copies of itself.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve('graphql')) }] },
  test: {
    // These limits only end tests that hang. They are far above the time of any test, because the machine may be busy.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    provide: { allCases: false },
    // An error in the compiled service names the line of the source.
    execArgv: ['--enable-source-maps'],
    // Node loads these files, and not Vite.
    server: { deps: { external: [new RegExp(`^${RegExp.escape(COMPILED)}`)] } },
    // Many tests of a file can run at the same time, because concurrent tests mostly wait.
    maxConcurrency: 200,
  },
};

function project(
  options: NonNullable<TestProjectInlineConfiguration['test']>,
  ...plugins: Plugin[]
): TestProjectInlineConfiguration {
  return { ...SHARED, plugins, test: { ...SHARED.test, ...options } };
}

export default defineConfig({
  test: {
    // The first one compiles the service, which the others use. They are not among the options of the projects, because
    // each project would run them again.
    globalSetup: ['build', 'memory', 'template', 'parsed'].map((name) => `test/support/fixtures/${name}.ts`),
    reporters: ['default', './test/support/skipped.ts', './test/support/report.ts'],
    // There are two workers more than cores, because some workers only wait for a process or for a time limit. More
    // than 8 workers would need too many connections to PostgreSQL.
    maxWorkers: Math.min(availableParallelism() + 2, 8),
    projects: [
      project({ name: 'alone', include: [ALONE] }),
      // Loading the application takes longer than most test files. So each worker loads it once for all of its files.
      // If a helper registers a hook at its top level (such as `afterEach`), only the first file gets this hook.
      project(
        { name: 'together', include: ['test/**/*.test.ts'], exclude: NOT_TOGETHER, isolate: false },
        ...ofTheRun,
      ),
      project(
        { name: 'long', include: EXHAUSTIVE, isolate: false, provide: { allCases: true } },
        ...ofTheRun,
      ),
    ],
  },
});
