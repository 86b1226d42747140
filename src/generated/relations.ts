// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { EntityName } from './operations.js';

export interface Reference {
  readonly entity: string;
  readonly code: string;
  /** The maximum number of levels, if the rows form a tree. */
  readonly levels?: number;
}

/** The rules of the contract for the rows of an entity. Members have the names of properties, such as `userId`. */
export interface Relations {
  /** The members whose values are unique together, by the code of the conflict (`x-unique`). */
  readonly unique: Readonly<Record<string, readonly string[]>>;
  /** The members that hold the id of another row (`x-refers`). */
  readonly refers: Readonly<Record<string, Reference>>;
  /** The code of the conflict when a row cannot be removed, because another row refers to it. */
  readonly keeps: string | null;
}

export const RELATIONS: { readonly [K in EntityName]?: Relations } = {
  ApiKey: { unique: {}, refers: { userId: { entity: 'User', code: 'UNKNOWN' } }, keeps: null },
  Identity: {
    unique: { IDENTITY_TAKEN: ['issuer', 'subject'] },
    refers: { userId: { entity: 'User', code: 'UNKNOWN' } },
    keeps: null,
  },
  Order: { unique: {}, refers: { userId: { entity: 'User', code: 'UNKNOWN' } }, keeps: null },
  User: { unique: { EMAIL_TAKEN: ['email'] }, refers: {}, keeps: 'USER_HAS_ORDERS' },
};
