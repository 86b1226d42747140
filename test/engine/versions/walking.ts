import type { TestApp } from '../../support/clients/app.js';

export type Row = any; // oxlint-disable-line typescript/no-explicit-any -- every answer was checked against the contract

export interface Walked {
  readonly data: readonly Row[];
  readonly page: {
    readonly next: string | null;
    readonly previous: string | null;
    readonly total: number | null;
  };
}

/** One page of a list of version 2; `path` may have a query string. */
export async function pageAt(
  store: TestApp,
  path: string,
  cursor: string | null = null,
  headers: Record<string, string> = {},
): Promise<Walked> {
  const separator = path.includes('?') ? '&' : '?';
  const answer = await store.call('GET', cursor === null ? path : `${path}${separator}cursor=${cursor}`, {
    headers,
  });
  if (answer.status !== 200) throw new Error(`${path} ${answer.status}: ${answer.text}`);
  return answer.body as Walked;
}

/**
 * Reads all pages of a list from the first to the last or from the last to the first. Returns the rows in the
 * order of the list.
 *
 * @param between is called after each page except the last
 */
export async function walk(
  store: TestApp,
  path: string,
  way: 'next' | 'previous',
  between: () => Promise<void> = async () => {},
): Promise<Row[]> {
  let page = await pageAt(store, path);
  if (way === 'previous') {
    while (page.page.next !== null) page = await pageAt(store, path, page.page.next);
  }
  const seen = [...page.data];
  for (let steps = 0; page.page[way] !== null; steps += 1) {
    if (steps > 500) throw new Error('The pages do not end');
    await between();
    page = await pageAt(store, path, page.page[way]);
    if (way === 'next') seen.push(...page.data);
    else seen.unshift(...page.data);
  }
  return seen;
}
