import { afterEach, describe, expect, it, vi } from 'vitest';
import { TooSlow } from '../../../src/engine/errors/errors.js';
import { Broadcast, MAX_WAITING } from '../../../src/engine/events/broadcast.js';
import type { Flow } from '../../../src/engine/events/flow.js';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import { StoreEvent } from '../../../src/engine/events/store-event.js';

function anEvent(position: number, data: string): StoreEvent {
  const row = { position, type: 'x', kind: 'x', entity_id: 1, entity_version: 1, data, actor: '{}' };
  return new StoreEvent({ ...row, request_id: null, occurred_at: 0 }, JSON.parse);
}

/** The ids of the events that the flow has now. */
function taken(flow: Flow<{ id: number }>): number[] {
  const ids: number[] = [];
  for (let step = flow.take(); step !== null && step.done !== true; step = flow.take())
    ids.push(step.value.id);
  return ids;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('PubSub', () => {
  it('gives each subscriber every event in order, from the time of subscribing', async () => {
    const pubSub = new PubSub();
    const early = pubSub.subscribe('testEvent');
    pubSub.publish('testEvent', { id: 1 });
    pubSub.publish('testEvent', { id: 2 });
    const late = pubSub.subscribe('testEvent');
    const waiting = late.next();
    pubSub.publish('testEvent', { id: 3 });
    expect(await waiting).toEqual({ value: { id: 3 }, done: false });
    for (const id of [1, 2, 3]) expect(await early.next()).toEqual({ value: { id }, done: false });
  });

  it('gives an event to all present subscribers before `publish` returns, and to no later subscriber', async () => {
    const pubSub = new PubSub();
    const events = pubSub.subscribe('testEvent');
    pubSub.publish('testEvent', { id: 1 });
    const late = pubSub.subscribe('testEvent');
    pubSub.publish('testEvent', { id: 2 });
    for (const id of [1, 2]) expect((await events.next()).value).toEqual({ id });
    expect((await late.next()).value).toEqual({ id: 2 });
  });

  it('is idle while there is no subscriber', async () => {
    const pubSub = new PubSub();
    expect(pubSub.isIdle).toBe(true);
    const events = pubSub.subscribe('testEvent');
    expect(pubSub.isIdle).toBe(false);
    await events.return?.();
    await expect.poll(() => pubSub.isIdle).toBe(true);
  });

  it('releases a subscriber that leaves, even while it waits for an event', async () => {
    const pubSub = new PubSub();
    const [one, other] = [pubSub.subscribe('testEvent'), pubSub.subscribe('testEvent')];
    expect(pubSub.countSubscribers('testEvent')).toBe(2);
    const waiting = one.next();
    await one.return?.();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(await one.next()).toEqual({ value: undefined, done: true });
    expect(pubSub.countSubscribers('testEvent')).toBe(1);
    await Promise.all([other.return?.(), other.return?.()]);
    expect(pubSub.countSubscribers('testEvent')).toBe(0);
  });

  it('keeps a thousand events for a slow subscriber, and ends a subscriber for which more events wait', async () => {
    const pubSub = new PubSub();
    const [slow, slower] = [pubSub.subscribe('testEvent'), pubSub.subscribe('testEvent')];
    for (let id = 0; id < MAX_WAITING; id++) pubSub.publish('testEvent', { id });
    expect((await slow.next()).value).toEqual({ id: 0 });
    pubSub.publish('testEvent', { id: MAX_WAITING });
    await expect.poll(() => pubSub.countSubscribers('testEvent')).toBe(1);
    await expect(slower.next()).rejects.toThrow(TooSlow);
    expect(await slower.next()).toEqual({ value: undefined, done: true });
    for (let id = 1; id <= MAX_WAITING; id++) expect((await slow.next()).value).toEqual({ id });
  });

  it('wakes a waiting subscriber when it ends this subscriber because of too many events at once', async () => {
    const pubSub = new PubSub();
    const [event, all] = [
      pubSub.subscribe('testEvent').next(),
      pubSub.subscribe('testEvent').forEach(() => null),
    ];
    for (let id = 0; id <= MAX_WAITING; id++) pubSub.publish('testEvent', { id });
    await expect(event).rejects.toThrow(TooSlow);
    await expect(all).rejects.toThrow(TooSlow);
    await expect.poll(() => pubSub.isIdle).toBe(true);
  });

  it('ends only the subscriber that is too far behind', async () => {
    const pubSub = new PubSub();
    const [slow, fast] = [pubSub.subscribe('testEvent'), pubSub.subscribe('testEvent')];
    for (let id = 0; id <= MAX_WAITING; id++) {
      pubSub.publish('testEvent', { id });
      expect((await fast.next()).value).toEqual({ id });
    }
    expect(pubSub.countSubscribers('testEvent')).toBe(1);
    await expect(slow.next()).rejects.toThrow(TooSlow);
    pubSub.publish('testEvent', { id: -1 });
    expect((await fast.next()).value).toEqual({ id: -1 });
  });

  it('gives a subscriber that wants one value only the events with this value, in order', async () => {
    const pubSub = new PubSub();
    const [all, one, two] = [
      pubSub.subscribe('testEvent'),
      pubSub.subscribe('testEvent', { member: 'id', value: 1 }),
      pubSub.subscribe('testEvent', { member: 'id', value: 2 }),
    ];
    expect(pubSub.countSubscribers('testEvent')).toBe(3);
    for (const id of [1, 2, 3, 1]) pubSub.publish('testEvent', { id });
    expect([all, one, two].map(taken)).toEqual([[1, 2, 3, 1], [1, 1], [2]]);
    one.end();
    expect(pubSub.countSubscribers('testEvent')).toBe(2);
    for (const id of [1, 2]) pubSub.publish('testEvent', { id });
    expect([all, two].map(taken)).toEqual([[1, 2], [2]]);
    for (const flow of [all, two]) flow.end();
    await expect.poll(() => pubSub.isIdle).toBe(true);
  });

  it('pushes an event only to the subscribers that want its value, here with 10,000 subscribers', async () => {
    const pubSub = new PubSub();
    const heard: number[] = [];
    for (let value = 0; value < 10_000; value++) {
      void pubSub.subscribe('testEvent', { member: 'id', value }).forEach(({ id }) => {
        heard.push(id);
        return null;
      });
    }
    const reached = vi.spyOn(Broadcast.prototype, 'push');
    for (const id of [7, 20_000, 8]) pubSub.publish('testEvent', { id });
    expect(reached).toHaveBeenCalledTimes(2);
    await pubSub.told();
    expect(heard).toEqual([7, 8]);
  });

  it('removes only the slow subscriber, and not the subscribers that want other values of the same topic', async () => {
    const pubSub = new PubSub();
    const slow = pubSub.subscribe('testEvent', { member: 'id', value: 1 });
    const idle = pubSub.subscribe('testEvent', { member: 'id', value: 2 });
    for (let count = 0; count <= MAX_WAITING; count++) pubSub.publish('testEvent', { id: 1 });
    expect(pubSub.countSubscribers('testEvent')).toBe(1);
    await expect(slow.next()).rejects.toThrow(TooSlow);
    pubSub.publish('testEvent', { id: 2 });
    expect((await idle.next()).value).toEqual({ id: 2 });
  });

  it('spreads 2,000 deliveries over several turns of the event loop, and reports when all are done', async () => {
    const pubSub = new PubSub();
    const heard = new Map<number, number[]>();
    const listen = (listener: number) => {
      heard.set(listener, []);
      void pubSub.subscribe('testEvent').forEach(({ id }) => {
        heard.get(listener)?.push(id);
        return null;
      });
    };
    const have = (...ids: number[]) =>
      [...heard.values()].filter((got) => String(got) === String(ids)).length;
    for (let listener = 0; listener < 2_000; listener++) listen(listener);
    pubSub.publish('testEvent', { id: 1 });
    expect(have(1)).toBe(0);
    await new Promise(setImmediate);
    expect(have(1)).toBeGreaterThan(0);
    expect(have(1)).toBeLessThan(2_000);
    listen(2_000);
    pubSub.publish('testEvent', { id: 2 });
    await pubSub.told();
    expect(have(1, 2)).toBe(2_000);
    expect(heard.get(2_000)).toEqual([2]);
  });

  it('keeps at most 8 MiB of the log for one subscriber', async () => {
    const pubSub = new PubSub();
    const events = pubSub.subscribe('everything');
    const data = 'x'.repeat(1_048_576);
    for (let position = 1; position <= 8; position++) pubSub.publish('everything', anEvent(position, data));
    expect(pubSub.countSubscribers('everything')).toBe(1);
    pubSub.publish('everything', anEvent(9, 'x'));
    await expect.poll(() => pubSub.countSubscribers('everything')).toBe(0);
    await expect(events.next()).rejects.toThrow(TooSlow);
  });

  it('delivers an event to the other subscribers when one of them fails', async () => {
    const pubSub = new PubSub();
    const heard: number[] = [];
    const broken = pubSub.subscribe('testEvent').forEach(() => {
      throw new TypeError('a bug');
    });
    void pubSub.subscribe('testEvent').forEach(({ id }) => {
      heard.push(id);
      return null;
    });
    for (const id of [1, 2]) pubSub.publish('testEvent', { id });
    await pubSub.told();
    expect(heard).toEqual([1, 2]);
    await expect(broken).rejects.toThrow(TypeError);
    await expect.poll(() => pubSub.countSubscribers('testEvent')).toBe(1);
  });

  it('gives a subscriber the next event only after the subscriber has handled the previous event', async () => {
    const pubSub = new PubSub();
    const events = pubSub.subscribe('testEvent');
    const heard: number[] = [];
    const slow = Promise.withResolvers<void>();
    const all = events.forEach(({ id }) => {
      heard.push(id);
      return id === 1 ? slow.promise : null;
    });
    for (const id of [1, 2, 3]) pubSub.publish('testEvent', { id });
    await pubSub.told();
    expect(heard).toEqual([1]);
    slow.resolve();
    await expect.poll(() => heard).toEqual([1, 2, 3]);
    events.end();
    await all;
  });
});
