import type { Copy, Outcome } from './copy.ts';
import { QUICK } from './quick-stages.ts';

/** A step that may notice a mutant in a copy of the project. */
export interface Stage {
  readonly name: string;
  /** @param files the only test files to run; without them, all of the stage */
  readonly run: (copy: Copy, files?: readonly string[]) => Promise<Outcome>;
  /** Finds the line of the output that reports the fault. */
  readonly line: RegExp;
}

const VITEST = 'node_modules/vitest/vitest.mjs';
/** The name of the test that failed. */
const FAILED = /^ *(?:FAIL|Error:) .*$/m;
/** The test that finds inputs that no handler reads. It takes only seconds, so it comes before the other tests. */
const READS = ['test/engine/contract/reads.alone.test.ts'];
/** The tests of the contracts, of their generator and of the documents that are served. */
const CONTRACT_TESTS = [
  'test/tools/',
  'test/engine/contract/',
  'test/engine/versions/',
  'test/documents.test.ts',
];

/**
 * A failed test is run again: a test that fails by chance rarely fails twice, and must not count as noticing a mutant.
 */
const tests = (copy: Copy, files: readonly string[]): Promise<Outcome> =>
  copy.run(VITEST, 'run', '--project=!long', '--bail=1', '--retry=1', ...files);

/** The stages after the quick ones, the cheapest first. When a stage notices a mutant, the later stages are not run. */
export const STAGES: readonly Stage[] = [
  {
    name: 'lint',
    run: (copy) =>
      copy.run(
        'node_modules/@stoplight/spectral-cli/dist/index.js',
        'lint',
        'openapi.yaml',
        '--fail-severity=hint',
      ),
    line: /^ +\d+:\d+ .*$/m,
  },
  { name: 'reads', run: (copy, files = READS) => tests(copy, files), line: FAILED },
  { name: 'contract tests', run: (copy, files = CONTRACT_TESTS) => tests(copy, files), line: FAILED },
  {
    name: 'proof',
    run: async (copy) => {
      const built = await copy.run('tools/build-if-outdated.ts');
      if (!built.isDone) return built;
      return copy.run('prove/contract.ts', '--engine', 'sqlite', '--seed', '7', '--requests', '400');
    },
    line: /^BROKEN: .*$/m,
  },
  { name: 'suite', run: (copy, files = []) => tests(copy, files), line: FAILED },
  {
    name: 'all cases',
    run: (copy, files = ['.sampled.test.ts']) =>
      copy.run(VITEST, 'run', '--project=long', '--bail=1', '--retry=1', ...files),
    line: FAILED,
  },
];

/** The names of all stages, in their order. */
export const NAMES = [...QUICK, ...STAGES.map(({ name }) => name)];

/** The fault that a stage reports, in one line. */
export function said({ line }: Stage, output: string): string {
  const found = line.exec(output)?.[0] ?? output.trim().split('\n').at(-1) ?? '';
  return found.trim().replaceAll(/\s+/g, ' ').slice(0, 240);
}

/** The test files in which a test failed; undefined if the stage ran no tests, or failed without a failed test. */
export function failedFiles(output: string): readonly string[] | undefined {
  const files = new Set(
    [...output.matchAll(/^ *FAIL .*?\b(test\/\S+\.test\.ts)\b/gm)].map(([, file]) => file as string),
  );
  return files.size === 0 ? undefined : [...files].toSorted();
}
