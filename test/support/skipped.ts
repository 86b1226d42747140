import { globSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import './needs.js';

const OTHER = 'which the code skips, for example because they are for the other database';

/** At the end of a run, lists the tests that did not run, with the reason and the way to run them. */
export default class Skipped implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // If the user selects tests by name, all other tests count as skipped.
    if (this.vitest?.config.testNamePattern !== undefined) return;
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const { needs } = test.meta();
        const why = needs === undefined ? OTHER : `for lack of ${needs}`;
        counts.set(why, (counts.get(why) ?? 0) + 1);
      }
    }
    const lines = [...counts].map(
      ([why, count]) => `${count.toLocaleString('en')} ${count === 1 ? 'test' : 'tests'}, ${why}.`,
    );
    const left = globSync('test/**/*.long.test.ts').length;
    // If the numbers differ, the user has selected some files, or runs the long tests too.
    if (modules.length + left === globSync('test/**/*.test.ts').length) {
      const sampled = globSync('test/**/*.sampled.test.ts').length;
      lines.unshift(
        `${left} files of long tests: npm run test:long runs them.`,
        `Some cases of ${sampled} files: npm run test:long runs all of them.`,
      );
    }
    const part = process.env['TEST_PART'] ?? '1/1';
    // `npm run test:all` runs a sample of the cases of the other parts. `npm run test:long` runs no case of them.
    const cases = process.env['TEST_ALL'] === '1' ? 'some' : 'all';
    if (part !== '1/1' && modules.some(({ project }) => project.name === 'long'))
      lines.unshift(
        `The long tests of the other parts, and ${cases} cases of their sampled tests: this run is part ${part}.`,
      );
    if (lines.length > 0) this.vitest?.logger.log(`Not run:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
}
