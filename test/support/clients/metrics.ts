import { setTimeout as sleep } from 'node:timers/promises';
import { parseExposition, type ParsedFamily } from '../fixtures/exposition.js';
import type { TestApp } from './app.js';

/** The service caches the text of the metrics for 100 ms. This time is a little longer. */
const WAIT_MS = 120;

/** The metrics of an application, in the text format of Prometheus. */
export async function scrape(store: TestApp): Promise<readonly ParsedFamily[]> {
  await sleep(WAIT_MS);
  const { status, text } = await store.call('GET', '/metrics');
  if (status !== 200) throw new Error(`GET /metrics answers ${status}: ${text}`);
  return parseExposition(text, 'prometheus');
}

/** The sum of the samples with this name and these labels; 0 if there is none. */
export function valueOf(
  families: readonly ParsedFamily[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return families
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

/** Runs an action, and returns the number by which a sample grows. */
export async function growth(
  store: TestApp,
  name: string,
  labels: Readonly<Record<string, string>>,
  action: () => Promise<unknown>,
): Promise<number> {
  const before = valueOf(await scrape(store), name, labels);
  await action();
  return valueOf(await scrape(store), name, labels) - before;
}
