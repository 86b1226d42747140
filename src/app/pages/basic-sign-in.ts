import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BASIC_CHALLENGE, isBasic } from '../../engine/access/challenges.js';
import { headerFor } from '../../engine/browse/page.js';
import { pageOf } from '../../engine/browse/shell.js';
import { html, type Html } from '../../engine/pages/html.js';
import { POLICIES, SECURITY_HEADERS } from '../../engine/pages/security.js';

/*
 * The sign-in of a browser without scripts (ADR 61). The browser asks for e-mail address and password in a dialog of
 * its own, and then sends them by itself with each request (Basic).
 */

/**
 * A browser sends a password to all addresses below the folder of the address that asked for it (RFC 7617, section
 * 2.2). So this address is at the top: its folder is the whole service.
 */
export const BASIC_SIGN_IN_PATH = '/basic-sign-in';
export const BASIC_SIGN_OUT_PATH = '/basic-sign-out';

const ALL = { method: ['GET', 'HEAD'] };

/** The header of the page may show the session of the tab (pages/session.ts). This session does not need the dialog. */
const OF_THE_TAB = html`<p class="lead">
  If the header shows that you are signed in, this tab has its own sign-in. It stays until you press “Sign
  out” in the header or close the tab, and it needs no dialog.
</p>`;

export function layBasicSignIn(fastify: FastifyInstance, shell: string | null): void {
  fastify.route({
    ...ALL,
    url: BASIC_SIGN_IN_PATH,
    handler: (request, reply) => {
      const next = returnPathOf(request);
      // The API checks the password if the next page is a page of the API. If the password is wrong, the browser asks
      // for it again.
      if (isBasic(request.headers)) return reply.header('cache-control', 'no-store').redirect(next, 303);
      const again = addressOf(BASIC_SIGN_IN_PATH, next);
      return ask(reply, shell, {
        title: 'Sign in without JavaScript',
        next,
        content: html`<p class="lead">
            The dialog of the browser was closed without an e-mail address and a password, so this sign-in did
            not begin. A key does not work here. <a href="${again}">Open the dialog again</a>, or
            <a href="${next}">go on without this sign-in</a>.
          </p>
          ${OF_THE_TAB}
          <p>
            Without encryption (http), others can read the password. Use this sign-in with https only, or on
            the machine of the service.
          </p>`,
      });
    },
  });
  // A browser forgets a password that is refused. It asks for another one, and shows this page if nobody enters one.
  fastify.route({
    ...ALL,
    url: BASIC_SIGN_OUT_PATH,
    handler: (_request, reply) =>
      ask(reply, shell, {
        title: 'The sign-in of the browser has ended',
        next: '/',
        content: html`<p class="lead">
            The browser has forgotten the e-mail address and the password of its dialog.
            <a href="/sign-in">Sign in</a> again, or <a href="/">go to the overview</a>.
          </p>
          ${OF_THE_TAB}`,
      }),
  });
}

/** The link that signs in, and then leads to a path of this service. */
export function addressOf(path: string, next: string): string {
  return `${path}?${new URLSearchParams({ return_to: next }).toString()}`;
}

/** The path of this service in `return_to`; `/` instead of any other address. `safePath` of the pages does the same. */
export function returnPathOf({ url }: FastifyRequest): string {
  const own = 'http://own.invalid';
  const text = new URL(url, own).searchParams.get('return_to');
  const next = text?.startsWith('/') ? URL.parse(text, own) : null;
  if (next?.origin !== own || next.pathname.startsWith('//')) return '/';
  return next.pathname + next.search + next.hash;
}

interface Asking {
  readonly title: string;
  readonly next: string;
  readonly content: Html;
}

/** Makes the browser open its dialog. The page is shown when the dialog is closed without a password. */
function ask(reply: FastifyReply, shell: string | null, { title, next, content }: Asking): FastifyReply {
  const page = pageOf(shell, {
    title: `${title} – Store service`,
    status: 401,
    ...headerFor(next),
    crumbs: html`<ol></ol>`,
    content: html`<h1>${title}</h1>
      ${content}`,
  });
  return reply
    .code(401)
    .headers({
      ...SECURITY_HEADERS,
      'www-authenticate': BASIC_CHALLENGE,
      'content-security-policy': POLICIES.browse,
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(page);
}
