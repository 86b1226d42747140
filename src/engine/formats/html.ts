import { POLICIES, SECURITY_HEADERS } from '../pages/security.js';
import type { Format, PageMaker, View } from './format.js';

/** A page for browsing; see engine/browse/page.ts. */
export const html: Format = {
  name: 'html',
  mediaType: 'text/html',
  headers: { ...SECURITY_HEADERS, 'content-security-policy': POLICIES.browse },
  compile: (body) => (value, view) => makerOf(view).answer(value, body, view),
  tag: ({ shell }, pages) => `html-${pages.digestOf(shell)}`,
  problem: {
    mediaType: 'text/html',
    encode: (problem, view) => makerOf(view).problem(problem, view),
  },
};

function makerOf({ pages }: View): PageMaker {
  if (pages === undefined) throw new Error('HTML needs a page maker, and none was given.');
  return pages;
}
