import { expect, it } from 'vitest';
import { RecentEvents } from '../../../src/engine/events/recent-events.js';
import { StoreEvent } from '../../../src/engine/events/store-event.js';
import '../../../src/store/orders/order.events.js';
import '../../../src/store/users/user.events.js';

const ALL = [100, 1_000_000] as const;

function anEvent(position: number, type = 'order.created', data = '{"id":1}'): StoreEvent {
  const row = { position, type, kind: type.split('.')[0] ?? '', entity_id: 1, entity_version: 1, data };
  return new StoreEvent({ ...row, actor: '{}', request_id: null, occurred_at: 0 }, JSON.parse);
}

function after(recent: RecentEvents, ...wish: Parameters<RecentEvents['after']>): readonly number[] | null {
  return recent.after(...wish)?.map(({ position }) => position) ?? null;
}

it('the recent events after a position are given only if none of them is missing', () => {
  const recent = new RecentEvents();
  expect(after(recent, 0, 0, ...ALL)).toBeNull();
  for (const position of [5, 6, 7]) recent.add(anEvent(position));
  expect(after(recent, 4, 7, ...ALL)).toEqual([5, 6, 7]);
  expect(after(recent, 6, 7, ...ALL)).toEqual([7]);
  // Event 4 was not published by this process.
  expect(after(recent, 3, 7, ...ALL)).toBeNull();
  expect(after(recent, 7, 7, ...ALL)).toBeNull();
  // Nobody listened to event 8.
  expect(after(recent, 5, 8, ...ALL)).toBeNull();
  recent.add(anEvent(9));
  expect(after(recent, 5, 9, ...ALL)).toBeNull();
  expect(after(recent, 8, 9, ...ALL)).toEqual([9]);
});

it('the recent events come in bounded pages, and their number and size are bounded', () => {
  const recent = new RecentEvents();
  for (let position = 1; position <= 1_200; position += 1) recent.add(anEvent(position));
  expect(after(recent, 199, 1_200, ...ALL)).toBeNull();
  expect(after(recent, 200, 1_200, ...ALL)).toHaveLength(100);
  expect(after(recent, 200, 1_200, 100, 20)).toEqual([201, 202]);
  expect(after(recent, 200, 1_200, 100, 1)).toEqual([201]);
  recent.add(anEvent(1_201, 'order.created', `"${'x'.repeat(1_048_000)}"`));
  expect(after(recent, 200, 1_201, ...ALL)).toBeNull();
  expect(after(recent, 1_200, 1_201, ...ALL)).toEqual([1_201]);
});

it('the recent events have no event about a person, and are other objects than the published ones', () => {
  const recent = new RecentEvents();
  const published = anEvent(1);
  recent.add(published);
  expect(recent.after(0, 1, ...ALL)).not.toContain(published);
  recent.add(anEvent(2, 'user.updated'));
  expect(after(recent, 0, 2, ...ALL)).toBeNull();
  expect(after(recent, 1, 2, ...ALL)).toBeNull();
  recent.add(anEvent(3));
  expect(after(recent, 1, 3, ...ALL)).toBeNull();
  expect(after(recent, 2, 3, ...ALL)).toEqual([3]);
});
