import { expect, it } from 'vitest';
import { Follower } from '../../prove/followers.ts';

const LOG = [
  { position: 3, type: 'order.created', entity_id: 1 },
  { position: 4, type: 'order.created', entity_id: 2 },
  { position: 7, type: 'order.created', entity_id: 3 },
];

const told = (id: number, cursor: number) => ({
  data: { newOrder: { id: String(id), cursor: String(cursor) } },
});

/** A subscriber that receives exactly these messages at once. */
const hearing = (type: string | null, messages: readonly unknown[]) =>
  new Follower(
    'One',
    (_cursor, hear) => {
      queueMicrotask(() => messages.forEach(hear));
      return () => undefined;
    },
    type,
  );

it('a follower accepts the events of the log, and gives the cursor for the next connection', async () => {
  const cursors: string[] = [];
  const all = new Follower('One', (cursor, hear) => {
    queueMicrotask(() => {
      for (const { entity_id, position } of LOG) {
        cursors.push(cursor());
        hear(told(entity_id, position));
      }
    });
    return () => undefined;
  });
  await expect(all.requireAll(LOG)).resolves.toBeUndefined();
  expect(cursors).toEqual(['0', '3', '4']);
});

it.each([
  [
    'a gap',
    [told(1, 3), told(3, 7)],
    'has order 3 at the position 7. The log has order 2 at the position 4.',
  ],
  [
    'a duplicate',
    [told(1, 3), told(1, 3), told(2, 4), told(3, 7)],
    'was told of order 1 at the position 3, after the position 3',
  ],
  [
    'a wrong order',
    [told(2, 4), told(1, 3), told(3, 7)],
    'was told of order 1 at the position 3, after the position 4',
  ],
  [
    'a wrong cursor',
    [told(1, 3), told(2, 5), told(3, 7)],
    'has order 2 at the position 5. The log has order 2 at the position 4.',
  ],
  ['extra events', [told(1, 3), told(2, 4), told(3, 7), told(9, 8)], 'has order 9, which is not in the log'],
  ['an error', [{ errors: [{ message: 'No.' }] }], 'No.'],
])('a follower finds %s', async (_what, messages, message) => {
  await expect(hearing('order.created', messages).requireAll(LOG)).rejects.toThrow(message);
});

it('a follower of all types of events compares the whole log', async () => {
  const log = [{ position: 1, type: 'product.created', entity_id: 9 }, ...LOG];
  const events = log.map(({ position, entity_id }) => ({ entity_id, cursor: String(position), data: null }));
  await expect(hearing(null, events).requireAll(log)).resolves.toBeUndefined();
  await expect(hearing(null, events.slice(1)).requireAll(log)).rejects.toThrow(
    'has an event of row 1 at the position 3. The log has an event of row 9 at the position 1.',
  );
});
