import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './client.ts';
import type { Operation } from '../../testkit/contract/document.ts';
import { draftOf, JSON_PATCH, sentOf, type Attempt, type Draft } from './drafts.ts';
import { attempt, type Twist } from './twist.ts';
import type { World } from './world.ts';

type Conflict = (world: World, draft: Draft, code: string) => Promise<Draft>;

/** A request gets this code only while another request with the same key is running: see `inUse` in faults.ts. */
export const IN_USE = 'IDEMPOTENCY_KEY_IN_USE';

/** The conflicts that follow from rules of the store, and not from `x-unique` or `x-refers` of the contract. */
const CONFLICTS: Readonly<Record<string, Conflict>> = {
  OUT_OF_STOCK: outOfStock,
  ILLEGAL_STATUS: (_world, draft) => Promise.resolve(withBody(draft, { status: 'delivered' })),
  API_KEY_ENDED: ended,
  CLIENT_ENDED: ended,
  IMPORT_STARTED: cancelled,
  IMPORT_INCOMPLETE: (_world, draft) =>
    Promise.resolve(withBody(draft, { number: 2, text: 'x', last: true })),
  PATCH_CONFLICT: failingTest,
};

/** For each code of a 409 except `IN_USE`, a request that is refused with this code because of stored rows. */
export function conflictTwists({ conflicts }: Operation): readonly Twist[] {
  return conflicts
    .filter((code) => code !== IN_USE)
    .map((code) => ({
      name: `a conflict with stored rows, ${code}`,
      fits: () => true,
      make: async (world, operation) => {
        const draft = await draftOf(world, operation, false);
        const made = attempt(
          await conflictFor(operation, code)(world, draft, code),
          409,
          'a conflict with stored rows',
        );
        return { ...made, due: { ...made.due, code } };
      },
    }));
}

function conflictFor({ id, uniques, method }: Operation, code: string): Conflict {
  const found = Object.hasOwn(uniques, code)
    ? taken
    : (CONFLICTS[code] ?? (method === 'DELETE' ? referredTo : null));
  if (found === null)
    throw new Error(
      `The proof has no request to ${id} that is refused with ${code}: see CONFLICTS in conflicts.ts.`,
    );
  return found;
}

/** Gives the body the unique values of another row. */
async function taken(world: World, draft: Draft, code: string): Promise<Draft> {
  const { makes, entity, uniques } = draft.operation;
  const values = await world.rows.taken((makes?.entity ?? entity) as string, uniques[code] ?? []);
  if (draft.body?.type !== JSON_PATCH)
    return withBody(draft, { ...(draft.body?.value as object), ...values });
  const patch = Object.entries(values).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value }));
  return { ...draft, body: { type: JSON_PATCH, value: patch } };
}

/** Makes a row that refers to the row of the draft. The path of a row has only one parameter. */
async function referredTo(world: World, draft: Draft, code: string): Promise<Draft> {
  await world.rows.makeReferrer(code, { id: Number(Object.values(draft.path)[0]) });
  return { ...draft, query: [] };
}

async function ended(world: World, draft: Draft): Promise<Draft> {
  const target = sentOf(draft).target.replace(/\/rotate$/, '');
  await world.client.send({ method: 'DELETE', target, headers: world.admin });
  return draft;
}

async function cancelled(world: World, draft: Draft): Promise<Draft> {
  const target = sentOf(draft).target.replace(/\/parts$/, '');
  await world.client.send({ method: 'DELETE', target, headers: world.admin });
  return draft;
}

async function outOfStock(world: World, draft: Draft): Promise<Draft> {
  const { id: product_id } = await world.rows.row('Product', true);
  await world.post(`/products/${product_id}/stock`, { quantity: 1 });
  const user_id = (await world.rows.row('User', false)).id;
  return withBody(draft, { user_id, items: [{ product_id, quantity: 2 }] });
}

function failingTest(_world: World, draft: Draft): Promise<Draft> {
  const value = [{ op: 'test', path: '/id', value: -1 }];
  return Promise.resolve({ ...draft, body: { type: JSON_PATCH, value } });
}

function withBody(draft: Draft, value: unknown): Draft {
  return { ...draft, body: { type: 'application/json', value } };
}

const MOST_TRIES = 20;

/**
 * A request that is sent a second time. The service must repeat the first answer. Null if the first answer was no
 * success.
 */
export async function sentAgain(world: World, operation: Operation): Promise<Attempt | null> {
  const { draft, first } = await sentWithKey(world, operation);
  if (first.status !== operation.success) return null;
  const again = attempt(draft, operation.success, 'the same request with the same key');
  return { ...again, due: { ...again.due, replayOf: first } };
}

/**
 * Another request with the key of an earlier request. The service must refuse it. Null if the earlier request had no
 * success, or if the random choices gave no other request.
 */
export async function sentOtherwise(world: World, operation: Operation): Promise<Attempt | null> {
  const { draft, first } = await sentWithKey(world, operation);
  if (first.status !== operation.success) return null;
  // The order of the members does not matter.
  const isSame = (other: Draft) => isDeepStrictEqual([draft.path, draft.body], [other.path, other.body]);
  let other = await draftOf(world, operation, false);
  // A small body, such as one with a single optional member, is often the same by chance.
  for (let tries = 1; isSame(other) && tries < MOST_TRIES; tries += 1)
    other = await draftOf(world, operation, false);
  if (isSame(other)) return null;
  const { credential, headers } = draft;
  return attempt({ ...other, credential, headers }, 422, 'another request with the same key');
}

async function sentWithKey(world: World, operation: Operation): Promise<{ draft: Draft; first: Answer }> {
  const key = world.values.one([`key-${world.unique()}`, `"key ${world.unique()}"`]);
  const draft = { ...(await draftOf(world, operation, false)), headers: { 'idempotency-key': key } };
  return { draft, first: await world.client.send(sentOf(draft)) };
}
