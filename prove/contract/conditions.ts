import type { Answer } from './client.ts';
import type { Operation } from '../../testkit/contract/document.ts';
import { draftOf, hasHeader, sentOf, type Attempt, type Draft } from './drafts.ts';
import { attempt, isRead, twist, type Twist } from './twist.ts';
import type { World } from './world.ts';

const LONG_AGO = 'Sat, 01 Jan 2000 00:00:00 GMT';

/** The answer to a GET by the administrator, at the address of the draft. */
function readAt({ client, admin }: World, draft: Draft): Promise<Answer> {
  return client.send({ ...sentOf({ ...draft, query: [] }), method: 'GET', headers: admin });
}

/** Requests with conditions (RFC 9110, section 13) on stored rows. */
export const CONDITIONS: readonly Twist[] = [
  twist(
    'a current entity tag in If-None-Match',
    (operation) => isRead(operation) && hasHeader(operation, 'If-None-Match'),
    304,
    async (draft, world) => {
      const { headers } = await world.client.send(
        sentOf({ ...draft, operation: { ...draft.operation, method: 'GET' } }),
      );
      const tag = headers['etag'];
      if (tag === undefined) return null;
      return { ...draft, headers: { 'if-none-match': world.values.one([tag, `W/${tag}`, '*']) } };
    },
  ),
  {
    name: 'a current time in If-Modified-Since',
    fits: (operation) => isRead(operation) && hasHeader(operation, 'If-Modified-Since'),
    make: async (world, operation) => {
      const draft = await draftOf(world, operation);
      const { headers } = await world.client.send({ ...sentOf(draft), method: 'GET' });
      const since = world.values.one([headers['last-modified'] ?? LONG_AGO, LONG_AGO]);
      // During the second in which a row changes, `Last-Modified` is not exact enough to be a validator. So the answer
      // may be a success.
      const statuses = since === LONG_AGO ? [operation.success] : [304, operation.success];
      const conditional = { ...draft, headers: { 'if-modified-since': since } };
      return attempt(conditional, statuses, 'a read with If-Modified-Since');
    },
  },
  {
    name: 'a current entity tag in If-Match',
    fits: (operation) => hasHeader(operation, 'If-Match'),
    make: async (world, operation) => {
      const draft = await draftOf(world, operation);
      const tag = (await readAt(world, draft)).headers['etag'];
      if (tag === undefined) return null;
      const headers = { 'if-match': world.values.one([tag, `"987-v1-x", ${tag}`, '*']) };
      return attempt({ ...draft, headers }, operation.success, 'a change with the current entity tag');
    },
  },
  twist(
    'a false condition on the entity tag',
    (operation) => hasHeader(operation, 'If-Match'),
    412,
    (draft, world) => ({
      ...draft,
      headers: world.values.one<Draft['headers']>([{ 'if-match': '"987-v1-x"' }, { 'if-none-match': '*' }]),
    }),
  ),
  twist(
    'a false condition on the time',
    (operation) => hasHeader(operation, 'If-Unmodified-Since'),
    412,
    (draft) => ({ ...draft, headers: { 'if-unmodified-since': LONG_AGO } }),
  ),
];

/** A valid request with a preference (`Prefer`) for an answer with or without a body. */
export async function preferring(
  world: World,
  operation: Operation,
  prefers: 'minimal' | 'representation',
): Promise<Attempt> {
  const draft = { ...(await draftOf(world, operation)), headers: { prefer: `return=${prefers}` } };
  const isBare = prefers === 'minimal' && operation.success !== 201;
  const made = attempt(draft, isBare ? 204 : operation.success, `a request that prefers ${prefers}`);
  return { ...made, due: { ...made.due, prefers } };
}
