import { readFileSync } from 'node:fs';
import { readOpenApi, type Operation } from '../../testkit/contract/document.ts';
import { draftOf, JSON_PATCH, parametersIn, targetOf, textOf } from '../contract/drafts.ts';
import { knownOf } from '../contract/knowledge.ts';
import type { World } from '../contract/world.ts';
import { formSeeds } from './form-seeds.ts';
import { graphqlSeeds } from './graphql-seeds.ts';
import type { Door, Message, Pair } from './message.ts';
import { oauthSeeds } from './oauth-seeds.ts';
import type { Prepared } from './world.ts';

const ADMIN: Pair = ['x-api-key', '{{admin}}'];

/** The valid messages that all others grow from, for every door. */
export async function seedsOf({ world, signIn }: Prepared): Promise<readonly Message[]> {
  const operations = readOpenApi(readFileSync('openapi.yaml', 'utf8'));
  const rest: Message[] = [];
  for (const operation of operations) rest.push(...(await restSeeds(world, operation)));
  return [
    ...rest,
    ...(await graphqlSeeds(world, readFileSync('schema.graphql', 'utf8'))),
    ...oauthSeeds(signIn),
    ...pageSeeds(),
    ...(await formSeeds(world, operations, ADMIN)),
    ...handshakes(),
    ...replays(),
  ];
}

function doorOf({ method, path, responses, success }: Operation): Door {
  if (path.endsWith('/batch') && method === 'POST') return 'batches';
  const isPage = !/^\/(api|users)\b/.test(path);
  if (isPage) return 'pages';
  if (!/^(GET|HEAD|OPTIONS)$/.test(method)) return 'REST changes';
  return responses.get(success)?.content.has('text/event-stream') ? 'streams' : 'REST reads';
}

async function restSeeds(world: World, operation: Operation): Promise<readonly Message[]> {
  const draft = await draftOf(world, operation, false);
  const { values } = world;
  const [path = '/'] = targetOf({ ...draft, query: [] }).split('?');
  const known = await knownOf(world, { operation, owner: null });
  // All parameters, so that each of them can grow.
  const query = parametersIn(operation, 'query').flatMap(({ name, schema }): Pair[] => {
    const value = known(name, schema) ?? values.valid(schema, known);
    return typeof value === 'symbol' ? [] : [[name, textOf(value).slice(0, 200)]];
  });
  const credential: readonly Pair[] = operation.ways === null ? [] : [ADMIN];
  const type: readonly Pair[] = draft.body ? [['content-type', draft.body.type]] : [];
  const [given = 'application/json'] = [
    ...(operation.responses.get(operation.success)?.content.keys() ?? []),
  ];
  const base: Message = {
    door: doorOf(operation),
    about: operation.id,
    method: operation.method,
    path,
    query: draft.query,
    headers: [...credential, ...type],
    body: draft.body && { kind: 'json', value: draft.body.value },
  };
  const accept = values.one([given, ...(operation.responses.get(operation.success)?.content.keys() ?? [])]);
  const full: Message = { ...base, query, headers: [...base.headers, ['accept', accept]] };
  if (draft.body?.type !== JSON_PATCH && operation.method === 'PATCH') {
    const patch = {
      kind: 'json',
      value: [
        { op: 'test', path: '/name', value: 'x' },
        { op: 'copy', from: '', path: '/a' },
      ],
    } as const;
    return [base, { ...base, headers: [...credential, ['content-type', JSON_PATCH]], body: patch }];
  }
  return /^(HEAD|OPTIONS)$/.test(operation.method) ? [base] : [base, full];
}

function pageSeeds(): readonly Message[] {
  const paths = [
    '/', '/docs', '/docs/', '/favicon.ico', '/assets/a.js', '/graphql', '/browse/api/v1/products', '/api', '/api/v1', '/API/v1/products',
    '/api/v1/products/%31', '/%61pi/v1/products', '/api//v1/../v2/products', '/nothing', '/problems/x', '/.well-known/x', '/users/1',
  ]; // prettier-ignore
  return paths.map((path) => ({
    door: 'pages',
    about: path,
    method: 'GET',
    path,
    query: path.startsWith('/browse')
      ? [
          ['q', 'a'],
          ['sort', 'name'],
          ['sort', '-name'],
        ]
      : [],
    headers: [['accept', 'text/html']],
    body: null,
  }));
}

function handshakes(): readonly Message[] {
  const headers: readonly Pair[] = [
    ['connection', 'Upgrade'],
    ['upgrade', 'websocket'],
    ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ['sec-websocket-version', '13'],
    ['sec-websocket-protocol', 'graphql-transport-ws'],
  ];
  const base = {
    door: 'handshakes',
    about: 'handshake',
    method: 'GET',
    path: '/graphql',
    query: [],
    body: null,
  } as const;
  return [
    { ...base, headers },
    { ...base, headers: [...headers, ['origin', 'https://a.example'], ['authorization', 'Bearer a.b.c']] },
    {
      ...base,
      headers: [...headers, ['sec-websocket-extensions', 'permessage-deflate; client_max_window_bits']],
    },
  ];
}

/** Streams that begin at an old event, one for each way in which a client can continue a stream. */
function replays(): readonly Message[] {
  const about = 'replay of events';
  const query = 'subscription { productChanged(after: "0") { id name cursor } }';
  const headers: readonly Pair[] = [ADMIN, ['accept', 'text/event-stream'], ['last-event-id', '0']];
  const base = { door: 'streams', about, query: [], headers } as const;
  return [
    { ...base, method: 'GET', path: '/api/v2/events', body: null },
    { ...base, method: 'POST', path: '/graphql/stream', body: { kind: 'json', value: { query } } },
    {
      ...base,
      door: 'WebSocket',
      method: 'GET',
      path: '/graphql',
      headers: [ADMIN],
      opening: 'connection_init',
      body: { kind: 'json', value: { id: '1', type: 'subscribe', payload: { query } } },
    },
  ];
}
