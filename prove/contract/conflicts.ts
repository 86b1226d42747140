import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './client.ts';
import type { Operation } from '../../testkit/contract/document.ts';
import { draftOf, JSON_PATCH, sentOf, type Attempt, type Draft } from './drafts.ts';
import { flat } from '../../testkit/contract/schemas.ts';
import { attempt } from './twist.ts';
import type { World } from './world.ts';

type Conflict = (world: World, operation: Operation) => Promise<Attempt>;

/** The conflict that an operation can have with stored rows, found by its shape; null when none is known. */
export function conflictOf(operation: Operation): Conflict | null {
  const members = flat([...(operation.body?.media.values() ?? [])][0] ?? {}).properties ?? {};
  if ('email' in members) return takenEmail;
  if ('subject' in members) return sameAgain;
  if (operation.method === 'POST' && operation.path.endsWith('/rotate')) return revoked;
  if (operation.method === 'DELETE' && operation.path.endsWith('/users/{id}')) return withOrders;
  if ('items' in members && operation.path.endsWith('/orders')) return outOfStock;
  if (operation.body?.media.has(JSON_PATCH)) return failingTest;
  return null;
}

const CONFLICT = 'what is stored not allowing it';

async function takenEmail(world: World, operation: Operation): Promise<Attempt> {
  const draft = await draftOf(world, operation, false);
  const email = `taken${world.unique()}@proof.example`;
  await world.post('/users', { name: 'Eve', email });
  return attempt(withBody(draft, { name: 'Ben', email: email.toUpperCase() }), 409, CONFLICT);
}

async function sameAgain(world: World, operation: Operation): Promise<Attempt> {
  const draft = await draftOf(world, operation, false);
  await world.client.send(sentOf(draft));
  return attempt(draft, 409, CONFLICT);
}

async function revoked(world: World, operation: Operation): Promise<Attempt> {
  const draft = await draftOf(world, operation, false);
  const target = sentOf(draft).target.replace(/\/rotate$/, '');
  await world.client.send({ method: 'DELETE', target, headers: world.admin });
  return attempt(draft, 409, CONFLICT);
}

async function withOrders(world: World, operation: Operation): Promise<Attempt> {
  const draft = await draftOf(world, operation, false);
  const { id: product_id } = await world.row('product', false);
  await world.post('/orders', { user_id: Number(draft.path['id']), items: [{ product_id, quantity: 1 }] });
  return attempt({ ...draft, query: [] }, 409, CONFLICT);
}

async function outOfStock(world: World, operation: Operation): Promise<Attempt> {
  const draft = await draftOf(world, operation, false);
  const { id: product_id } = await world.row('product', true);
  await world.post(`/products/${product_id}/stock`, { quantity: 1 });
  const user_id = (await world.row('user', false)).id;
  return attempt(withBody(draft, { user_id, items: [{ product_id, quantity: 2 }] }), 409, CONFLICT);
}

async function failingTest(world: World, operation: Operation): Promise<Attempt> {
  const draft = await draftOf(world, operation, false);
  const value = [{ op: 'test', path: '/id', value: -1 }];
  return attempt({ ...draft, body: { type: JSON_PATCH, value } }, 409, CONFLICT);
}

function withBody(draft: Draft, value: unknown): Draft {
  return { ...draft, body: { type: 'application/json', value } };
}

/** The same request again must be answered with the first answer. */
export async function sentAgain(world: World, operation: Operation): Promise<Attempt | null> {
  const { draft, first } = await sentWithKey(world, operation);
  if (first.status !== operation.success) return null;
  const again = attempt(draft, operation.success, 'the same request with the same key');
  return { ...again, due: { ...again.due, replayOf: first } };
}

/** Another request with the same key must be refused. */
export async function sentOtherwise(world: World, operation: Operation): Promise<Attempt | null> {
  const { draft, first } = await sentWithKey(world, operation);
  const other = await draftOf(world, operation, false);
  // The order of the members does not matter.
  const isSame = isDeepStrictEqual([draft.path, draft.body], [other.path, other.body]);
  if (isSame || first.status !== operation.success) return null;
  const { credential, headers } = draft;
  return attempt({ ...other, credential, headers }, 422, 'another request with the same key');
}

async function sentWithKey(world: World, operation: Operation): Promise<{ draft: Draft; first: Answer }> {
  const key = world.values.one([`key-${world.unique()}`, `"key ${world.unique()}"`]);
  const draft = { ...(await draftOf(world, operation, false)), headers: { 'idempotency-key': key } };
  return { draft, first: await world.client.send(sentOf(draft)) };
}
