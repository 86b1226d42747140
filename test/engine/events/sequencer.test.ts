import { afterEach, beforeEach, expect, it } from 'vitest';
import { Sequencer } from '../../../src/engine/events/sequencer.js';
import { describeOnPostgres } from '../../support/fixtures/database.js';
import { freshOutbox, type Hand, type Outbox } from '../../support/fixtures/outbox.js';

describeOnPostgres('the sequencer, which moves events from the outbox into the log,', () => {
  let outbox: Outbox;
  let a: Hand;
  let b: Hand;
  let leader: Hand;
  const sequencers: Sequencer[] = [];
  beforeEach(async () => {
    outbox = await freshOutbox();
    [a, b, leader] = await Promise.all([outbox.hand(), outbox.hand(), outbox.hand()]);
  });
  afterEach(async () => {
    await Promise.all(sequencers.splice(0).map((sequencer) => sequencer.stop()));
    await outbox.close();
  });

  /** Starts the sequencer of another instance of the service. */
  const instance = (moved: () => void = () => {}): Sequencer => {
    const sequencer = new Sequencer(outbox.url, moved);
    sequencers.push(sequencer);
    sequencer.start();
    return sequencer;
  };

  /** Whether any session waits for a lock. */
  const isAnybodyWaiting = async () => {
    const { rows } = await a.client.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };

  it('loses no event that was written before another event and committed after it', async () => {
    await a.begin();
    await a.write('order', 1, 1);
    await b.write('order', 2, 1);
    expect(await leader.sequence()).toBe(1);
    expect(await leader.sequence()).toBe(0);
    await a.commit();
    await b.write('order', 3, 1);
    expect(await leader.sequence()).toBe(2);
    expect(await outbox.log()).toEqual(['1 order 2 v1', '2 order 1 v1', '3 order 3 v1']);
  });

  /** `a` begins first. `b` changes the product and commits. Then `a` changes the product too. */
  const turnRound = async () => {
    await a.begin();
    await a.write('order', 1, 1);
    await b.begin();
    await b.write('product', 7, 2);
    await b.write('order', 2, 1);
    await b.commit();
    await a.write('product', 7, 3);
    await a.commit();
  };

  it('keeps the order of the changes of one product, even if the transaction of the last change began first', async () => {
    await turnRound();
    await leader.sequence();
    expect(await outbox.log()).toEqual(['1 order 1 v1', '2 product 7 v2', '3 product 7 v3', '4 order 2 v1']);
  });

  it.each([1, 2, 3])('keeps the order of the changes of one product in batches of %i too', async (most) => {
    await turnRound();
    while ((await leader.sequence(most)) > 0);
    const log = await outbox.log();
    expect(log.map((line) => Number(line.split(' ')[0]))).toEqual([1, 2, 3, 4]);
    expect(log.filter((line) => line.includes('product')).map((line) => line.split(' ')[3])).toEqual([
      'v2',
      'v3',
    ]);
  });

  it('ignores events that were rolled back, and leaves no gap for them', async () => {
    await a.begin();
    await a.write('order', 1, 1);
    await b.write('order', 2, 1);
    await a.client.query('ROLLBACK');
    await leader.sequence();
    await b.write('order', 3, 1);
    await leader.sequence();
    expect(await outbox.log()).toEqual(['1 order 2 v1', '2 order 3 v1']);
  });

  it('continues with another leader when a leader is killed in the middle of a batch', async () => {
    for (const id of [1, 2, 3]) await a.write('order', id, 1);
    await leader.client.query(`SELECT pg_advisory_lock(hashtext('store sequencer'))`);
    const { rows } = await leader.client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const second = instance();
    await leader.begin();
    expect(await leader.sequence(2)).toBe(2);
    await a.write('order', 4, 1);
    expect(second.isLeader).toBe(false);
    expect(await outbox.log()).toEqual([]);
    await b.client.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await expect.poll(() => outbox.log(), { timeout: 60_000 }).toHaveLength(4);
    expect(await outbox.log()).toEqual([1, 2, 3, 4].map((n) => `${n} order ${n} v1`));
    expect(second.isLeader).toBe(true);
  });

  it('stays correct with two leaders at the same time', async () => {
    for (const id of [1, 2, 3]) await a.write('order', id, 1);
    await leader.begin();
    await leader.sequence(2);
    const other = b.sequence();
    await expect.poll(isAnybodyWaiting, { timeout: 60_000 }).toBe(true);
    await a.write('order', 4, 1);
    await leader.commit();
    expect(await other).toBe(2);
    expect(await outbox.log()).toEqual([1, 2, 3, 4].map((n) => `${n} order ${n} v1`));
  });

  it('stays correct with many writers and many leaders', async () => {
    const ids = [1, 2, 3];
    await a.client.query('CREATE TABLE things (id integer PRIMARY KEY, version integer NOT NULL)');
    await a.client.query('INSERT INTO things SELECT n, 0 FROM generate_series(1, 3) n');
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    let committed = 0;
    let order = 0;
    const writing = Promise.all(
      Array.from({ length: 6 }, async () => {
        const hand = await outbox.hand();
        for (let n = 0; n < 25; n++) {
          await hand.begin();
          order += 1;
          await hand.write('order', order, 1);
          const id = ids[random(3)] as number;
          const { rows } = await hand.client.query<{ version: number }>(
            'UPDATE things SET version = version + 1 WHERE id = $1 RETURNING version',
            [id],
          );
          await hand.write('thing', id, rows[0]?.version ?? 0);
          if (random(4) === 0) await hand.client.query('ROLLBACK');
          else {
            await hand.commit();
            committed += 2;
          }
        }
      }),
    );
    const writers = { areDone: false };
    const leading = Promise.all(
      Array.from({ length: 3 }, async () => {
        const hand = await outbox.hand();
        while (!writers.areDone || (await hand.sequence(4)) > 0) await hand.sequence(4);
      }),
    );
    await writing;
    writers.areDone = true;
    await leading;
    const log = (await outbox.log()).map((line) => line.split(' '));
    expect(log.map(([position]) => Number(position))).toEqual(
      Array.from({ length: committed }, (_, n) => n + 1),
    );
    for (const id of ids) {
      const versions = log
        .filter(([, kind, of]) => kind === 'thing' && of === String(id))
        .map(([, , , v]) => v);
      expect(versions).toEqual(versions.map((_, n) => `v${n + 1}`));
    }
    const orders = log.filter(([, kind]) => kind === 'order').map(([, , of]) => of);
    expect(new Set(orders).size).toBe(orders.length);
    expect(orders).toHaveLength(committed / 2);
  });

  it('has one leader among several instances, and a new leader when the first leader stops', async () => {
    const all = [instance(), instance(), instance()];
    const leaders = () => all.filter(({ isLeader }) => isLeader);
    await expect.poll(() => leaders().length, { timeout: 60_000 }).toBe(1);
    await a.write('order', 1, 1);
    // Each writer wakes its own sequencer, which notifies the leader.
    for (const sequencer of all) sequencer.wake();
    await expect.poll(() => outbox.log(), { timeout: 60_000 }).toHaveLength(1);
    const first = leaders();
    expect(first).toHaveLength(1);
    await first[0]?.stop();
    await expect.poll(() => leaders().length, { timeout: 60_000 }).toBe(1);
    expect(leaders()[0]).not.toBe(first[0]);
    await a.write('order', 2, 1);
    await expect.poll(() => outbox.log(), { timeout: 60_000 }).toEqual(['1 order 1 v1', '2 order 2 v1']);
  });

  it('notifies all instances only once for a batch of many events', async () => {
    const heard = [0, 0];
    const first = instance(() => heard[0]!++);
    await expect.poll(() => first.isLeader, { timeout: 60_000 }).toBe(true);
    instance(() => heard[1]!++);
    // Each instance reads the log once when it begins to listen, because there may be events from before.
    await expect.poll(() => heard, { timeout: 60_000 }).toEqual([1, 1]);
    const listener = await outbox.hand();
    const notices: string[] = [];
    listener.client.on('notification', ({ payload }) => notices.push(payload ?? ''));
    await listener.client.query('LISTEN store_events');
    await a.begin();
    for (let id = 1; id <= 50; id++) await a.write('order', id, 1);
    await a.commit();
    first.wake();
    await expect.poll(() => notices, { timeout: 60_000 }).toEqual(['50']);
    await expect.poll(() => heard, { timeout: 60_000 }).toEqual([2, 2]);
  });
});
