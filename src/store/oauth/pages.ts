import { createHash } from 'node:crypto';
import { html, Html } from '../../engine/pages/html.js';
import { wordsFor } from '../accounts/lending.js';
import { STYLE } from './style.js';

const DIGEST = createHash('sha256').update(STYLE).digest('base64');

const STRICT = `default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'sha256-${DIGEST}'`;

/** The Content-Security-Policy of pages whose forms are sent to this service only. */
export const POLICY = `${STRICT}; form-action 'self'`;

/**
 * The policy of pages whose form ends with a redirect to a client. This policy also allows the address of the client,
 * because Chromium applies `form-action` to each address of the redirects. The redirect URI was checked when the client
 * was created.
 */
export function policyTo(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return `${POLICY} ${origin === 'null' ? protocol : origin}`;
}

interface SignIn {
  readonly client: string;
  readonly email: string;
  /** The reason why the last attempt to sign in failed; null before the first attempt. */
  readonly fault: string | null;
}

export function signInPage({ client, email, fault }: SignIn): string {
  const described = fault === null ? html`` : html` aria-invalid="true" aria-describedby="fault"`;
  return page(
    fault === null ? 'Sign in' : 'Error: Sign in',
    html`<h1>Sign in</h1>
      <p>to continue to <strong>${client}</strong></p>
      ${fault === null ? html`` : html`<p class="fault" id="fault" role="alert">${fault}</p>`}
      <form method="post">
        <label for="email">E-mail address</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          maxlength="254"
          value="${email}"
          ${described}${email === '' ? AUTOFOCUS : html``}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxlength="256"
          ${described}${email === '' ? html`` : AUTOFOCUS}
        />
        <p class="choices">
          <button name="decision" value="allow">Sign in</button>
          <button name="decision" value="refuse" class="quiet" formnovalidate>Cancel</button>
        </p>
      </form>`,
  );
}

interface Consent {
  readonly client: string;
  /** The host or the scheme of the redirect URI. */
  readonly place: string;
  readonly user: string;
  readonly scopes: readonly string[];
}

export function consentPage({ client, place, user, scopes }: Consent): string {
  // "Do all this also while you are away" refers to the other lines, so it comes last.
  const asked = [
    ...scopes.filter((scope) => scope !== 'offline_access'),
    ...scopes.filter((scope) => scope === 'offline_access'),
  ];
  return page(
    'Allow access',
    html`<h1>Allow <q>${client}</q> access?</h1>
      <p>You are signed in as <strong>${user}</strong>. The program would be able to:</p>
      <ul>
        ${asked.map((scope) => html`<li>${wordsFor(scope) ?? scope}</li>`)}
      </ul>
      <p class="aside">Then you go to <strong>${place}</strong>. Allow this only if you know and trust it.</p>
      <form method="post">
        <p class="choices">
          <button name="decision" value="allow">Allow</button>
          <button name="decision" value="refuse" class="quiet">Refuse</button>
        </p>
      </form>
      <p class="aside"><a href="/oauth/session/end">Sign out</a></p>`,
  );
}

/** @param form the form of the library, which the buttons refer to by its id */
export function signOutPage(form: string): string {
  return page(
    'Sign out',
    html`<h1>Sign out?</h1>
      <p>Programs that may act while you are away keep their access. All others lose it.</p>
      ${new Html(form)}
      <p class="choices">
        <button form="op.logoutForm" name="logout" value="yes">Sign out</button>
        <button form="op.logoutForm" class="quiet">Stay signed in</button>
      </p>`,
  );
}

export function signedOutPage(): string {
  return page(
    'Signed out',
    html`<h1>Done</h1>
      <p>You can close this page.</p>`,
  );
}

export function errorPage(detail: string): string {
  return page(
    'Error',
    html`<h1>This did not work</h1>
      <p role="alert">${detail}</p>
      <p class="aside">Go back to the program that sent you here, and start again.</p>`,
  );
}

// The policy allows only the digest of `STYLE`, so the element must contain exactly this text.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const AUTOFOCUS = html` autofocus`;

function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – Store service</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `.text;
}
