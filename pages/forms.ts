import { changedIn, pathPart } from '../src/rules/entered.js';
import {
  draftOf,
  entriesIn,
  isOf,
  keepDrafts,
  keepOnlyDraftsOf,
  keptDraft,
  putBack,
  type Draft,
  type Origin,
  type ShownState,
} from './drafts.js';
import { isComplete } from './form-checks.js';
import { clearFaults, showProblem, tell, told, type Problem } from './form-faults.js';
import { showRace, takeTheirs } from './race.js';
import { isAllowed } from './rights.js';
import { authorizedFetch, holderOf, onChange, onEnd, session, signIn } from './session.js';
import { settle, suggest, takeName } from './suggestions.js';
import { addLine, controlIn, fieldsIn, fill, linesOf, nameOf, valuesIn, type Values } from './form-values.js';

/*
 * The forms of a page. The service writes them, hidden, from the contract (src/engine/browse/forms.ts). This script
 * shows those that the session allows, sends them, and shows each fault of the answer at its field.
 */

export interface Page {
  /** Shows an address in the place of this page. */
  readonly show: (address: string, isNew: boolean) => Promise<boolean>;
  /** Shows a sentence to the visitor. */
  readonly say: (text: string) => void;
}

/** The state of a form while its page is shown. */
interface State extends ShownState {
  /**
   * The request that was sent last (its address and its body), with its key. If the same request is sent again, it has
   * the same key, so the service makes the change only once.
   */
  sent: { readonly request: string; readonly key: string } | null;
}

const states = new WeakMap<HTMLFormElement, State>();
/** The entries of the forms that are drawn again after another form of the page was sent. */
let carried: readonly Draft[] = [];
/** Whether the session ended while the forms were shown. Then the visitor leaves this page for the sign-in. */
let isEnded = false;
/**
 * The path of the page with the forms, and the holder of the session for which they are shown. `location` may already
 * have the address of the next page.
 */
let origin: Origin = { path: location.pathname, holder: null };

/** Shows the forms of a page that was just loaded. */
export function prepareForms(): void {
  isEnded = false;
  origin = { path: location.pathname, holder: holderOf(session()) };
  if (origin.holder !== null) keepOnlyDraftsOf(origin.holder);
  for (const action of document.querySelectorAll<HTMLDetailsElement>('[data-operation]')) {
    const form = action.querySelector('form');
    if (!form) continue;
    // This script checks the entries itself, to show each fault at its field.
    form.noValidate = true;
    action.hidden = !isAllowed(action, session());
    showHints(action);
    for (const field of fieldsIn(form)) prepareField(field);
    const fresh = { base: entriesIn(form), etag: form.dataset['etag'] };
    const draft = action.hidden ? null : (carried.find((each) => isOf(each, form)) ?? keptDraft(form));
    states.set(form, { ...(draft ? putBack(form, draft, fresh) : fresh), sent: null });
    if (draft) action.open = true;
  }
}

/** The entries of the visitor in the forms of this page. */
function drafts(hasSecrets: boolean, except?: HTMLFormElement): Draft[] {
  return [...document.querySelectorAll<HTMLFormElement>('[data-operation] form')]
    .filter((form) => form !== except)
    .map((form) => draftOf(form, stateOf(form), origin, hasSecrets))
    .filter((draft) => draft !== null);
}

/** Shows this page again after a form was sent. The entries of the other forms stay. */
async function redraw(form: HTMLFormElement, page: Page): Promise<boolean> {
  const kept = drafts(false, form);
  const before = origin;
  carried = drafts(true, form);
  const isShown = await page.show(location.href, false);
  carried = [];
  // The form may have ended the session of the visitor. The entries of this form were sent, so they are no draft.
  if (!session() || document.body.dataset['status'] === '401') keepDrafts(kept, before);
  return isShown;
}

/**
 * Shows the hints of the suggestions, if the visitor may read the suggested rows. Lines of a list that the visitor adds
 * later get these hints too.
 */
function showHints(action: HTMLElement): void {
  const templates = [...action.querySelectorAll('template')].map(({ content }) => content);
  for (const hint of [action, ...templates].flatMap((part) => [
    ...part.querySelectorAll<HTMLElement>('[data-find]'),
  ])) {
    const input = hint.closest('[data-field]')?.querySelector<HTMLElement>('[data-list]');
    hint.hidden = !input || !isAllowed(input, session());
    // `form-checks.ts` shows this text if the entry is not an id.
    if (input && !hint.hidden) input.title = 'Choose one of the suggestions, or enter the id.';
  }
}

function prepareField(field: HTMLElement): void {
  if (field.dataset['control'] === 'time') {
    const input = controlIn(field);
    const moment = input.dataset['time'] ?? '';
    if (moment !== '') fill(field.closest('form') as HTMLFormElement, { [nameOf(field)]: moment });
  }
  if (field.dataset['control'] !== 'lines') return;
  const least = Number(field.dataset['least']);
  for (let count = linesOf(field).length; count < least; count++) addLine(field);
}

/** Handles the events of all forms, also of forms that are loaded later. */
export function followForms(page: Page): void {
  onChange(() => {
    if (session()) isEnded = false;
  });
  onEnd(() => {
    keepEntries();
    if (drafts(false).length > 0)
      page.say('Your session has ended. Sign in again: this tab keeps your entries until then.');
  });
  addEventListener('pagehide', () => {
    if (isEnded) keepEntries();
  });
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.dataset['method'] === undefined) return;
    event.preventDefault();
    void submit(form, page);
  });
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-add], [data-remove]');
    const field = button?.closest<HTMLElement>('[data-control=lines]');
    if (!button || !field) return;
    if (button.hasAttribute('data-add')) controlIn(addLine(field)).focus();
    else {
      button.closest('.line')?.remove();
      field.querySelector<HTMLElement>('[data-add]')?.focus();
    }
    limitLines(field);
  });
  document.addEventListener('input', (event) => {
    const target = event.target as HTMLInputElement;
    target.closest<HTMLElement>('[data-field]')?.setAttribute('data-touched', '');
    if (target.dataset['list'] !== undefined) later(target);
  });
  document.addEventListener('change', (event) => {
    const target = event.target as HTMLInputElement;
    if (target.dataset['list'] !== undefined) void settle(target);
  });
  document.addEventListener('focusin', (event) => {
    const target = event.target as HTMLInputElement;
    if (target.dataset?.['list'] !== undefined) void suggest(target);
  });
}

const waiting = new WeakMap<HTMLInputElement, number>();

/** Suggests after a pause in the typing. Otherwise, every letter would cause a request. */
function later(input: HTMLInputElement): void {
  clearTimeout(waiting.get(input));
  waiting.set(
    input,
    setTimeout(() => void suggest(input), 200),
  );
}

function limitLines(field: HTMLElement): void {
  const most = Number(field.dataset['most'] ?? Infinity);
  const add = field.querySelector<HTMLButtonElement>('[data-add]');
  if (add) add.disabled = linesOf(field).length >= most;
}

async function submit(form: HTMLFormElement, page: Page): Promise<void> {
  if (form.getAttribute('aria-busy') === 'true') return;
  clearFaults(form);
  await takeNames(form);
  // Without a session, the names of rows that are not public are not looked up. So `isComplete` would report faults at
  // their fields, although the cause is the end of the session.
  if (isEnded && !session()) return endedIn(form, page);
  if (!isComplete(form)) return;
  if (form.dataset['method'] === 'DELETE' && !(await isConfirmed(form))) return;
  await attempt(form, page);
}

/** Replaces the exact name of a row by the id of this row, in each field. Meanwhile, the form cannot be sent. */
async function takeNames(form: HTMLFormElement): Promise<void> {
  form.setAttribute('aria-busy', 'true');
  try {
    await Promise.all([...form.querySelectorAll<HTMLInputElement>('input[data-list]')].map(takeName));
  } finally {
    form.removeAttribute('aria-busy');
  }
}

async function attempt(form: HTMLFormElement, page: Page): Promise<void> {
  form.setAttribute('aria-busy', 'true');
  page.say('Sending…');
  try {
    await send(form, page);
  } catch {
    tell(
      form,
      'The service cannot be reached. Your entries are still here. Try again: the change is made only once.',
    );
    page.say('');
  } finally {
    form.removeAttribute('aria-busy');
  }
}

async function send(form: HTMLFormElement, page: Page): Promise<void> {
  const state = stateOf(form);
  const { method = 'POST' } = form.dataset;
  const all = valuesIn(form);
  const values = method === 'PATCH' ? changedIn(all, state.base) : all;
  if (method === 'PATCH' && Object.keys(values).length === 0) {
    page.say('Nothing was changed.');
    return;
  }
  const body = form.hasAttribute('data-body') ? JSON.stringify(values) : null;
  const address = addressOf(form);
  const answer = await authorizedFetch(address, {
    method,
    body,
    headers: {
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(state.etag !== undefined && { 'if-match': state.etag }),
      ...(form.hasAttribute('data-keyed') && {
        'idempotency-key': `"${keyOf(state, JSON.stringify([address, body]))}"`,
      }),
    },
  });
  page.say('');
  if (answer.ok) return done(form, answer, page);
  if (answer.status === 412) return race(form, page);
  if (answer.status === 401) return endedIn(form, page);
  const problem = (await answer.json()) as Problem;
  // A refused request may be sent again with a new key. After a 5xx, or while the first request is still running, the
  // service may have made the change, so the key stays.
  if (answer.status < 500 && !problem.code?.startsWith('IDEMPOTENCY')) state.sent = null;
  showProblem(form, problem);
}

function addressOf(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(valuesIn(form, 'query')))
    if (value !== null) query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  const parts = valuesIn(form, 'path');
  const path = (form.dataset['address'] ?? '').replaceAll(
    /\{(\w+)\}/g,
    (whole, name: string) => pathPart(parts[name]) ?? whole,
  );
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function keyOf(state: State, request: string): string {
  if (state.sent?.request !== request) state.sent = { request, key: newKey() };
  return state.sent.key;
}

/** A random key. `crypto.randomUUID` exists only with https or on this machine, and these pages also work with http. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

async function done(form: HTMLFormElement, answer: Response, page: Page): Promise<void> {
  const once = form.dataset['once']?.split(' ') ?? [];
  const location_ = answer.headers.get('location');
  const target = location_ === null ? null : new URL(location_, location.href).pathname;
  if (once.length > 0) {
    const body = (await answer.json()) as Record<string, unknown>;
    await redraw(form, page);
    return showOnce(once, body, target);
  }
  if (target !== null) {
    await page.show(target, true);
    return page.say('Created.');
  }
  const isGone = form.dataset['method'] === 'DELETE' && answer.status === 204;
  if (isGone && form.dataset['address'] === location.pathname) {
    await page.show(location.pathname.replace(/\/[^/]+$/, ''), true);
    return page.say('Deleted.');
  }
  const isShown = await redraw(form, page);
  page.say(
    isShown ? 'Done.' : 'Done. The page cannot be shown again now: load it again before the next change.',
  );
}

/** Shows the members of an answer that the service never shows again, such as the secret of a key. */
function showOnce(names: readonly string[], body: Record<string, unknown>, target: string | null): void {
  const template = document.querySelector<HTMLTemplateElement>('#once');
  const main = document.querySelector('main');
  if (!template || !main) return;
  const box = (template.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
  const list = box.querySelector('dl') as HTMLElement;
  for (const name of names) {
    const value = body[name];
    if (typeof value !== 'string') continue;
    const [term, text, code, copy] = ['dt', 'dd', 'code', 'button'].map((tag) => document.createElement(tag));
    if (!term || !text || !code || !copy) continue;
    term.textContent = name;
    code.textContent = value;
    code.id = `once-${name}`;
    copy.textContent = 'Copy';
    copy.dataset['copy'] = code.id;
    copy.setAttribute('type', 'button');
    text.append(code, ' ', copy);
    list.append(term, text);
  }
  const link = box.querySelector('a') as HTMLAnchorElement;
  link.href = target ?? location.pathname;
  link.hidden = target === null;
  main.prepend(box);
  box.focus();
}

async function isConfirmed(form: HTMLFormElement): Promise<boolean> {
  const dialog = document.querySelector<HTMLDialogElement>('#confirm');
  const action = form.closest('[data-operation]');
  if (!dialog || !action) return false;
  const what = document.querySelector('h1')?.textContent?.trim() ?? '';
  const words = action.querySelector('summary')?.textContent ?? '';
  (dialog.querySelector('h2') as HTMLElement).textContent = `${words}: ${what}?`;
  (dialog.querySelector('p') as HTMLElement).textContent = action.querySelector('.about')?.textContent ?? '';
  (dialog.querySelector('[value=yes]') as HTMLElement).textContent = words;
  dialog.returnValue = '';
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
  return dialog.returnValue === 'yes';
}

/** Keeps the entries of all forms, except secrets, in this tab, because the session has ended. */
function keepEntries(): void {
  isEnded = true;
  keepDrafts(drafts(false), origin);
}

/**
 * Says that the session has ended. This tab keeps the entries, except secrets, until the visitor has signed in again.
 */
function endedIn(form: HTMLFormElement, page: Page): void {
  keepEntries();
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Sign in again';
  button.addEventListener('click', () => signIn());
  tell(form, 'Your session has ended. ', button);
  page.say('');
}

async function race(form: HTMLFormElement, page: Page): Promise<void> {
  const state = stateOf(form);
  const answer = await authorizedFetch(form.dataset['address'] ?? '', {
    headers: { accept: 'application/json' },
  });
  if (answer.status === 401) return endedIn(form, page);
  if (!answer.ok) {
    const isGone = answer.status === 404;
    tell(
      form,
      isGone
        ? 'Somebody deleted this. It no longer exists.'
        : 'Somebody changed this row, and the present values cannot be read. Your entries are still here. Try again.',
    );
    return;
  }
  const body = (await answer.json()) as Record<string, unknown>;
  const { key } = form.dataset;
  const theirs = (key === undefined ? body : body[key]) as Values;
  const etag = answer.headers.get('etag') ?? undefined;
  const shown = form.dataset['method'] === 'DELETE' ? changing(form.dataset['address'] ?? '') : form;
  const { base } = shown ? stateOf(shown) : state;
  showRace(form, told(form), { shown, base, theirs }, (isMine) => {
    if (!isMine && form.dataset['method'] === 'DELETE') {
      void redraw(form, page);
      return;
    }
    const hasEntries = takeTheirs(form, { base: state.base, theirs }, isMine);
    states.set(form, { base: { ...state.base, ...baseOf(form, theirs) }, etag, sent: null });
    clearFaults(form);
    if (isMine) {
      void attempt(form, page);
    } else {
      const rest = hasEntries ? ' Your other entries are still here.' : '';
      page.say(`The form shows the present values.${rest}`);
      controlIn(fieldsIn(form)[0] ?? form).focus();
    }
  });
}

/** The form that changes the row at this address; null if the page has no such form. */
function changing(address: string): HTMLFormElement | null {
  return document.querySelector(`form[data-method=PATCH][data-address="${CSS.escape(address)}"]`);
}

/** The present values of the members that the form has. */
function baseOf(form: HTMLFormElement, theirs: Values): Values {
  return Object.fromEntries(
    fieldsIn(form)
      .map((field) => [nameOf(field), theirs[nameOf(field)]] as const)
      .filter((entry): entry is readonly [string, NonNullable<(typeof entry)[1]>] => entry[1] !== undefined),
  );
}

function stateOf(form: HTMLFormElement): State {
  return states.get(form) ?? { base: {}, etag: undefined, sent: null };
}
