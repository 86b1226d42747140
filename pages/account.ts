import { isAllowed } from './rights.js';
import {
  onChange,
  reasonOf,
  reloadAfterOtherSession,
  session,
  signIn,
  signOut,
  signOutEverywhere,
} from './session.js';

/* The part of the header that shows who is signed in. A page with this part contains pages/parts/header.html. */

const one = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;

/**
 * Shows, in the header, the links to the lists that the visitor may read. A visitor who is not signed in sees all
 * links: the link to a list that needs a credential leads to the sign-in.
 */
export function showLists(): void {
  const now = session();
  for (const list of document.querySelectorAll<HTMLElement>('header [data-scopes]'))
    list.hidden = now !== null && !isAllowed(list, now);
}

/** @param say shows a sentence to the visitor */
export function showAccount(say: (text: string) => void): void {
  const paint = (): void => {
    const holder = session()?.holder;
    one('#sign-in').hidden = holder !== undefined;
    one('#account').hidden = holder === undefined;
    showLists();
    one('#who').textContent = holder?.name ?? '';
    one('#sign-out-everywhere').hidden = holder?.user_id == null;
  };
  const leave = (end: () => Promise<void>) => async (): Promise<void> => {
    try {
      await end();
      // The page may show data that only the signed-in visitor may see.
      location.reload();
    } catch (error) {
      say(reasonOf(error));
    }
  };
  one('#sign-in').addEventListener('click', (event) => {
    event.preventDefault();
    signIn();
  });
  const out = leave(signOut);
  const everywhere = leave(signOutEverywhere);
  one('#sign-out').addEventListener('click', () => void out());
  one('#sign-out-everywhere').addEventListener('click', () => void everywhere());
  onChange(paint);
  reloadAfterOtherSession();
  paint();
}
