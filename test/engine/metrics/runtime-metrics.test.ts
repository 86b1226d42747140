import { PerformanceObserver } from 'node:perf_hooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Metrics } from '../../../src/engine/metrics/registry.js';
import { RuntimeMetrics } from '../../../src/engine/metrics/runtime-metrics.js';

it('the observation of garbage collections begins with the first reading of the metrics', async () => {
  const observe = vi.spyOn(PerformanceObserver.prototype, 'observe');
  onTestFinished(() => observe.mockRestore());
  const metrics = new Metrics();
  const runtime = new RuntimeMetrics(metrics);
  onTestFinished(() => runtime.onModuleDestroy());

  runtime.onModuleInit();
  expect(observe).not.toHaveBeenCalled();

  await metrics.families();
  await metrics.families();
  expect(observe.mock.calls).toEqual([[{ entryTypes: ['gc'] }]]);
});
