import type { Operation } from '../../testkit/contract/document.ts';
import { flat } from '../../testkit/contract/schemas.ts';
import { requireThat } from '../options.ts';
import { draftOf, parametersIn, sentOf } from './drafts.ts';
import type { Faulty } from './faults.ts';
import type { Prover } from './prover.ts';
import { attempt } from './twist.ts';
import { SCOPES, type Headers, type World } from './world.ts';

/** Only an import writes events of this type. */
const OF_IMPORTS: ReadonlySet<string> = new Set(['order.updated']);

/**
 * The scope that a caller needs for the events of each kind, as the description of the log says. Everybody sees events
 * of products.
 */
const NEEDED: Readonly<Record<string, string>> = { order: 'orders:read', user: 'users:read' };

/**
 * A caller with all scopes must get events of every type of the contract, except the types of `OF_IMPORTS`. Events of
 * orders and users must be shown only to callers with the scope for them.
 */
export async function events({ prover, world, database }: Omit<Faulty, 'client'>): Promise<void> {
  for (const operation of prover.operations.filter(isLog)) {
    const types = flat(typeOf(operation)?.schema.items ?? {}).enum as readonly string[];
    const start = await latestCursor(world);
    await makeEvents(world);
    // On PostgreSQL, events come into the log a little after their change. This call waits for them.
    await database.events();
    const seen = await typesAfter(prover, world, operation, start, SCOPES);
    const missing = types.filter((type) => !seen.has(type) && !OF_IMPORTS.has(type));
    requireThat(missing.length === 0, () => `${operation.id} never shows ${missing.join(', ')}.`);
    for (const left of Object.values(NEEDED)) {
      const scopes = SCOPES.filter((scope) => scope !== left);
      for (const type of await typesAfter(prover, world, operation, start, scopes)) {
        const needed = NEEDED[type.split('.')[0] as string];
        requireThat(needed !== left, () => `${operation.id} shows ${type} to a caller without ${left}.`);
      }
    }
  }
}

const isLog = (operation: Operation): boolean =>
  operation.method === 'GET' && typeOf(operation) !== undefined && operation.path.endsWith('/events');

function typeOf(operation: Operation) {
  return parametersIn(operation, 'query').find(({ name }) => name === 'type');
}

/** The types of the events that a caller with these scopes gets after the cursor `start`, page by page. */
async function typesAfter(
  prover: Prover,
  world: World,
  operation: Operation,
  start: string,
  scopes: readonly string[],
): Promise<ReadonlySet<string>> {
  const credential = await world.credential('apiKey', scopes);
  const draft = { ...(await draftOf(world, operation)), credential };
  const found = new Set<string>();
  for (let after: string | null = start, last = ''; after !== null && after !== last;) {
    const asked = attempt({ ...draft, query: [['after', after]] }, 200, 'a page of the log');
    const answer = await world.client.send(sentOf({ ...draft, query: [['after', after]] }));
    await prover.judged(asked, answer, world.client);
    const { data, next } = JSON.parse(answer.text) as Page;
    for (const { type } of data) found.add(type);
    [last, after] = [after, next];
  }
  return found;
}

interface Page {
  readonly data: readonly { readonly type: string }[];
  readonly next: string;
}

async function latestCursor({ client }: World): Promise<string> {
  const { text } = await client.send({
    method: 'POST',
    target: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ latestCursor }' }),
  });
  return (JSON.parse(text) as { data: { latestCursor: string | null } }).data.latestCursor ?? '0';
}

/** Causes at least one event of each type, except the types of `OF_IMPORTS`. */
async function makeEvents(world: World): Promise<void> {
  const product = `/api/v1/products/${(await world.rows.row('Product', true)).id}`;
  const [user, buyer] = [await world.rows.row('User', true), await world.rows.row('User', true)];
  const order = `/api/v1/orders/${(await world.rows.rowOf('Order', buyer)).id}`;
  await send(world, 'PATCH', order, { status: 'cancelled' });
  await send(world, 'PATCH', product, { name: 'Chang' });
  await send(world, 'DELETE', product);
  await send(world, 'PATCH', `/api/v1/users/${user.id}`, { name: 'Eve' });
  await send(world, 'DELETE', `/api/v1/users/${user.id}`);
  await send(world, 'DELETE', `/api/v1/users/${buyer.id}?anonymise=true`);
}

async function send({ client, admin }: World, method: string, target: string, body?: object): Promise<void> {
  const headers: Headers = body === undefined ? admin : { ...admin, 'content-type': 'application/json' };
  const { status, text } = await client.send({
    method,
    target,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (status >= 300) throw new Error(`An event cannot be made: ${method} ${target} answers ${text}`);
}
