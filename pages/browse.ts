import { copyBy } from './copy.js';
import { showAccount, showLists } from './account.js';
import { followForms, prepareForms } from './forms.js';
import { saveAnswer } from './save.js';
import type { Tail } from './events/tail.js';
import { isAllowed } from './rights.js';
import { authorizedFetch, fetchRenewed, noteDrawn, reasonOf, session } from './session.js';

/*
 * These pages work without this script, but only a script can send the credential of a session. When the visitor is
 * signed in, this script requests each page with the credential, and replaces the shown page by the answer.
 */

const one = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;
const say = (text: string): void => void (one('#said').textContent = text);

/** Only the answer of the last request is shown. */
let asking = 0;

const addressWithoutAnchor = (): string => location.pathname + location.search;
/** The address of the shown page, without its anchor. */
let shownAt = addressWithoutAnchor();

/** @returns whether the page is shown */
async function show(address: string, isNew: boolean): Promise<boolean> {
  const turn = ++asking;
  say('Loading…');
  const answer = await asked(address).catch(reasonOf);
  if (turn !== asking) return false;
  if (typeof answer === 'string') {
    say(answer);
    return false;
  }
  if (isNew) history.pushState(null, '', address);
  const { pathname, search } = new URL(address, location.href);
  shownAt = pathname + search;
  put(answer);
  say('');
  return true;
}

async function save(address: string): Promise<void> {
  say('Loading…');
  try {
    const answer = await authorizedFetch(address);
    if (!answer.ok) {
      await show(address, true);
      return;
    }
    const named = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
    await saveAnswer(answer, named ?? 'export');
    say('Saved.');
  } catch {
    // The service cannot be reached, or it failed during the transfer.
    say('The download is not complete. Try again.');
  }
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function asked(address: string): Promise<Answer> {
  const { searchParams } = new URL(address, location.href);
  const answer = await fetchRenewed(address, {
    headers: { accept: searchParams.has('format') ? '*/*' : 'text/html' },
  });
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    text: await answer.text(),
  };
}

function put({ status, type, text }: Answer): void {
  const main = one('#main');
  document.body.dataset['status'] = String(status);
  if (!type.startsWith('text/html')) {
    const shown = document.createElement('pre');
    shown.className = 'raw';
    shown.tabIndex = 0;
    shown.textContent = text;
    main.replaceChildren(shown);
  } else {
    const page = new DOMParser().parseFromString(text, 'text/html');
    // Scripts are off in this parser, so the document has the content of `noscript` as elements.
    for (const each of page.querySelectorAll('noscript')) each.remove();
    document.title = page.title;
    const parts = ['#main', '.crumbs', '[aria-label="Lists"]', '[aria-label="Administration"]'];
    for (const selector of parts) {
      one(selector).replaceChildren(...(page.querySelector(selector)?.childNodes ?? []));
    }
    showLists();
  }
  noteDrawn();
  prepare();
  // A browser that does not know popovers always shows the links of the menu.
  document.getElementById('menu')?.hidePopover?.();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

/** Shows the parts of a page that need this script. The browser or this script has just loaded the page. */
function prepare(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) button.hidden = false;
  prepareForms();
  void prepareTail();
}

/** The part of the shown page that follows events. */
let tail: Tail | null = null;

async function prepareTail(): Promise<void> {
  tail?.pause();
  tail = null;
  const section = document.querySelector<HTMLElement>('[data-tail]');
  if (!section || !isAllowed(section, session())) return;
  const { Tail: Follower } = await import('./events/tail.js');
  if (!section.isConnected) return;
  tail = new Follower(section);
  section.hidden = false;
}

document.addEventListener('click', (event) => {
  const target = event.target as Element;
  const copy = target.closest<HTMLElement>('[data-copy]');
  if (copy) {
    copyBy(copy, 'line', say);
    return;
  }
  const link = target.closest('a');
  const isUnmodified =
    event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isUnmodified || event.defaultPrevented || !isOurs(link.href) || !session()) return;
  event.preventDefault();
  void (link.hasAttribute('data-export') ? save(link.href) : show(link.href, true));
});

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (form.method !== 'get' || !session()) return;
  event.preventDefault();
  void show(addressOf(form), true);
});

/**
 * The address to which /browse would redirect the browser. The script requests this address itself, because a browser
 * that sends the form does not send the credential of the session.
 */
function addressOf(form: HTMLFormElement): string {
  const { pathname } = new URL(form.action);
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== 'string' || value === '') continue;
    query.set(name, query.has(name) ? `${query.get(name)},${value}` : value);
  }
  const path = pathname.replace(/^\/browse(?=\/)/, '');
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/**
 * Whether these pages can show an address: it must be an address of the REST interface, without an anchor.
 */
function isOurs(href: string): boolean {
  const { origin, pathname, hash } = new URL(href);
  return origin === location.origin && hash === '' && /^\/(api|users)\//.test(pathname);
}

// A link to an anchor of this page causes a `popstate` too. The page then stays, with the entries of its forms.
addEventListener('popstate', () => {
  if (addressWithoutAnchor() !== shownAt) {
    void show(location.href, false);
    return;
  }
  // The visitor has come back to the shown page, so no other page is to be shown.
  asking += 1;
  say('');
});

showAccount(say);
followForms({ show, say });
prepare();
if (['401', '403'].includes(document.body.dataset['status'] ?? '') && session()) {
  // The session already has a credential, so the script requests the page again with this credential.
  one('#main').setAttribute('aria-busy', 'true');
  void show(location.href, false).finally(() => one('#main').removeAttribute('aria-busy'));
}
