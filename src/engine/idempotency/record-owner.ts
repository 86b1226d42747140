import { Text } from '../database/sql.js';

type Owner = new () => { readonly id: number };

let owner: Owner | null = null;
let table: Text | null = null;

/**
 * Marks the entity of users, which the engine does not know. A stored result with data of a user refers to the row of
 * this user, and is removed with the row.
 */
export function OwnsRecords(name: string): (entity: Owner) => void {
  return (entity) => {
    owner = entity;
    table = new Text(name);
  };
}

/** The table of users, for a statement; null if no entity is marked. */
export function ownerTable(): Text | null {
  return table;
}

/** The id of the user whose data a result holds: the result is the user, or names the user. Null for none. */
export function ownerIn(result: unknown): number | null {
  if (owner !== null && result instanceof owner) return result.id;
  const { userId, apiKey } = (result ?? {}) as { userId?: number | null; apiKey?: { userId: number | null } };
  return userId ?? apiKey?.userId ?? null;
}
