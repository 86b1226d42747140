import type { Copy, Outcome } from './copy.ts';

/** A step that may notice a mutant. */
export interface Stage {
  readonly name: string;
  readonly run: (copy: Copy) => Promise<Outcome>;
  /** The line of the output that says what was noticed. */
  readonly line: RegExp;
}

const VITEST = 'node_modules/vitest/vitest.mjs';
/** The tests of the contracts, of their generator and of the documents that are served. */
const CONTRACT_TESTS = [
  'test/tools/',
  'test/engine/contract/',
  'test/engine/versions/',
  'test/documents.test.ts',
];

/** A test that fails by chance does not fail twice. */
const tests = (copy: Copy, ...filters: string[]): Promise<Outcome> =>
  copy.run(VITEST, 'run', '--project=!long', '--bail=1', '--retry=1', ...filters);

/** By cost; the first that notices a mutant ends its way. */
export const STAGES: readonly Stage[] = [
  {
    name: 'codegen',
    run: async (copy) => {
      const generated = await copy.run('tools/generate.ts');
      if (!generated.isDone) return generated;
      // What is added by hand may stand anywhere; the order of the parts is no difference.
      const before = await copy.read('openapi.yaml');
      const ordered = await copy.run('tools/contract.ts');
      if (!ordered.isDone || (await copy.read('openapi.yaml')) === before) return ordered;
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
  { name: 'contract tests', run: (copy) => tests(copy, ...CONTRACT_TESTS), line: /^ *(?:FAIL|Error:) .*$/m },
  {
    name: 'proof',
    run: async (copy) => {
      const built = await copy.run('tools/build-if-outdated.ts');
      if (!built.isDone) return built;
      return copy.run('prove/contract.ts', '--engine', 'sqlite', '--seed', '7', '--requests', '400');
    },
    line: /^BROKEN: .*$/m,
  },
  { name: 'suite', run: (copy) => tests(copy), line: /^ *(?:FAIL|Error:) .*$/m },
];

/** What the output of a stage says of a mutant, in one line. */
export function said({ line }: Stage, output: string): string {
  const found = line.exec(output)?.[0] ?? output.trim().split('\n').at(-1) ?? '';
  return found.trim().replaceAll(/\s+/g, ' ').slice(0, 240);
}
