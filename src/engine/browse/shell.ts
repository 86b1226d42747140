import { createHash } from 'node:crypto';
import { html, type Html } from '../pages/html.js';

/** The values for the placeholders of pages/browse.html. */
export interface Parts {
  readonly title: string;
  /**
   * The status of the answer. After 401 or 403, the script of the page requests the page again with the credential of
   * the session.
   */
  readonly status: number;
  /** The links to the lists that most people use. */
  readonly lists: Html;
  readonly administration: Html;
  /** The address of the link to the sign-in. */
  readonly signIn: string;
  readonly crumbs: Html;
  readonly content: Html;
}

/** The page without styles, for a service whose pages were not built. */
const BARE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{{title}}</title></head>
<body data-status="{{status}}">{{lists}}{{administration}}{{crumbs}}<main id="main">{{content}}</main></body>
</html>
`;

export function pageOf(shell: string | null | undefined, parts: Parts): string {
  const texts: Readonly<Record<keyof Parts, string>> = {
    title: html`${parts.title}`.text,
    status: String(parts.status),
    lists: parts.lists.text,
    administration: parts.administration.text,
    signIn: html`${parts.signIn}`.text,
    crumbs: parts.crumbs.text,
    content: parts.content.text,
  };
  return (shell ?? BARE).replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) =>
    Object.hasOwn(texts, name) ? texts[name as keyof Parts] : place,
  );
}

const digests = new Map<string | null, string>();

/**
 * A digest of the template, for the entity tags of pages. A page names the files that it loads, and a new build gives
 * new names to these files. So a browser must not use a cached page of an old build again.
 */
export function digestOf(shell: string | null): string {
  let digest = digests.get(shell);
  if (digest === undefined) {
    digest = createHash('sha256')
      .update(shell ?? BARE)
      .digest('hex')
      .slice(0, 8);
    digests.set(shell, digest);
  }
  return digest;
}

/** The link to the page for the sign-in. After the sign-in, that page returns to `url`, a path of this service. */
export function signInFor(url: string): string {
  return `/sign-in?${new URLSearchParams({ return_to: url }).toString()}`;
}
