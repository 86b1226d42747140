import type { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { CollectorConnection } from '../../../src/engine/tracing/collector-connection.js';
import { Collector } from '../../../testkit/collector.js';

interface Concluded {
  readonly failure: string | null;
  readonly memory: Buffer | null;
}

function sent(connection: CollectorConnection, request: Buffer): Promise<Concluded> {
  return new Promise((resolve) => {
    connection.send(request, 1, (failure, memory) => resolve({ failure, memory }));
  });
}

it('a new thread sends the next batch if the thread of the traces has ended', async () => {
  const collector = await Collector.start();
  const { answer } = collector;
  const asked = Promise.withResolvers<void>();
  collector.answer = () => asked.resolve();
  const connection = new CollectorConnection({
    url: `${collector.url}/v1/traces`,
    headers: {},
    compression: 'none',
    tls: {},
    serviceName: 'store-service',
    resource: {},
    sampler: 'always_on',
    ratio: 1,
  });
  // The batch begins after the first bytes of its memory.
  const memory = Buffer.allocUnsafeSlow(100);
  const lost = sent(connection, memory.subarray(10, 10));
  expect(memory).toHaveLength(0);
  await asked.promise;
  await (connection as unknown as { readonly worker: Worker }).worker.terminate();
  expect(await lost).toEqual({ failure: 'the thread of the traces has ended', memory: null });

  collector.answer = answer;
  const taken = await sent(connection, Buffer.allocUnsafeSlow(100).subarray(0, 0));
  expect([taken.failure, taken.memory?.length]).toEqual([null, 100]);
  await connection.close();
  await collector.stop();
});
