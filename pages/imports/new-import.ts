import { input, one, select, tell } from './elements.js';
import { readHead, sizeOf, type Column, type Head } from './file-head.js';
import { Unreadable } from './json-rows.js';
import {
  choicesFor,
  faultsOf,
  likelyKind,
  mappingOf,
  REASONS,
  recognized,
  short,
  wordsFor,
  type Chosen,
  type Kind,
  type Members,
  type Options,
} from './mapping.js';
import { post, Refused, type Import } from './service.js';

const DRAFT = 'store:import';
/** The number of columns that are always listed. Any other column is listed only if it is recognized. */
const MOST_COLUMNS = 200;

/**
 * The entries of the visitor. The form shows them again for the next file with the same columns, also after a new
 * sign-in.
 */
interface Draft extends Options {
  readonly source: string;
  readonly events: boolean;
  readonly choices: Readonly<Record<string, string>>;
}

/** A file that was sent, or is being sent. */
export interface Sent {
  readonly file: File;
  readonly head: Head;
  readonly body: object;
}

const valueOf = (selector: string): string => input(selector).value;
const keyOf = ({ list, name }: Column): string => (list === null ? name : `${list}[].${name}`);

/** The form for a new import: the file, its columns, and the members that the columns become. */
export class NewImport {
  private file: File | null = null;
  private head: Head | null = null;
  private chosen: readonly Chosen[] = [];
  private turn = 0;
  private sent: { readonly body: string; readonly key: string } | null = null;

  /** @param begun is called with the new import and its file */
  constructor(
    private readonly members: Members,
    private readonly kinds: readonly Kind[],
    private readonly mostBytes: number,
    private readonly begun: (job: Import, sent: Sent) => void,
  ) {}

  /** Fills the form with the earlier entries, and handles its events. */
  follow(): void {
    const { kinds } = this;
    const kind = select('#kind');
    kind.append(...kinds.map((each) => new Option(each, each)));
    const draft = draftNow();
    if (draft) {
      for (const name of ['decimal', 'date', 'source'] as const)
        input(`#${name}`).value = {
          decimal: draft.decimalMark,
          date: draft.date,
          source: draft.source,
        }[name];
      input('#events').checked = draft.events;
    }
    const chooser = input('#file');
    chooser.addEventListener('change', () => void this.choose(chooser.files?.[0]));
    this.followDrops(chooser);
    one('#kind').addEventListener('change', () => this.recognize());
    one('#lines').addEventListener('change', () => this.recognize());
    one('#delimiter').addEventListener('change', () => void this.choose(this.file ?? undefined));
    one('#decimal').addEventListener('change', () => this.check());
    one('#date').addEventListener('input', () => this.check());
    for (const name of ['#source', '#events']) one(name).addEventListener('input', () => this.keep());
    one('#new').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit(event.submitter?.id !== 'import');
    });
  }

  private followDrops(chooser: HTMLInputElement): void {
    const place = one('#drop');
    for (const name of ['dragover', 'dragleave', 'drop'])
      place.addEventListener(name, () => place.classList.toggle('over', name === 'dragover'));
    // If a file is dropped outside of the field, the browser must not open the file instead of the page.
    for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
    place.addEventListener('drop', (event) => {
      const files = event.dataTransfer?.files;
      if (!files?.[0]) return;
      chooser.files = files;
      select('#delimiter').value = '';
      void this.choose(files[0]);
    });
  }

  private async choose(file: File | undefined): Promise<void> {
    const turn = ++this.turn;
    this.file = file ?? null;
    this.head = null;
    tell('#file-fault', '');
    tell('#facts', '');
    clearFaults();
    one('#columns-step').hidden = true;
    one('#send-step').hidden = true;
    if (!file) return;
    try {
      const head = await readHead(file, this.mostBytes, valueOf('#delimiter') || undefined);
      if (turn !== this.turn) return;
      this.head = head;
      this.showHead(file, head);
    } catch (error) {
      if (turn !== this.turn) return;
      if (!(error instanceof Unreadable)) throw error;
      tell('#file-fault', error.message);
    }
  }

  private showHead(file: File, head: Head): void {
    const format = head.jsonBegin !== null ? 'JSON' : head.format.toUpperCase();
    const count = head.columns.length;
    tell(
      '#facts',
      `${short(file.name)}: ${format}, ${sizeOf(file.size)}, ${count.toLocaleString('en')} columns`,
    );
    const draft = draftNow();
    const isLike =
      draft !== null && this.kinds.includes(draft.kind) && hasColumns(head.columns, draft.choices);
    const options = isLike ? draft : likelyKind(this.members, this.kinds, head);
    select('#kind').value = options.kind;
    select('#lines').value = options.isLines ? 'lines' : 'orders';
    one('#delimiter-field').hidden = head.format !== 'csv';
    one('#columns-step').hidden = false;
    one('#send-step').hidden = false;
    this.recognize(isLike ? draft.choices : undefined);
  }

  /** Chooses the members of the columns again, because another kind of rows has other members. */
  private recognize(choices?: Readonly<Record<string, string>>): void {
    if (!this.head) return;
    const options = this.options();
    one('#lines-field').hidden = options.kind !== 'orders' || this.head.format !== 'csv';
    const columns = this.head.columns.filter(({ list }) => list === null || options.kind === 'orders');
    this.chosen =
      choices === undefined
        ? recognized(this.members, options, columns)
        : columns.map((column) => ({ ...column, choice: choices[keyOf(column)] ?? '' }));
    this.drawColumns(options);
    this.check();
  }

  private drawColumns(options: Options): void {
    const template = one('#column') as HTMLTemplateElement;
    const places = this.chosen
      .map((column, index) => ({ column, index }))
      .filter(({ column: { choice } }, index) => index < MOST_COLUMNS || choice !== '');
    const rows = places.map(({ column, index }) => {
      const row = (template.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
      const name = keyOf(column);
      const words = name === '' ? `column ${index + 1}` : short(name);
      (row.querySelector('.name') as HTMLElement).textContent = words;
      (row.querySelector('.sample') as HTMLElement).textContent = column.sample;
      const choices = row.querySelector('select') as HTMLSelectElement;
      choices.setAttribute('aria-label', `${words} becomes`);
      choices.append(new Option('– left out –', ''));
      for (const choice of choicesFor(this.members, options, column)) {
        const member = choice === 'items' ? 'items (the lines of the order)' : wordsFor(choice);
        choices.append(new Option(member, choice));
      }
      choices.value = column.choice;
      mark(row, column, true);
      choices.addEventListener('change', () => {
        this.chosen = this.chosen.map((each, at) =>
          at === index ? { ...each, choice: choices.value } : each,
        );
        mark(row, this.chosen[index] ?? column, false);
        this.check();
      });
      return row;
    });
    one('#columns').replaceChildren(...rows);
    const left = this.chosen.length - places.length;
    tell(
      '#others',
      left > 0 ? `${left.toLocaleString('en')} further columns are not recognized, and are left out.` : '',
    );
  }

  private options(): Options {
    return {
      kind: valueOf('#kind') as Kind,
      isLines: this.head?.format === 'csv' && valueOf('#kind') === 'orders' && valueOf('#lines') === 'lines',
      delimiter: this.head?.format === 'csv' ? valueOf('#delimiter') : '',
      decimalMark: valueOf('#decimal'),
      date: valueOf('#date').trim(),
    };
  }

  /** Says what must still be chosen. @returns whether the file can be sent */
  private check(): boolean {
    if (!this.head) return false;
    clearFaults();
    const faults = faultsOf(this.members, this.options(), this.chosen, this.head.format);
    tell('#missing', faults.join(' '));
    this.keep();
    return faults.length === 0;
  }

  private keep(): void {
    if (!this.head) return;
    const choices = this.chosen
      .slice(0, MOST_COLUMNS)
      .map((column) => [keyOf(column), column.choice] as const);
    const draft: Draft = {
      ...this.options(),
      source: valueOf('#source').trim(),
      events: input('#events').checked,
      choices: Object.fromEntries(choices),
    };
    try {
      sessionStorage.setItem(DRAFT, JSON.stringify(draft));
    } catch {
      // The names of the columns are too long for the storage, so only this page keeps the entries.
    }
  }

  private async submit(rehearsal: boolean): Promise<void> {
    const { file, head } = this;
    if (!file || !head || one('#new').getAttribute('aria-busy') === 'true') return;
    if (!this.check()) {
      one('#missing').scrollIntoView({ block: 'center' });
      const open = [...document.querySelectorAll<HTMLSelectElement>('#columns select')];
      (open.find(({ value }) => value === '') ?? open[0])?.focus();
      return;
    }
    const options = this.options();
    const mapping = mappingOf(this.members, options, this.chosen, head);
    const source = valueOf('#source').trim() || 'store';
    const body = {
      kind: options.kind,
      format: head.format,
      source,
      events: input('#events').checked,
      ...(options.isLines && { order_lines: true }),
      ...(mapping !== null && { mapping }),
    };
    one('#new').setAttribute('aria-busy', 'true');
    try {
      this.begun(await this.create({ ...body, rehearsal }), { file, head, body });
    } catch (error) {
      showFault(error);
    } finally {
      one('#new').removeAttribute('aria-busy');
    }
  }

  /** A second try after a lost answer makes no second import. */
  private async create(body: object): Promise<Import> {
    const text = JSON.stringify(body);
    if (this.sent?.body !== text) this.sent = { body: text, key: newKey() };
    const { key } = this.sent;
    try {
      const job = await post('', body, key);
      this.sent = null;
      return job;
    } catch (error) {
      if (error instanceof Refused && !error.isForNow) this.sent = null;
      throw error;
    }
  }
}

/** Creates the import of a file after its check. */
export function importAfterCheck({ body }: Sent): Promise<Import> {
  return post('', { ...body, rehearsal: false }, newKey());
}

/** A random key. `crypto.randomUUID` exists only with https, and these pages also work without it. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

function draftNow(): Draft | null {
  const text = sessionStorage.getItem(DRAFT);
  return text === null ? null : (JSON.parse(text) as Draft);
}

/** Whether these are the columns of the file that was chosen before, perhaps with the reasons of refusals. */
function hasColumns(columns: readonly Column[], choices: Draft['choices']): boolean {
  const names = columns.map(keyOf).filter((name) => name !== REASONS);
  const before = Object.keys(choices).filter((name) => name !== REASONS);
  return names.length === before.length && names.every((name) => Object.hasOwn(choices, name));
}

/** @param isFirst whether the visitor has not chosen yet */
function mark(row: HTMLElement, { name, choice }: Chosen, isFirst: boolean): void {
  const isUnknown = isFirst && choice === '' && name !== REASONS;
  row.classList.toggle('unknown', isUnknown);
  const words = isUnknown ? 'not recognized' : '';
  (row.querySelector('.mark') as HTMLElement).textContent =
    name === REASONS && choice === '' ? 'reasons of refusals' : words;
}

/** The fields of the members to which the service may object. */
const FIELDS: Readonly<Record<string, string>> = {
  '#/source': 'source',
  '#/kind': 'kind',
  '#/order_lines': 'lines',
  '#/mapping': 'mapping',
};

function clearFaults(): void {
  for (const name of Object.values(FIELDS)) {
    tell(`#${name}-fault`, '');
    document.getElementById(name)?.removeAttribute('aria-invalid');
  }
  tell('#told', '');
}

function showFault(error: unknown): void {
  const faults = error instanceof Refused ? error.faults : [];
  const others: string[] = [];
  for (const { pointer = '', detail } of faults) {
    const name = FIELDS[pointer];
    if (name === undefined) others.push(`${pointer.replace(/^#\//, '')} ${detail}`.trim());
    else {
      tell(`#${name}-fault`, detail);
      const field = document.getElementById(name);
      field?.setAttribute('aria-invalid', 'true');
      field?.closest('details')?.setAttribute('open', '');
    }
  }
  const reason =
    error instanceof Refused
      ? error.status === 401
        ? 'Your session has ended. Sign in again. Your choices are kept, but you must choose the file again.'
        : error.message
      : 'The service cannot be reached. Your choices are still here. Try again: only one import is created.';
  const isAtFields = faults.length > 0 && others.length === 0;
  tell('#told', isAtFields ? 'Not sent. Look at the marked fields.' : others.join('. ') || reason);
  one('#told').focus();
}
