import { hasColumns, keepDraft, keptDraft } from './draft.js';
import { input, one, select, tell } from './elements.js';
import { faultsOf, inWords } from './faults.js';
import { readHead, sizeOf, type Head } from './file-head.js';
import { GivenMapping } from './given-mapping.js';
import { Unreadable } from './json-rows.js';
import {
  choiceOf,
  columnOf,
  isOwn,
  ITEMS,
  keyOf,
  mappingOf,
  slotsOf,
  short,
  unusedIn,
  type Choice,
  type Choices,
  type Kind,
  type Members,
  type Options,
  type MemberSlot,
  type Plan,
} from './mapping.js';
import { drawMembers, focusMember, MOST_COLUMNS, refreshMembers, setMember } from './member-rows.js';
import { likelyKind, recognised, recognisedWith, wordsOf } from './recognition.js';
import { save } from '../save.js';
import { post, Refused, type Import } from './service.js';
import { faultOfDate } from './values.js';

/** The source of rows if the visitor names none. */
const OWN_SOURCE = 'store';
/** The maximum number of unused columns that the page names. */
const MOST_NAMED = 20;

/** A file that was sent, or is being sent. */
export interface Sent {
  readonly file: File;
  readonly head: Head;
  readonly body: object;
  /** The `Idempotency-Key` of the import after the check. With the same key, a second click makes no second import. */
  readonly key: string;
}

const valueOf = (selector: string): string => input(selector).value;
/** The fields for the whole file, with the entries of the draft that they show again. */
const KEPT_FIELDS = { decimal: 'decimalMark', date: 'date', absent: 'absent', source: 'source' } as const;

/** The form for a new import: the file, and how the members of its rows get their values. */
export class NewImport {
  private file: File | null = null;
  private head: Head | null = null;
  private choices: Choices = {};
  private readonly given = new GivenMapping(() => this.check());
  private turn = 0;
  private sent: { readonly body: string; readonly key: string } | null = null;

  /**
   * @param begun is called with the new import and its file
   * @param signedOut is called with the reason when the visitor must sign in again
   */
  constructor(
    private readonly members: Members,
    private readonly kinds: readonly Kind[],
    private readonly mostBytes: number,
    private readonly begun: (job: Import, sent: Sent) => void,
    private readonly signedOut: (why: string) => void,
  ) {}

  /** Fills the form with the earlier entries, and handles its events. */
  follow(): void {
    const { kinds } = this;
    const kind = select('#kind');
    kind.append(...kinds.map((each) => new Option(each, each)));
    const draft = keptDraft();
    if (draft) {
      for (const [field, entry] of Object.entries(KEPT_FIELDS)) input(`#${field}`).value = draft[entry];
      input('#events').checked = draft.events;
    }
    const chooser = input('#file');
    chooser.addEventListener('change', () => void this.choose(chooser.files?.[0]));
    this.followDrops(chooser);
    one('#kind').addEventListener('change', () => this.recognise());
    one('#lines').addEventListener('change', () => this.recognise());
    one('#delimiter').addEventListener('change', () => void this.choose(this.file ?? undefined));
    one('#decimal').addEventListener('change', () => this.check());
    for (const name of ['#date', '#absent']) one(name).addEventListener('input', () => this.check());
    for (const name of ['#source', '#events']) one(name).addEventListener('input', () => this.keep());
    this.given.follow();
    one('#save').addEventListener('click', () => this.saveMapping());
    one('#new').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit(event.submitter?.id !== 'import');
    });
  }

  private followDrops(chooser: HTMLInputElement): void {
    const dropZone = one('#drop');
    for (const name of ['dragover', 'dragleave', 'drop'])
      dropZone.addEventListener(name, () => dropZone.classList.toggle('over', name === 'dragover'));
    // If a file is dropped outside of the field, the browser must not open the file instead of the page.
    for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());
    dropZone.addEventListener('drop', (event) => {
      const files = event.dataTransfer?.files;
      if (!files?.[0]) return;
      const isOne = files.length === 1;
      if (isOne) chooser.files = files;
      else chooser.value = '';
      select('#delimiter').value = '';
      void this.choose(isOne ? files[0] : undefined);
      if (!isOne) tell('#file-fault', 'Only one file can be imported at a time. Drop one file.');
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
      `${short(file.name)}: ${format}, ${sizeOf(file.size)}, ${count === 1 ? '1 column' : `${count.toLocaleString('en')} columns`}`,
    );
    const draft = keptDraft();
    const isLike = draft !== null && this.kinds.includes(draft.kind) && hasColumns(draft, head.columns);
    const options = isLike ? draft : likelyKind(this.members, this.kinds, head);
    select('#kind').value = options.kind;
    const hasItems = head.columns.some(({ name }) => name === ITEMS);
    select('#lines').value = options.isLines || !hasItems ? 'lines' : 'orders';
    one('#delimiter-field').hidden = head.format !== 'csv';
    one('#columns-step').hidden = false;
    one('#send-step').hidden = false;
    this.given.show(isLike ? draft.given : null);
    this.recognise(isLike ? draft.choices : undefined);
  }

  /** Takes the given choices, or finds the columns of the members. Each kind of rows has its own members. */
  private recognise(choices?: Choices): void {
    const plan = this.plan();
    if (!plan) return;
    one('#lines-field').hidden = plan.options.kind !== 'orders' || plan.head.format !== 'csv';
    this.choices = choices ?? recognised(plan);
    this.draw(plan);
  }

  private draw(plan: Plan): void {
    drawMembers(plan, this.choices, (slot, choice) => this.change(slot, choice));
    this.check();
  }

  private change({ key, member }: MemberSlot, choice: Choice): void {
    const plan = this.plan();
    if (!plan) return;
    const before = choiceOf(this.choices, key);
    const [old, column] = [columnOf(plan, before), columnOf(plan, choice)];
    const isNew = before.from !== choice.from;
    const isBegun = isNew && choice.from === 'template' && choice.template === '' && old !== undefined;
    const now: Choice = {
      ...choice,
      ...(isNew && column && { words: wordsOf(member, column) }),
      ...(isBegun && { template: `{${old.name}}` }),
    };
    this.choices = { ...this.choices, [key]: now };
    if (isNew) setMember(key, now);
    if (key !== ITEMS) return void this.check();
    // Another list has other columns for the members of the lines.
    const lines = slotsOf(plan).filter(({ of }) => of === 'items');
    const found = recognisedWith(plan, column);
    this.choices = {
      ...this.choices,
      ...Object.fromEntries(lines.map((line) => [line.key, choiceOf(found, line.key)])),
    };
    this.draw(plan);
    focusMember(key);
  }

  private plan(): Plan | null {
    return this.head && { members: this.members, options: this.options(), head: this.head };
  }

  private options(): Options {
    return {
      kind: valueOf('#kind') as Kind,
      isLines: this.head?.format === 'csv' && valueOf('#kind') === 'orders' && valueOf('#lines') === 'lines',
      delimiter: this.head?.format === 'csv' ? valueOf('#delimiter') : '',
      decimalMark: valueOf('#decimal'),
      date: valueOf('#date').trim(),
      absent: valueOf('#absent').trim(),
    };
  }

  /**
   * Says what must still be corrected.
   *
   * @returns a function that puts the focus on a field with a fault; null if nothing must be corrected
   */
  private check(): (() => void) | null {
    const plan = this.plan();
    if (!plan) return null;
    clearFaults();
    this.keep();
    const isGiven = this.given.now !== null;
    const faults = isGiven ? [] : faultsOf(plan, this.choices);
    const date = isGiven ? null : faultOfDate(plan.options.date);
    refreshMembers(plan, this.choices, faults);
    tell('#others', unusedWords(plan, this.choices));
    if (date !== null) showAt('date', date);
    tell(
      '#missing',
      [inWords(faults), date === null ? '' : 'Correct the pattern of dates.'].join(' ').trim(),
    );
    const isSavable = !isGiven && faults.length === 0 && date === null && !isOwn(plan, this.choices);
    one('#save-mapping').hidden = !isSavable;
    const key = faults.find((fault) => fault.key !== null)?.key;
    if (typeof key === 'string') return () => focusMember(key);
    if (date !== null) return () => input('#date').focus();
    return faults.length === 0 ? null : () => input('#file').focus({ preventScroll: true });
  }

  private keep(): void {
    const plan = this.plan();
    if (!plan) return;
    keepDraft({
      ...plan.options,
      source: valueOf('#source').trim(),
      events: input('#events').checked,
      columns: plan.head.columns.map(keyOf),
      choices: this.choices,
      given: this.given.now,
    });
  }

  private saveMapping(): void {
    const plan = this.plan();
    if (!plan || !this.file) return;
    const mapping = mappingOf(plan, this.choices, valueOf('#source').trim() || OWN_SOURCE);
    const content = new Blob([`${JSON.stringify(mapping, null, 2)}\n`], { type: 'application/json' });
    save(content, `${this.file.name.replace(/\.[^.]*$/, '')}.mapping.json`);
  }

  private async submit(rehearsal: boolean): Promise<void> {
    const { file, head } = this;
    const plan = this.plan();
    if (!file || !head || !plan || one('#new').getAttribute('aria-busy') === 'true') return;
    const correct = this.check();
    if (correct) {
      one('#missing').scrollIntoView({ block: 'center' });
      return correct();
    }
    const given = this.given.now;
    const source = valueOf('#source').trim() || (given ? '' : OWN_SOURCE);
    const mapping =
      given?.text ?? (isOwn(plan, this.choices) ? null : JSON.stringify(mappingOf(plan, this.choices, '')));
    const body = {
      kind: plan.options.kind,
      format: head.format,
      events: input('#events').checked,
      ...(source !== '' && { source }),
      ...(plan.options.isLines && { order_lines: true }),
      ...(mapping !== null && { mapping }),
    };
    one('#new').setAttribute('aria-busy', 'true');
    try {
      this.begun(await this.create({ ...body, rehearsal }), { file, head, body, key: newKey() });
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        this.signedOut(
          'Your session has ended. Your choices are kept, but you must choose the file again after the sign-in.',
        );
        one('#ask a').focus();
      } else showFault(error, given !== null);
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
export function importAfterCheck({ body, key }: Sent): Promise<Import> {
  return post('', { ...body, rehearsal: false }, key);
}

/** A random key. `crypto.randomUUID` exists only with https or on this machine, and these pages also work with http. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** Says which columns are not used. */
function unusedWords(plan: Plan, choices: Choices): string {
  const unused = unusedIn(plan, choices);
  const names = unused
    .slice(0, MOST_NAMED)
    .map((column) => short(keyOf(column)) || 'a column without a name');
  const more = unused.length - names.length;
  const end = more > 0 ? ` and ${more.toLocaleString('en')} more` : '';
  const words = names.length === 0 ? '' : `Columns that are not used: ${names.join(', ')}${end}.`;
  return plan.head.columns.length > MOST_COLUMNS
    ? `${words} Only ${MOST_COLUMNS} columns can be chosen here. A mapping file can name all of them.`
    : words;
}

/** For each member of the request that the service may refuse: the id of its field on the page. */
const FIELDS: Readonly<Record<string, string>> = {
  '#/source': 'source',
  '#/kind': 'kind',
  '#/order_lines': 'lines',
  '#/mapping': 'mapping',
};

function clearFaults(): void {
  for (const name of [...Object.values(FIELDS), 'choices', 'date']) {
    tell(`#${name}-fault`, '');
    document.getElementById(name)?.removeAttribute('aria-invalid');
  }
  tell('#told', '');
}

/** Shows a fault at the field with this id. */
function showAt(name: string, detail: string): void {
  tell(`#${name}-fault`, detail);
  const field = document.getElementById(name);
  if (field?.matches('input, select') === true) field.setAttribute('aria-invalid', 'true');
  field?.closest('details')?.setAttribute('open', '');
}

/** @param isGiven whether the visitor gave a mapping file */
function showFault(error: unknown, isGiven: boolean): void {
  const faults = error instanceof Refused ? error.faults : [];
  const others: string[] = [];
  for (const { pointer = '', detail } of faults) {
    const name = pointer === '#/mapping' && !isGiven ? 'choices' : FIELDS[pointer];
    if (name === undefined) others.push(`${pointer.replace(/^#\//, '')} ${detail}`.trim());
    else showAt(name, detail);
  }
  const reason =
    error instanceof Refused
      ? error.message
      : 'The service cannot be reached. Your choices are still here. Try again: only one import is created.';
  const isAtFields = faults.length > 0 && others.length === 0;
  tell('#told', isAtFields ? 'Not sent. Look at the marked fields.' : others.join('. ') || reason);
  one('#told').focus();
}
