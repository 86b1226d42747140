import { expect, it } from 'vitest';
import { Metrics } from '../../../src/engine/metrics/registry.js';

it('metrics are read even if a preparation takes too long, and a running preparation is not started again', async () => {
  const metrics = new Metrics();
  let started = 0;
  let fetched = 0;
  let { promise, resolve } = Promise.withResolvers<void>();
  metrics.prepare(async () => {
    started += 1;
    await promise;
    fetched += 1;
  });
  const metric = { name: 'a', kind: 'gauge', unit: null, labels: {}, help: 'A.' } as const;
  metrics.addValue(metric, () => fetched);

  for (let n = 0; n < 3; n += 1) expect(await metrics.families()).toEqual([{ metric, samples: [[{}, 0]] }]);
  expect(started).toBe(1);

  resolve();
  ({ promise, resolve } = Promise.withResolvers<void>());
  resolve();
  await metrics.families();
  expect(await metrics.families()).toEqual([{ metric, samples: [[{}, started]] }]);
  expect(started).toBeGreaterThan(1);
});
