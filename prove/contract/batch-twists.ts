import type { Operation } from '../../testkit/contract/document.ts';
import { flat } from '../../testkit/contract/schemas.ts';
import { draftOf } from './drafts.ts';
import { attempt, twist, type Twist } from './twist.ts';

const isBatch = ({ path, method }: Operation): boolean => method === 'POST' && path.endsWith('/batch');

/** The largest batch, a batch of which one item fails, and batches that fail as a whole. */
export const BATCH_TWISTS: readonly Twist[] = [
  twist('an item for a row that does not exist', isBatch, 404, (draft) => ({
    ...draft,
    body: { type: 'application/json', value: { items: [{ op: 'delete', id: 987_654_321 }] } },
  })),
  {
    name: 'as many items as a batch may have',
    fits: isBatch,
    make: async (world, operation) => {
      const draft = await draftOf(world, operation);
      const [schema] = operation.body?.media.values() ?? [];
      const most = flat(flat(schema ?? {}).properties?.['items'] ?? {}).maxItems ?? 0;
      const { id } = await world.rows.row('Product', true);
      const item = { op: 'update', id, in_stock: true };
      const items = Array.from({ length: most }, () => item);
      const body = { type: 'application/json', value: { items } };
      const made = attempt({ ...draft, body }, operation.success, 'the largest batch');
      return { ...made, due: { ...made.due, results: most } };
    },
  },
  {
    name: 'a good item and an item that fails',
    fits: isBatch,
    make: async (world, operation) => {
      const draft = await draftOf(world, operation);
      const { id } = await world.rows.row('Product', true);
      const items = [
        { op: 'update', id, in_stock: true },
        { op: 'delete', id: 987_654_321 },
      ];
      const body = { type: 'application/json', value: { atomic: false, items } };
      const made = attempt({ ...draft, body }, operation.success, 'independent items');
      return { ...made, due: { ...made.due, results: items.length } };
    },
  },
  twist('an item with a wrong entity tag', isBatch, 412, async (draft, world) => {
    const { id } = await world.rows.row('Product', true);
    const items = [{ op: 'delete', id, if_match: '"987-v1-x"' }];
    return { ...draft, body: { type: 'application/json', value: { items } } };
  }),
];
