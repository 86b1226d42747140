import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

let script: Promise<string> | undefined;

/** A change of the colour scheme may take some time. Meanwhile, an element has a colour between the two schemes. */
const SETTLED = `Promise.allSettled(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    .map(({ finished }) => finished),
)`;

/**
 * The accessibility faults of a page that axe calls serious or critical. Each fault is a rule, followed by the elements
 * that break the rule.
 *
 * @param context the part of the page, and the options, as the arguments of `axe.run` in JavaScript
 */
export async function seriousFaults(page: Page, context = ''): Promise<readonly (readonly string[])[]> {
  script ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await script);
  await page.evaluate(SETTLED);
  const { passes, violations } = await page.evaluate<AxeResults>(`axe.run(${context})`);
  // A run that checks nothing has no faults either.
  expect(passes.length).toBeGreaterThan(0);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
}
