import { showAccount } from './account.js';
import { input, one } from './imports/elements.js';
import { readHead } from './imports/file-head.js';
import {
  countsOf,
  fillLine,
  follow,
  lineOf,
  listed,
  nameOf,
  Refusals,
  saveRefusedRows,
  shareOf,
  stateOf,
} from './imports/job.js';
import { Unreadable } from './imports/json-rows.js';
import type { Kind, Members } from './imports/mapping.js';
import { importAfterCheck, NewImport, type Sent } from './imports/new-import.js';
import { ask, Refused, type Import } from './imports/service.js';
import { cancel, OtherFile, upload, type Watcher } from './imports/upload.js';
import { session } from './session.js';

/*
 * The page of imports. If its address has no id, the visitor chooses a file for a new import. If its address has an id,
 * the page shows this import. The page sends the file in parts. When the service has all parts, it works without the
 * page, so the page may be closed and opened again.
 */

const say = (text: string): void => void (one('#said').textContent = text);

const main = one('#main');
const members = JSON.parse(main.dataset['members'] ?? '{}') as Members;
const mostBytes = Number(main.dataset['mostBytes']);

/** The files of the imports that were begun on this page, by the ids of the imports. */
const files = new Map<number, Sent>();
let view: JobView | null = null;

/** Shows one import, and sends its file if this page has it. */
class JobView {
  private isOver = false;
  private job: Import | null = null;
  private told = '';
  isSending = false;
  private sentShare = 0;
  private refusals: Refusals | null = null;
  /** Why the last upload, or the last command of the visitor, failed; empty if it did not fail. */
  private refused = '';
  /** Why the state could not be read; empty after a successful read. */
  private unread = '';

  constructor(private readonly id: number) {
    one('#refusals').hidden = true;
    one('#job-fault').textContent = '';
    one('#again').hidden = true;
    one('#counts').replaceChildren();
    one('#words').textContent = '';
    one('#state').textContent = '';
    for (const name of ['#go-on', '#refused', '#cancel']) one(name).hidden = true;
    void this.start();
  }

  private async start(): Promise<void> {
    const sent = files.get(this.id);
    if (sent) void this.send(sent.file, sent.head);
    await follow(
      this.id,
      (job) => this.show(job),
      (why) => this.cannotRead(why),
      () => this.isOver,
    );
  }

  private show(job: Import): void {
    if (this.isOver) return;
    this.job = job;
    one('#title').textContent = nameOf(job);
    document.title = `${nameOf(job)} – Store service`;
    this.fillList();
    const state = one('#state');
    state.textContent = job.state;
    state.dataset['state'] = job.state;
    const words =
      job.state === 'uploading' && this.isSending
        ? `Sending the file: ${Math.floor(this.sentShare * 100)} %.`
        : stateOf(job);
    one('#words').textContent = words;
    const progress = one('#progress') as HTMLProgressElement;
    const share = job.state === 'uploading' ? (this.isSending ? this.sentShare : null) : shareOf(job);
    progress.hidden =
      job.state === 'failed' || job.state === 'cancelled' || (job.state === 'uploading' && share === null);
    if (share === null) progress.removeAttribute('value');
    else progress.value = share;
    this.showFault();
    one('#counts').replaceChildren(...countsOf(job).map(([text, count]) => pairOf(text, count)));
    one('#cancel').hidden = job.ended_at !== null;
    one('#again').hidden = job.state !== 'uploading' || this.isSending;
    this.announce(job, share, words);
    if (job.ended_at !== null) this.end(job);
  }

  /** Shows the present state in the list too, because the list is not read again with each state. */
  fillList(): void {
    const line = document.querySelector(`#list a[href="/imports?id=${this.id}"]`)?.parentElement;
    if (line && this.job) fillLine(line, this.job);
  }

  /** A screen reader reads each state, and each quarter of the progress. */
  private announce({ state }: Import, share: number | null, words: string): void {
    const step = `${state} ${share === null ? '' : Math.floor(share * 4)}`;
    if (step === this.told) return;
    this.told = step;
    say(words);
  }

  private end(job: Import): void {
    void list();
    one('#refused').hidden = job.refused === 0;
    one('#go-on').hidden = !(job.state === 'done' && job.rehearsal && files.has(job.id) && job.rows > 0);
    if (job.refused === 0 || this.refusals) return;
    one('#refusals').hidden = false;
    this.refusals = new Refusals(job.id, one('#faults') as HTMLTableSectionElement);
    void this.more();
  }

  leave(): void {
    this.isOver = true;
  }

  more(): Promise<void> {
    return this.attempt(async () => {
      const found = await this.refusals?.more();
      if (this.isOver || !found) return;
      one('#faults-shown').textContent = found.words;
      one('#more-faults').hidden = !found.hasMore;
    });
  }

  private showFault(): void {
    if (this.isOver) return;
    one('#job-fault').textContent = this.refused || this.unread || (this.job?.problem ?? '');
  }

  private refuse(why: string): void {
    this.refused = why;
    this.showFault();
  }

  /** Executes a command of the visitor. If the command fails, shows the reason. */
  private async attempt(command: () => Promise<void>): Promise<void> {
    this.refuse('');
    try {
      await command();
    } catch (error) {
      if (error instanceof Refused && error.status === 401) askToSignIn('Your session has ended.');
      else
        this.refuse(error instanceof Refused ? error.message : 'The service cannot be reached. Try again.');
    }
  }

  /** @param why the reason; null after a successful read (see `follow`) */
  private cannotRead(why: unknown): void {
    if (why === null) this.unread = '';
    else if (why instanceof Refused && why.status === 401) askToSignIn('Your session has ended.');
    else if (why instanceof Refused && why.status === 404) {
      one('#words').textContent = '';
      one('#progress').hidden = true;
      this.unread = `There is no import ${this.id}, or you may not see it.`;
    } else if (why instanceof Refused) this.unread = why.message;
    else {
      const goesOn = this.job?.state === 'uploading' ? '' : ' The import goes on without this page.';
      this.unread = `The service cannot be reached.${goesOn} The page tries again by itself.`;
    }
    this.showFault();
  }

  private async send(file: File, head: Sent['head']): Promise<void> {
    this.isSending = true;
    this.sentShare = 0;
    this.refuse('');
    try {
      // The page shows the state before any fault of the file.
      if (!this.job) this.show(await ask<Import>(`/${this.id}`));
      // When the visitor comes back to an import of this page, the service may already have the whole file.
      if (this.job?.state === 'uploading') await upload(this.job, file, head, this.watcher());
      this.refuse('');
    } catch (error) {
      this.isSending = false;
      this.refuse(reasonOf(error));
      if (this.job) this.show(this.job);
    }
    this.isSending = false;
  }

  private watcher(): Watcher {
    return {
      sent: (share) => {
        this.sentShare = share;
        this.refused = '';
        if (this.job?.state === 'uploading') this.show(this.job);
      },
      waits: (why) => this.refuse(why),
      isOver: () => this.isOver,
    };
  }

  /** Sends a file that was chosen again. */
  async resume(file: File): Promise<void> {
    try {
      await this.send(file, await readHead(file, mostBytes));
    } catch (error) {
      this.refuse(reasonOf(error));
    }
  }

  cancel(): Promise<void> {
    return this.attempt(async () => {
      this.show(await cancel(this.id));
      one('#title').focus();
    });
  }

  goOn(): Promise<void> {
    return this.attempt(async () => {
      const sent = files.get(this.id);
      if (sent) begin(await importAfterCheck(sent), sent);
    });
  }

  saveRefused(): Promise<void> {
    return this.attempt(async () => {
      if (!this.job) return;
      await saveRefusedRows(this.job, files.get(this.id)?.file.name ?? '');
      say('Saved.');
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof OtherFile) {
    return 'This is not the file that the import began with. Choose the same file, or cancel this import and begin again.';
  }
  if (error instanceof Refused && error.status === 401) {
    askToSignIn('Your session has ended.');
    return 'Sign in again, and then choose the same file.';
  }
  if (error instanceof Refused || error instanceof Unreadable) return error.message;
  return 'The service cannot be reached. Choose the same file again.';
}

function pairOf(text: string, count: string): HTMLElement {
  const pair = document.createElement('div');
  const [term, value] = [document.createElement('dt'), document.createElement('dd')];
  term.textContent = text;
  value.textContent = count;
  pair.append(term, value);
  return pair;
}

/** Shows how to sign in. The visitor comes back to this address. */
function askToSignIn(why: string): void {
  one('#why').textContent = why;
  const back = new URLSearchParams({ return_to: location.pathname + location.search });
  (one('#ask a') as HTMLAnchorElement).href = `/sign-in?${back.toString()}`;
  one('#ask').hidden = false;
}

/** Shows an import that was just made, and sends its file. */
function begin(job: Import, sent: Sent): void {
  files.set(job.id, sent);
  cursor = null;
  history.pushState(null, '', `/imports?id=${job.id}`);
  route();
  one('#title').focus();
}

/** Shows the import that the address names, or the form for a new import. */
function route(): void {
  view?.leave();
  view = null;
  const id = new URLSearchParams(location.search).get('id');
  const isJob = id !== null && /^[1-9]\d{0,15}$/.test(id);
  one('#new').hidden = isJob;
  one('#job').hidden = !isJob;
  one('#title').textContent = isJob ? `Import ${id}` : 'Import a file';
  document.title = 'Import a file – Store service';
  if (isJob) view = new JobView(Number(id));
  void list();
}

/** The page of the list that is shown; null for the newest imports. */
let cursor: string | null = null;

async function list(): Promise<void> {
  try {
    const asked = cursor;
    const { data, page } = await listed(asked);
    if (asked !== cursor) return;
    one('#list').replaceChildren(...data.map(lineOf));
    view?.fillList();
    one('#none').hidden = data.length > 0 || page.previous !== null;
    one('#list-fault').textContent = '';
    for (const [name, target] of [
      ['#newer', page.previous],
      ['#older', page.next],
    ] as const) {
      one(name).hidden = target === null;
      one(name).dataset['cursor'] = target ?? '';
    }
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return askToSignIn('Your session has ended.');
    one('#list-fault').textContent =
      `The imports cannot be listed now. ${error instanceof Refused ? error.message : 'The service cannot be reached.'}`;
  }
}

/** Shows the page of the list to which a button leads. The title gets the focus, because the button may disappear. */
async function turn({ currentTarget }: Event): Promise<void> {
  cursor = (currentTarget as HTMLElement).dataset['cursor'] || null;
  await list();
  one('#jobs-title').focus();
}

function start(kinds: readonly Kind[]): void {
  new NewImport(members, kinds, mostBytes, begin, askToSignIn).follow();
  one('#cancel').addEventListener('click', () => void view?.cancel());
  one('#go-on').addEventListener('click', () => void view?.goOn());
  one('#refused').addEventListener('click', () => void view?.saveRefused());
  for (const name of ['#newer', '#older']) one(name).addEventListener('click', (event) => void turn(event));
  one('#more-faults').addEventListener('click', () => void view?.more());
  input('#again-file').addEventListener('change', ({ target }) => {
    const file = (target as HTMLInputElement).files?.[0];
    if (file) void view?.resume(file);
  });
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="/imports"]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (link.href !== location.href) history.pushState(null, '', link.href);
    route();
    one('#title').focus();
  });
  addEventListener('popstate', route);
  addEventListener('beforeunload', (event) => {
    if (view?.isSending === true) event.preventDefault();
  });
  one('#jobs').hidden = false;
  route();
}

showAccount(say);
const scopes = session()?.holder.scopes;
const has = (scope: string): boolean =>
  scopes?.includes('admin') === true || scopes?.includes(scope) === true;
if (!scopes) askToSignIn('An import needs a credential.');
else if (!has('products:write')) askToSignIn('Your credential may not import.');
else start((['products', 'users', 'orders'] as const).filter((kind) => has(`${kind}:write`)));
