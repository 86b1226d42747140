import { copyBy } from './copy.js';
import { reloadAfterOtherSession, session } from './session.js';

/*
 * The overview works without this script. The script adds buttons to copy the examples, and fills in the credential of
 * a visitor who has signed in.
 */

/** The header with the credential, in the language of each example. */
const HEADERS: Readonly<Record<string, (name: string, value: string) => string>> = {
  shell: (name, value) => `${name}: ${value}`,
  javascript: (name, value) => `'${name}': '${value}'`,
  python: (name, value) => `"${name}": "${value}"`,
};

const one = (selector: string): HTMLElement => document.querySelector(selector) as HTMLElement;

function fillIn(): void {
  const now = session();
  // The script fills in only a secret of these characters. Other characters could end the quoted text in a command.
  if (!now || !/^[\w.~+/=-]+$/.test(now.secret)) return;
  const [name, value] =
    now.kind === 'key' ? ['X-API-Key', now.secret] : ['Authorization', `Bearer ${now.secret}`];
  for (const place of document.querySelectorAll<HTMLElement>('[data-header]')) {
    place.textContent = HEADERS[place.dataset['header'] ?? '']?.(name, value) ?? place.textContent;
  }
  one('#key-from').textContent = 'The example contains your credential. Show it to nobody.';
  one('#holder').textContent = `You are signed in as ${now.holder.name}.`;
  one('#holder').hidden = false;
  one('#session').textContent = 'Sign out';
  one('#by').textContent = 'to end the session of this tab';
}

function say(text: string): void {
  one('#said').textContent = text;
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => copyBy(button, 'example', say));
}
fillIn();
reloadAfterOtherSession();
