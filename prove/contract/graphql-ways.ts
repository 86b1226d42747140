import { getNamedType } from 'graphql';
import { isBeyondReach } from './knowledge.ts';
import { entityOf, operationTiedTo, reachOf } from './rows.ts';
import { hasNoOtherRule, type Edge } from './edges.ts';
import { isValid } from '../../testkit/contract/schemas.ts';
import type { Rights } from './rights.ts';
import type { Argument, RootField } from './sdl.ts';
import type { Known } from './values.ts';
import { SCOPES, type Headers, type Owner, type World } from './world.ts';

export interface Ask {
  readonly credential: Headers;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The expected outcome. */
  readonly due: Due;
  /** The number of times that the field is requested in one operation. */
  readonly times?: number;
}

export interface Due {
  readonly outcome: 'ok' | 'null' | 'refused';
  readonly reason: string;
  /** The statuses of an error, if there may be one. */
  readonly statuses: readonly number[];
}

/**
 * A twist of GraphQL: a request made from a valid one, with its expected outcome. Null if the field has no such
 * request.
 */
export type Way = (field: RootField, base: Base) => Promise<Ask | null> | Ask | null;

/** A valid request. */
export interface Base {
  readonly world: World;
  readonly known: Known;
  readonly owner: Owner | null;
  readonly credential: Headers;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly rights: Rights;
}

/** The entity of the row that the argument `id` of a field names. */
export function entityNamedBy({ id, type }: RootField): string {
  const entity = operationTiedTo(id)?.entity ?? entityOf(getNamedType(type).name);
  if (entity === undefined) throw new Error(`No operation shows the row that the id of ${id} names.`);
  return entity;
}

const MISSING = '987654321';
const refused = (status: number, reason: string): Due => ({ outcome: 'refused', reason, statuses: [status] });

export const WAYS: readonly Way[] = [
  (field, { credential, variables, owner }) => ({
    credential,
    variables,
    due: {
      outcome: 'ok',
      reason: 'a valid operation',
      statuses: isBeyondReach(reachOf(field), { limit: 100, ...variables }, owner) ? [400] : [],
    },
  }),
  ({ kind }, { credential, variables }) =>
    kind === 'query'
      ? { credential, variables, times: 31, due: refused(400, 'more root fields than are executed at once') }
      : null,
  ({ args }, { world: { values }, known, credential, variables }) => {
    if (args.length === 0) return null;
    const arg = values.one(args);
    const value = values.invalid(arg.taken, known);
    if (value === undefined || (typeof value === 'object' && value === null && !arg.isRequired)) return null;
    return {
      credential,
      variables: { ...variables, [arg.name]: value },
      due: refused(400, `an invalid ${arg.name}`),
    };
  },
  ({ args }, { world: { values }, credential, variables }) => {
    const required = args.filter(({ isRequired }) => isRequired);
    if (required.length === 0) return null;
    const { [values.one(required).name]: _left, ...rest } = variables;
    return { credential, variables: rest, due: refused(400, 'a required argument left out') };
  },
  ({ args }, { world: { values }, credential, variables }) => {
    const ids = args.filter(({ type, schema }) => /^ID!?$/.test(type) && !isValid(schema, '0'));
    if (ids.length === 0) return null;
    const { name } = values.one(ids);
    return { credential, variables: { ...variables, [name]: '0' }, due: refused(400, `the ${name} 0`) };
  },
  ({ scopes }, { variables }) => scopes && { credential: {}, variables, due: refused(401, 'no credential') },
  (_field, { variables }) => ({
    credential: { 'x-api-key': 'sk_1_wrong' },
    variables,
    due: refused(401, 'a bad credential'),
  }),
  async ({ scopes }, { world, variables }) => {
    if (scopes === null) return null;
    const others = SCOPES.filter((scope) => !scopes.includes(scope));
    const credential = await world.credential(world.values.one(['apiKey', 'oauth', 'jwt']), others);
    return { credential, variables, due: refused(403, 'a credential without the scopes') };
  },
  ({ args, kind }, { world, credential, variables }) =>
    args.some(({ name }) => name === 'id') && kind !== 'subscription'
      ? {
          credential: kind === 'query' ? credential : world.admin,
          variables: { ...variables, id: MISSING },
          due: { outcome: 'null', reason: 'a row that does not exist', statuses: [] },
        }
      : null,
  async (field, { world, variables }) => {
    // For a field without an owner there are no rows of another user.
    if (!/^(args\.id|row\.userId)$/.test(field.owner ?? '') || !('id' in variables)) return null;
    const id = String((await world.rows.row(entityNamedBy(field), field.kind === 'mutation')).id);
    return {
      credential: (await world.owner(false)).key,
      // The only change that a user may make to an order.
      variables: { ...variables, id, ...('status' in variables && { status: 'cancelled' }) },
      due: { outcome: 'null', reason: 'a row of another user', statuses: [] },
    };
  },
  ({ args }, { credential, variables }) =>
    args.some(({ name }) => name === 'expectedVersion')
      ? {
          credential,
          variables: { ...variables, expectedVersion: 77 },
          due: refused(412, 'an expectedVersion that the row does not have'),
        }
      : null,
];

/** Arguments whose values come only from the service. */
const FROM_THE_SERVICE: ReadonlySet<string> = new Set(['expectedVersion', 'before']);

/** An argument at one of its bounds, or beyond it. */
export function atEdge({ name, type, taken }: Argument, edge: Edge): Way {
  const { value } = edge;
  const isGood = isValid(taken, value);
  const bound = `${name} ${isGood ? 'at' : 'beyond'} a bound`;
  return (field, { known, credential, variables: given, owner }) => {
    const other = { first: 'last', last: 'first' }[name] ?? name;
    const { [other]: _left, ...rest } = given;
    const variables = { ...rest, [name]: value };
    if (!isGood) return { credential, variables, due: refused(400, bound) };
    const isId = /^ID!?$/.test(type);
    if (isId || !hasNoOtherRule(known, edge) || FROM_THE_SERVICE.has(name)) return null;
    const statuses = isBeyondReach(reachOf(field), { limit: 100, ...variables }, owner) ? [400] : [];
    return { credential, variables, due: { outcome: 'ok', reason: bound, statuses } };
  };
}
