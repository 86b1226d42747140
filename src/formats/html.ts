import { answerPage, problemPage } from '../browse/page.js';
import { digestOf } from '../browse/shell.js';
import { POLICIES, SECURITY_HEADERS } from '../pages/security.js';
import type { Format } from './format.js';

/** A page for people, to browse by; see browse/page.ts. */
export const html: Format = {
  name: 'html',
  mediaType: 'text/html',
  headers: { ...SECURITY_HEADERS, 'content-security-policy': POLICIES.browse },
  compile: (body) => (value, view) => answerPage(value, body, view.operation, view),
  tag: ({ shell }) => `html-${digestOf(shell)}`,
  problem: { mediaType: 'text/html', encode: problemPage },
};
