import type { Operation } from '../../generated/operations.js';
import { html, type Html } from '../pages/html.js';

const NOTHING = html``;

/**
 * The rights that an operation needs, as attributes for the script of the page (`pages/rights.ts`). All schemes with
 * scopes need the same scopes. `data-basic` says that the e-mail address and the password of a user are enough.
 */
export function rightsOf(operation: Operation): Html {
  const { security, owner } = operation;
  const scopes = security.flat().find((each) => each.scopes.length > 0)?.scopes ?? [];
  return html`data-scopes="${scopes.join(' ')}"${owner === null ? NOTHING : html` data-owner`}${
    security.length === 0 ? html` data-public` : NOTHING
  }${isForUsers(operation) ? html` data-basic` : NOTHING}`;
}

/** Whether the e-mail address and the password of a user are enough for an operation. */
export function isForUsers({ security }: Operation): boolean {
  return security.flat().some(({ scheme }) => scheme === 'basic');
}
