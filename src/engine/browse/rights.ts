import type { Operation } from '../../generated/operations.js';
import { html, type Html } from '../pages/html.js';

const NOTHING = html``;

/**
 * The rights that an operation needs, as attributes for the script of the page (`pages/rights.ts`). All schemes with
 * scopes need the same scopes.
 */
export function rightsOf({ security, owner }: Operation): Html {
  const scopes = security.flat().find((each) => each.scopes.length > 0)?.scopes ?? [];
  return html`data-scopes="${scopes.join(' ')}"${owner === null ? NOTHING : html` data-owner`}${
    security.length === 0 ? html` data-public` : NOTHING
  }`;
}
