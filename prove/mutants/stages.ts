import { isDeepStrictEqual } from 'node:util';
import type { Copy, Outcome } from './copy.ts';

/** A step that may notice a mutant. */
export interface Stage {
  readonly name: string;
  readonly run: (copy: Copy) => Promise<Outcome>;
  /** Finds the line of the output that reports the fault. */
  readonly line: RegExp;
}

const VITEST = 'node_modules/vitest/vitest.mjs';
/** The name of the test that failed. */
const FAILED = /^ *(?:FAIL|Error:) .*$/m;
/** The tests that compare the contracts with what clients already rely on. */
const RECORDED = ['test/engine/contract/published.test.ts', 'test/engine/contract/v1-contract.test.ts'];
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
const tests = (copy: Copy, ...filters: string[]): Promise<Outcome> =>
  copy.run(VITEST, 'run', '--project=!long', '--bail=1', '--retry=1', ...filters);

/** The cheapest stage first. The stages after the one that notices a mutant are not run. */
export const STAGES: readonly Stage[] = [
  {
    name: 'codegen',
    run: async (copy) => {
      const generated = await copy.run('tools/generate.ts');
      if (!generated.isDone) return generated;
      // `npm run contract` may change the order of parts. A changed order is no fault, so the code is generated again
      // from the ordered contracts.
      const texts = () => Promise.all([copy.read('openapi.yaml'), copy.read('schema.graphql')]);
      const before = await texts();
      const ordered = await copy.run('tools/contract.ts');
      if (!ordered.isDone || isDeepStrictEqual(await texts(), before)) return ordered;
      return copy.run('tools/generate.ts');
    },
    line: /^(?!npm )\S.*$/m,
  },
  {
    name: 'compiler',
    run: (copy) =>
      copy.run(
        'node_modules/typescript/bin/tsc',
        '-p',
        'tsconfig.json',
        '--noEmit',
        '--incremental',
        '--tsBuildInfoFile',
        '.mutants.tsbuildinfo',
      ),
    line: /^.*error TS\d+.*$/m,
  },
  { name: 'recorded', run: (copy) => tests(copy, ...RECORDED), line: FAILED },
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
  { name: 'contract tests', run: (copy) => tests(copy, ...CONTRACT_TESTS), line: FAILED },
  {
    name: 'proof',
    run: async (copy) => {
      const built = await copy.run('tools/build-if-outdated.ts');
      if (!built.isDone) return built;
      return copy.run('prove/contract.ts', '--engine', 'sqlite', '--seed', '7', '--requests', '400');
    },
    line: /^BROKEN: .*$/m,
  },
  { name: 'suite', run: (copy) => tests(copy), line: FAILED },
];

/** The fault that a stage reports, in one line. */
export function said({ line }: Stage, output: string): string {
  const found = line.exec(output)?.[0] ?? output.trim().split('\n').at(-1) ?? '';
  return found.trim().replaceAll(/\s+/g, ' ').slice(0, 240);
}
