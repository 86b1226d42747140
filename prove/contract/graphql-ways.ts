import { isRefusedInWords } from './knowledge.ts';
import type { RootField } from './sdl.ts';
import type { Known } from './values.ts';
import { SCOPES, type Headers, type Owner, type World } from './world.ts';

export interface Ask {
  readonly credential: Headers;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whose codes may come, and whether there may be a result. */
  readonly due: Due;
  /** How often it is asked for at once. */
  readonly times?: number;
}

export interface Due {
  readonly outcome: 'ok' | 'null' | 'refused';
  readonly reason: string;
  /** Of the error, where there may be one. */
  readonly statuses: readonly number[];
}

export type Way = (field: RootField, base: Base) => Promise<Ask | null> | Ask | null;

/** A good request. */
export interface Base {
  readonly world: World;
  readonly known: Known;
  readonly owner: Owner | null;
  readonly credential: Headers;
  readonly variables: Readonly<Record<string, unknown>>;
}

const MISSING = '987654321';
const refused = (status: number, reason: string): Due => ({ outcome: 'refused', reason, statuses: [status] });

export const WAYS: readonly Way[] = [
  (field, { credential, variables, owner }) => ({
    credential,
    variables,
    due: {
      outcome: 'ok',
      reason: 'an operation that the schema takes',
      statuses: isRefusedInWords(field, { limit: 100, ...variables }, owner) ? [400] : [],
    },
  }),
  ({ kind }, { credential, variables }) =>
    kind === 'query'
      ? { credential, variables, times: 31, due: refused(400, 'more than is executed at once') }
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
          due: { outcome: 'null', reason: 'a row that is not there', statuses: [] },
        }
      : null,
  ({ args }, { credential, variables }) =>
    args.some(({ name }) => name === 'expectedVersion')
      ? {
          credential,
          variables: { ...variables, expectedVersion: 77 },
          due: refused(412, 'a version that is not there'),
        }
      : null,
];
