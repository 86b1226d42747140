import type { Operation } from '../../testkit/contract/document.ts';
import { twist, type Twist } from './twist.ts';

const isBatch = ({ path, method }: Operation): boolean => method === 'POST' && path.endsWith('/batch');

/** Requests whose batch fails as a whole. */
export const BATCH_TWISTS: readonly Twist[] = [
  twist('an item for a row that does not exist', isBatch, 404, (draft) => ({
    ...draft,
    body: { type: 'application/json', value: { items: [{ op: 'delete', id: 987_654_321 }] } },
  })),
  twist('an item with a wrong entity tag', isBatch, 412, async (draft, world) => {
    const { id } = await world.rows.row('Product', true);
    const items = [{ op: 'delete', id, if_match: '"987-v1-x"' }];
    return { ...draft, body: { type: 'application/json', value: { items } } };
  }),
];
