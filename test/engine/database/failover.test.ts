import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, createOnServer } from '../../../testkit/databases.js';
import { findPostgres, PostgresServer } from '../../../testkit/postgres-server.js';
import type { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { proxyInFrontOf } from '../../support/faults/proxy.js';
import { onPostgres } from '../../support/fixtures/database.js';
import { needing } from '../../support/needs.js';
import { insert, namesRead, openItems } from './items.js';

const onServers = needing(
  'the programs of a PostgreSQL server',
  findPostgres() !== null,
  'apt-get install postgresql (Debian)',
);

describe('a replica that takes over', { ...onPostgres, ...onServers }, () => {
  const ending = new AbortController();
  const undos: (() => unknown)[] = [];
  const proceeding = { signal: ending.signal, atEnd: (undo: () => unknown) => void undos.unshift(undo) };
  let primary: PostgresServer;
  let replica: PostgresServer;

  beforeAll(async () => {
    primary = await PostgresServer.create(proceeding);
    await primary.start();
  });
  afterAll(async () => {
    ending.abort();
    for (const undo of undos) await undo();
  });

  it('never makes a lost act look stored, although another transaction has the same id', async () => {
    const fresh = await createOnServer(primary.url);
    let [isAwaited, isOver] = [false, false];
    const url = await proxyInFrontOf(fresh.url, (client, upstream) => {
      const target = isOver ? connect(Number(new URL(replica.url).port), '127.0.0.1') : upstream;
      for (const socket of [client, upstream, target]) socket.on('error', () => socket.destroy());
      if (target !== upstream) upstream.destroy();
      client.on('data', (data) => {
        target.write(data);
        if (isOver || !isAwaited || !data.includes('COMMIT')) return;
        // The server commits, but nobody gets its answer. From now on, the address leads to the other server.
        isOver = true;
        client.resetAndDestroy();
        setTimeout(() => target.destroy(), 100);
      });
      target.on('data', (data) => client.write(data));
      target.on('close', () => client.destroy());
    });
    const database = await openItems(url);
    await database.unitOfWork.run(insert('kept'));
    replica = await PostgresServer.createReplica(primary, proceeding);
    await replica.start();
    await ask(replica.url, 'SELECT pg_promote(true)');
    // The new server uses the transaction ids that the old server uses next. So another transaction has the id of the
    // lost act.
    const there = new URL(replica.url);
    there.pathname = new URL(fresh.url).pathname;
    for (let n = 0; n < 20; n += 1) await ask(there.href, `INSERT INTO items (name) VALUES ('other ${n}')`);
    isAwaited = true;
    const running = database.unitOfWork.run(insert('lost')).then(
      () => 'stored',
      (error: DatabaseUnavailable) => error.outcome,
    );
    const outcome = await running;
    expect(isOver).toBe(true);
    expect(await namesRead(database)).not.toContain('lost');
    expect(outcome).toBe('unknown');
  });
});
