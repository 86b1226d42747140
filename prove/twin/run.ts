import { startTarget } from '../contract/run.ts';
import type { Client } from '../contract/client.ts';
import type { World } from '../contract/world.ts';
import type { Engine } from '../databases.ts';
import type { Proceeding } from '../../testkit/proceeding.ts';
import { Broken } from '../options.ts';
import { Doors } from './doors.ts';
import { FormatsReader } from './formats.ts';
import { Lists } from './lists.ts';
import { Model } from './model.ts';
import { Twins } from './twins.ts';
import { walkAll } from './walks.ts';
import { Wishes } from './wishes.ts';

/*
 * The proof that all interfaces show the same store. A wish is a random write: an intent (what to change), its caller
 * and its condition. `Wishes` makes wishes. The doors are REST version 1, REST version 2 and GraphQL. `Twins` sends a
 * wish that must succeed through one door, and a wish that must be refused through each door that can express it. Then
 * `Twins` reads some of the rows of the wish through all doors. `effectOf` says what an intent must change in the
 * model, or with which code the intent must be refused.
 */

/** The whole proof on one engine. @returns the counts */
export async function twinOn(
  engine: Engine,
  openapi: string,
  { ops, seed }: { readonly ops: number; readonly seed: number },
  proceeding: Proceeding,
): Promise<string> {
  const { world, client } = await startTarget(engine, seed, proceeding);
  proceeding.atEnd(() => client.close());
  return twinBy(client, world, openapi, ops);
}

/**
 * The same proof with a service that the caller has started. At the start, the store must be empty.
 *
 * @throws Broken at the first difference
 */
export async function twinBy(
  client: Pick<Client, 'send'>,
  world: World,
  openapi: string,
  ops: number,
): Promise<string> {
  const reader = await world.credential('apiKey', ['products:read', 'users:read', 'orders:read']);
  const doors = new Doors(client, { admin: world.admin, nobody: {}, reader });
  const formats = new FormatsReader(doors, world.values, openapi);
  const lists = new Lists(doors, formats);
  const model = new Model();
  const twins = new Twins(doors, formats, lists, model, world.values);
  const wishes = new Wishes(world.values, model);
  const tagEnd = await tagEndOf(world, model);
  for (let count = 1; count <= ops; count++) {
    const wish = wishes.next();
    await twins.fulfil(wish, tagEnd).catch((error: unknown) => {
      if (!(error instanceof Broken)) throw error;
      throw new Broken(`write ${count}, ${JSON.stringify(wish)}: ${error.message}`);
    });
  }
  const walked = await walkAll(lists, formats, model);
  const counts = [...twins.tally].map(([what, count]) => `${count} ${what}`).toSorted(byWord);
  const { products, users, orders } = model;
  return (
    `${ops} writes: ${counts.join(', ')}; ${doors.requests} requests; ${products.size} products, ` +
    `${users.size} users and ${orders.size} orders left, ${walked} rows read from whole lists.`
  );
}

function byWord(one: string, other: string): number {
  return one.replace(/^\d+ /, '') < other.replace(/^\d+ /, '') ? -1 : 1;
}

/** Creates the first product, and takes the part after the version from its entity tag. */
async function tagEndOf({ client, admin }: World, model: Model): Promise<string> {
  const { headers, text } = await client.send({
    method: 'POST',
    target: '/api/v1/products',
    headers: { ...admin, 'content-type': 'application/json' },
    body: '{"name":"Chai","price":18.5}',
  });
  const { id } = JSON.parse(text) as { id: number };
  model.products.set(id, { id, name: 'Chai', price: 1850, description: null, isSellable: true, stock: null });
  return /-.*$/.exec(headers['etag'] ?? '')?.[0] ?? '';
}
