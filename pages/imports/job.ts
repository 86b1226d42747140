import { saveAnswer } from '../save.js';
import { ask, request, Refused, type Import, type Page, type Refusal } from './service.js';
import { pause } from './upload.js';

const POLL_MS = 1_000;
const AFTER_FAILURE_MS = 3_000;
const PAGE = 100;
const MOST_LISTED = 20;

const number = new Intl.NumberFormat('en');
const count = (value: number): string => number.format(value);
const rowsOf = (value: number): string => `${count(value)} ${value === 1 ? 'row' : 'rows'}`;
const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/**
 * Reads an import again and again, and calls `show` with each answer. It stops when the import has ended, when `isOver`
 * says so, or after a refusal that another try would not change.
 *
 * @param fail gets the reason when a read fails, and null after each read that succeeds
 */
export async function follow(
  id: number,
  show: (job: Import) => void,
  fail: (why: unknown) => void,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    let wait = POLL_MS;
    try {
      const job = await ask<Import>(`/${id}`);
      if (isOver()) return;
      fail(null);
      show(job);
      if (job.ended_at !== null) return;
    } catch (error) {
      if (isOver()) return;
      fail(error);
      if (error instanceof Refused && !error.isForNow) return;
      wait = error instanceof Refused ? (error.waitMs ?? AFTER_FAILURE_MS) : AFTER_FAILURE_MS;
    }
    await pause(document.hidden ? wait * 3 : wait);
  }
}

export function nameOf({ id, kind, rehearsal }: Import): string {
  return `${rehearsal ? 'Check' : 'Import'} ${id}: ${kind}`;
}

/** The state of an import in a sentence. */
export function stateOf(job: Import): string {
  const { state, rows, rows_done: done, rehearsal } = job;
  if (state === 'done') return endOf(job);
  if (state === 'failed') {
    const place = job.problem_line === null ? '' : ` at line ${count(job.problem_line)}`;
    return `The import failed${place}. ${writtenOf(job)}`;
  }
  if (state === 'cancelled') {
    return `Cancelled. ${writtenOf(job)}`;
  }
  if (state === 'running' && rows > 0) {
    return `${rehearsal ? 'Checking' : 'Importing'}: ${count(done)} of ${rowsOf(rows)}.`;
  }
  return WORDS[state];
}

const WORDS = {
  uploading: 'The file is not complete yet.',
  waiting: 'Waiting for imports that come first.',
  running: 'Reading the file…',
} as const;

function writtenOf({ rehearsal, created, updated }: Import): string {
  return rehearsal || created + updated === 0
    ? 'Nothing was written.'
    : `${rowsOf(created + updated)} had been written before.`;
}

function endOf({ rehearsal, read, refused }: Import): string {
  const begin = rehearsal ? 'Checked; nothing was written.' : 'Done.';
  if (read === 0) return `${begin} The file has no rows.`;
  return refused === 0
    ? `${begin} No row is refused.`
    : `${begin} ${rowsOf(refused)} ${refused === 1 ? 'is' : 'are'} refused.`;
}

/** The counts that are not zero, with their words. */
export function countsOf(job: Import): readonly (readonly [words: string, count: string])[] {
  const would = job.rehearsal ? 'would be ' : '';
  const all: readonly (readonly [string, number])[] = [
    ['read', job.read],
    [`${would}created`, job.created],
    [`${would}updated`, job.updated],
    ['unchanged', job.unchanged],
    ['left out (imported earlier, then deleted in the store)', job.skipped],
    ['repeat an earlier row', job.repeated],
    ['refused', job.refused],
  ];
  return all.filter(([, value]) => value > 0).map(([words, value]) => [words, count(value)]);
}

/** The share of the rows that are done; null if it is not known. */
export function shareOf({ state, rows, rows_done: done }: Import): number | null {
  if (state === 'done') return 1;
  return state === 'running' && rows > 0 ? done / rows : null;
}

/** Fills a table with the faults of refused rows, page by page. */
export class Refusals {
  private next: string | null = '';
  private shown = 0;

  constructor(
    private readonly id: number,
    private readonly body: HTMLTableSectionElement,
  ) {
    body.replaceChildren();
  }

  /** @returns words that say how many faults are shown (empty if all are shown), and whether there are more */
  async more(): Promise<{ readonly words: string; readonly hasMore: boolean }> {
    const cursor = this.next === '' || this.next === null ? '' : `&cursor=${this.next}`;
    const { data, page } = await ask<Page<Refusal>>(`/${this.id}/refusals?limit=${PAGE}${cursor}`);
    this.next = page.next;
    this.shown += data.length;
    for (const refusal of data) this.add(refusal);
    const hasMore = this.next !== null;
    return {
      words: hasMore ? `${count(this.shown)} of ${count(page.total ?? this.shown)} faults` : '',
      hasMore,
    };
  }

  private add({ line, column, value, detail, code }: Refusal): void {
    const row = this.body.insertRow();
    const cell = (name: string, text: string, isNumber = false): void => {
      const element = row.insertCell();
      element.dataset['name'] = name;
      if (isNumber) element.className = 'number';
      const inner = document.createElement('bdi');
      inner.textContent = text === '' ? '–' : text;
      element.append(inner);
    };
    cell('Line', count(line), true);
    cell('Column', column);
    cell('Value', value);
    cell('Reason', code === 'fault' ? detail : `${detail} (follows from another fault)`);
  }
}

/** Saves the refused rows. @throws Refused @throws TypeError */
export async function saveRefusedRows(job: Import, name: string): Promise<void> {
  const begin = name.replace(/(\.refused)?\.[^.]*$/, '') || job.kind;
  await saveAnswer(await request(`/${job.id}/refused-rows`), `${begin}.refused.${job.format}`);
}

/** One page of the imports, the newest first. @param cursor null for the newest imports */
export function listed(cursor: string | null): Promise<Page<Import>> {
  return ask<Page<Import>>(`?sort=-id&limit=${MOST_LISTED}${cursor === null ? '' : `&cursor=${cursor}`}`);
}

/** A line of the list of imports. */
export function lineOf(job: Import): HTMLLIElement {
  const line = document.createElement('li');
  const link = document.createElement('a');
  link.href = `/imports?id=${job.id}`;
  link.textContent = nameOf(job);
  const state = document.createElement('span');
  state.className = 'state';
  const rest = document.createElement('span');
  rest.className = 'aside';
  line.append(link, state, rest);
  fillLine(line, job);
  return line;
}

/** Shows the present state of an import in its line. The link stays, because it may have the focus. */
export function fillLine(line: Element, job: Import): void {
  const [, state, rest] = line.children as unknown as readonly HTMLElement[];
  if (!state || !rest) return;
  state.dataset['state'] = job.state;
  state.textContent = job.state;
  const refused = job.refused > 0 ? `, ${rowsOf(job.refused)} refused` : '';
  rest.textContent = `${time.format(new Date(job.created_at))}${refused}`;
}
