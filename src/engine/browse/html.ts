import { answerPage, problemPage } from './page.js';
import { digestOf } from './shell.js';
import { POLICIES, SECURITY_HEADERS } from '../pages/security.js';
import type { Format } from '../formats/format.js';

/** A page for people, to browse by; see engine/browse/page.ts. */
export const html: Format = {
  name: 'html',
  mediaType: 'text/html',
  headers: { ...SECURITY_HEADERS, 'content-security-policy': POLICIES.browse },
  compile: (body) => (value, view) => answerPage(value, body, view.operation, view),
  tag: ({ shell }) => `html-${digestOf(shell)}`,
  problem: { mediaType: 'text/html', encode: problemPage },
};
