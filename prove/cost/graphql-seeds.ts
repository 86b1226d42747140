import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getIntrospectionQuery } from 'graphql';
import { knownOf } from '../contract/knowledge.ts';
import { operationTiedTo } from '../contract/rows.ts';
import { selectionOf } from '../contract/outputs.ts';
import { readSdl, type RootField } from '../contract/sdl.ts';
import type { Known } from '../contract/values.ts';
import type { World } from '../contract/world.ts';
import type { Message, Pair } from './message.ts';

const TRUSTED = 'documents';
/** The number of items of an inner list. In the deepest operations, the outer list has this number of items too. */
const LONG = 10;
const ADMIN: Pair = ['x-api-key', '{{admin}}'];
/**
 * Arguments that are left out, because a connection is read in one direction at a time, and cursors come only from the
 * service.
 */
const CURSORS = new Set(['after', 'before', 'last']);
const SIZES = new Set(['limit', 'first']);
const DEEP_ARGUMENTS: Readonly<Record<string, unknown>> = {
  id: '1',
  page: 1,
  limit: 0,
  first: 0,
  expectedVersion: null,
};
const DEPTHS = [0, 1, 2, 3];
const MOST = 100;

interface Asked {
  readonly name: string;
  readonly kind: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Operations over every transport: POST, GET, WebSocket and server-sent events. */
export async function graphqlSeeds(world: World, sdl: string): Promise<readonly Message[]> {
  const asked: Asked[] = [];
  for (const field of readSdl(sdl)) {
    const operation = operationTiedTo(field.id);
    const known = await knownOf(world, { operation, owner: null, isGraphql: true });
    asked.push(...DEPTHS.map((depth) => askedFor(field, depth, known)));
  }
  function askedFor(field: RootField, depth: number, known: Known): Asked {
    // With all arguments at once, an operation finds few rows. So a deeper query or subscription has only the required
    // arguments and those of `DEEP_ARGUMENTS`.
    const given = field.args.filter(
      ({ name, isRequired }) =>
        !CURSORS.has(name) &&
        (depth === 0 || isRequired || name in DEEP_ARGUMENTS || field.kind === 'mutation'),
    );
    const variables = Object.fromEntries(
      given.map(({ name, schema }) => [
        name,
        SIZES.has(name)
          ? depth > 2
            ? LONG
            : MOST
          : depth > 0 && name in DEEP_ARGUMENTS
            ? DEEP_ARGUMENTS[name]
            : (known(name, schema) ?? world.values.valid(schema, known)),
      ]),
    );
    const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(', ');
    const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
    const selection = selectionOf(field.type, depth).replaceAll('(limit: 2)', `(limit: ${LONG})`);
    const root = `${field.name}${passed && `(${passed})`} ${selection}`;
    return {
      name: field.name,
      kind: field.kind,
      query: `${field.kind} A${declared && `(${declared})`} { ${root} }`,
      variables,
    };
  }
  return [
    ...asked.flatMap(overAll),
    ...overAll({ name: 'introspection', kind: 'query', query: getIntrospectionQuery(), variables: {} }),
    ...trusted(),
    ...frames(),
  ];
}

function overAll({ name, kind, query, variables }: Asked): readonly Message[] {
  const extensions = kind === 'mutation' ? { extensions: { idempotencyKey: `key-${name}` } } : {};
  const value = { query, operationName: query.includes('query A') ? 'A' : null, variables, ...extensions };
  const isStream = kind === 'subscription';
  const json: readonly Pair[] = [ADMIN, ['content-type', 'application/json']];
  const base = { about: name, query: [], body: { kind: 'json', value } } as const;
  const inQuery: readonly Pair[] = [
    ['query', query],
    ['variables', JSON.stringify(variables)],
    ['extensions', '{}'],
  ];
  const events: Pair = ['accept', 'text/event-stream'];
  return [
    ...(isStream
      ? []
      : [{ ...base, door: 'GraphQL', method: 'POST', path: '/graphql', headers: json } as const]),
    {
      ...base,
      door: 'WebSocket',
      method: 'GET',
      path: '/graphql',
      headers: [ADMIN],
      opening: 'connection_init',
      body: { kind: 'json', value: { id: '1', type: 'subscribe', payload: value } },
    },
    ...(kind === 'query'
      ? [
          {
            ...base,
            door: 'GraphQL by GET',
            method: 'GET',
            path: '/graphql',
            query: inQuery,
            headers: [ADMIN, ['accept', 'application/json']],
            body: null,
          } as const,
        ]
      : []),
    { ...base, door: 'streams', method: 'POST', path: '/graphql/stream', headers: [...json, events] },
  ];
}

function trusted(): readonly Message[] {
  return readdirSync(TRUSTED).flatMap((file) => {
    const hash = createHash('sha256')
      .update(readFileSync(`${TRUSTED}/${file}`, 'utf8'))
      .digest('hex');
    const variables = { id: '1', page: 1, limit: 20, items: [{ productId: '1', quantity: 1 }] };
    const base = {
      door: 'GraphQL',
      about: file,
      method: 'POST',
      path: '/graphql',
      query: [],
      headers: [ADMIN],
    } as const;
    const persistedQuery = { version: 1, sha256Hash: hash };
    return [
      { ...base, body: { kind: 'json', value: { documentId: `sha256:${hash}`, variables } } },
      { ...base, body: { kind: 'json', value: { extensions: { persistedQuery }, variables } } },
    ];
  });
}

function frames(): readonly Message[] {
  const base = { door: 'WebSocket', method: 'GET', path: '/graphql', query: [], headers: [] } as const;
  const first = [
    { type: 'connection_init', payload: { authorization: 'Bearer a.b.c' } },
    { type: 'connection_init', payload: { Authorization: 'Bearer x' } },
    { type: 'connection_init', payload: { 'X-API-Key': '{{key}}', resume: { newOrder: '1' } } },
    { type: 'connection_init', payload: { Authorization: '{{basic}}' } },
    { type: 'ping', payload: { a: 1 } },
    { type: 'nothing' },
    [],
  ];
  const later = [
    { type: 'ping', payload: {} },
    { type: 'pong' },
    { type: 'complete', id: '1' },
    { type: 'subscribe', id: '1', payload: { query: '{__typename}', extensions: {} } },
    { type: 'next', id: '1', payload: { data: {} } },
    {},
  ];
  return [
    ...first.map((value): Message => ({
      ...base,
      about: aboutOf(value),
      opening: 'nothing',
      body: { kind: 'json', value },
    })),
    ...later.map((value): Message => ({
      ...base,
      about: aboutOf(value),
      opening: 'connection_init',
      body: { kind: 'json', value },
    })),
  ];
}

function aboutOf(value: object): string {
  return 'type' in value ? String(value.type) : 'no type';
}
