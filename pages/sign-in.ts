import {
  beginSignIn,
  completeSignIn,
  pathAfterSignIn,
  reasonOf,
  reloadAfterOtherSession,
  safePath,
  session,
  SignInDelayed,
  SignInFailed,
  signInWith,
  signOut,
} from './session.js';

const one = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;
const secret = one('#secret') as HTMLInputElement;
const query = new URLSearchParams(location.search);
const returnTo = safePath(query.get('return_to') ?? pathAfterSignIn());
/** The origin to which the authorization server sends visitors. This page may have been opened at another origin. */
const home = document.body.dataset['origin'] ?? location.origin;

function show(error: unknown): void {
  one('#fault').textContent = reasonOf(error);
}

async function withPassword(): Promise<void> {
  if (location.origin === home) return beginSignIn(returnTo);
  // The service sets `home`. The address of this page cannot change it, so the redirect leads to this service.
  location.assign(
    `${home}/sign-in?${new URLSearchParams({ return_to: returnTo, by: 'password' }).toString()}`,
  );
}

async function withSecret(): Promise<void> {
  const kind = (one('#kind') as HTMLSelectElement).value === 'token' ? 'token' : 'key';
  secret.removeAttribute('aria-invalid');
  try {
    await signInWith(kind, secret.value.trim());
    location.replace(returnTo);
  } catch (error) {
    show(error);
    if (error instanceof SignInFailed && !(error instanceof SignInDelayed))
      secret.setAttribute('aria-invalid', 'true');
    secret.focus();
  }
}

one('#by-password').addEventListener('click', () => void withPassword().catch(show));
one('#by-secret').addEventListener('submit', (event) => {
  event.preventDefault();
  one('#fault').textContent = '';
  void withSecret();
});
one('#again').addEventListener('click', () => void signOut().then(() => location.reload(), show));

reloadAfterOtherSession();
const holder = session()?.holder;
one('#forms').hidden = holder !== undefined;
one('#signed-in').hidden = holder === undefined;
one('#name').textContent = holder?.name ?? '';
(one('#on') as HTMLAnchorElement).href = returnTo;

if (query.has('state')) {
  history.replaceState(null, '', location.pathname);
  one('main').setAttribute('aria-busy', 'true');
  completeSignIn(query)
    .then((path) => location.replace(safePath(path)))
    .catch((error: unknown) => {
      one('main').removeAttribute('aria-busy');
      show(error);
    });
} else if (query.get('by') === 'password' && holder === undefined) {
  void withPassword().catch(show);
}
