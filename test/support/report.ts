import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/** The maximum number of characters for one failure in the report. */
const ENOUGH = 3000;

/**
 * If `TEST_REPORT` names a folder, writes the result of a run into it as text files, for `.ci/run`:
 *
 * - `counts`: the numbers of the tests that passed and that failed, in one line;
 * - `files`: the test files with a failure, one in each line. An error outside of the tests, such as a rejected promise
 *   that nobody handled, counts for the file that ran at that moment;
 * - `failures`: the failures with their reasons;
 * - `times`: the milliseconds of each test file, the longest first.
 */
export default class Report implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const folder = process.env['TEST_REPORT'];
    if (folder === undefined) return;
    const counts = { passed: 0, failed: 0 };
    const files = new Set<string>();
    const failures: string[] = [];
    const fail = (file: string, name: string, errors: readonly SerializedError[]): void => {
      files.add(file);
      failures.push(`${file}: ${name}\n${errors.map(reasonOf).join('\n').slice(0, ENOUGH)}`);
    };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') counts.passed += 1;
        if (state === 'failed') counts.failed += 1;
        if (state === 'failed') fail(module.moduleId, test.fullName, errors);
      }
      // A file or a group of tests can fail although none of its tests does, for example in `beforeAll`.
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) fail(module.moduleId, suite.fullName, suite.errors());
      }
      if (module.errors().length > 0) fail(module.moduleId, 'outside of the tests', module.errors());
    }
    for (const error of unhandled) {
      const file: unknown = error['VITEST_TEST_PATH'];
      if (typeof file === 'string') fail(file, 'an error outside of the tests', [error]);
      else failures.push(`An error outside of the test files\n${reasonOf(error).slice(0, ENOUGH)}`);
    }
    const times = modules.map(
      (module) => [Math.round(module.diagnostic().duration), module.relativeModuleId] as const,
    );
    times.sort(([one], [other]) => other - one);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'counts'), `${counts.passed} ${counts.failed}\n`);
    writeFileSync(join(folder, 'files'), [...files].map((file) => `${file}\n`).join(''));
    writeFileSync(join(folder, 'failures'), failures.map((failure) => `${failure}\n`).join(''));
    writeFileSync(join(folder, 'times'), times.map(([ms, file]) => `${ms} ${file}\n`).join(''));
  }
}

function reasonOf({ stack, message }: SerializedError): string {
  return stack ?? message;
}
