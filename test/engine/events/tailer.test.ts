import { expect, it, vi } from 'vitest';
import type { EventLog } from '../../../src/engine/events/event-log.js';
import { PubSub } from '../../../src/engine/events/pubsub.js';
import { Tailer } from '../../../src/engine/events/tailer.js';

it('after a notification, the tailer reads the log only if somebody listens and the events are new', async () => {
  const log = {
    latest: vi.fn<EventLog['latest']>(() => Promise.resolve(5)),
    after: vi.fn<EventLog['after']>(() => Promise.resolve([])),
  };
  const pubSub = new PubSub();
  const tailer = new Tailer(log as unknown as EventLog, pubSub);
  await tailer.start(3_600_000);
  try {
    tailer.reach(9);
    tailer.reach(8);
    expect(tailer.position).toBe(9);
    const events = pubSub.subscribe('newOrder');
    tailer.reach(9);
    tailer.reach(10);
    await vi.waitUntil(() => log.after.mock.calls.length > 0);
    expect(log.after.mock.calls).toEqual([[9, 100]]);
    expect(log.latest).toHaveBeenCalledTimes(1);
    events.end();
  } finally {
    await tailer.stop();
  }
});
