import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { SERVICE_VERSION } from '../values/service-version.js';
import { RUNTIME_METRICS } from './catalogue.js';
import { Histogram } from './instruments.js';
import { Metrics, type Sample } from './registry.js';

/** The interval between two ticks of the timer that measures the delay of the event loop. */
const RESOLUTION_MS = 20;
/** The time after which a measurement of the event loop is replaced by the next one. */
const WINDOW_MS = 10_000;
const GC_BOUNDS = [0.001, 0.01, 0.1, 1];
const GC_TYPES: ReadonlyMap<number | undefined, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weakcb'],
]);

/** The types of Node do not know `detail`. */
type Collected = PerformanceEntry & { readonly detail: { readonly kind: number } };
type Measurement = ReturnType<typeof monitorEventLoopDelay>;

/** Measures the process: processor time, memory, garbage collection and the event loop. */
@Injectable()
export class RuntimeMetrics implements OnModuleInit, OnModuleDestroy {
  private readonly collections = new Map(
    [...GC_TYPES.values()].map((type) => [type, new Histogram(GC_BOUNDS)]),
  );
  /**
   * Node makes several objects for each observed collection. This took about 1 % of the time of a read request. So the
   * observer starts only when somebody reads the metrics for the first time.
   */
  private readonly observer = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as Collected[]) {
      const type = GC_TYPES.get(detail.kind);
      this.collections.get(type ?? '')?.observe(duration / 1_000);
    }
  });
  private isObserving = false;
  /** The measurement of the last whole window; null if there was none. */
  private whole: Measurement | null = null;
  /** The measurement that has not ended. */
  private running = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly metrics: Metrics) {}

  onModuleInit(): void {
    this.running.enable();
    this.timer = setInterval(() => this.turn(), WINDOW_MS).unref();
    this.register();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.observer.disconnect();
    this.running.disable();
  }

  private turn(): void {
    this.running.disable();
    this.whole = this.running;
    this.running = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.running.enable();
  }

  private register(): void {
    const { metrics } = this;
    const startedAt = performance.timeOrigin / 1_000;
    metrics.add(RUNTIME_METRICS.target, () => [
      [
        {
          service_name: 'store',
          service_version: SERVICE_VERSION,
          process_runtime_version: process.versions.node,
        },
        1,
      ],
    ]);
    metrics.addValue(RUNTIME_METRICS.started, () => startedAt);
    metrics.add(RUNTIME_METRICS.cpuTime, () =>
      Object.entries(process.cpuUsage()).map(([mode, us]): Sample => [{ cpu_mode: mode }, us / 1e6]),
    );
    metrics.addValue(RUNTIME_METRICS.memory, () => process.memoryUsage.rss());
    metrics.add(RUNTIME_METRICS.heapUsed, () =>
      getHeapSpaceStatistics().map(({ space_name, space_used_size }): Sample => [
        { v8js_heap_space_name: space_name },
        space_used_size,
      ]),
    );
    metrics.addValue(RUNTIME_METRICS.heapLimit, () => getHeapStatistics().heap_size_limit);
    metrics.add(RUNTIME_METRICS.garbageCollection, () => {
      if (!this.isObserving) this.observer.observe({ entryTypes: ['gc'] });
      this.isObserving = true;
      return [...this.collections].map(([type, durations]): Sample => [{ v8js_gc_type: type }, durations]);
    });
    metrics.addValue(RUNTIME_METRICS.loopMean, () => this.delay(({ mean }) => mean));
    metrics.addValue(RUNTIME_METRICS.loopP99, () => this.delay((measured) => measured.percentile(99)));
    metrics.addValue(RUNTIME_METRICS.loopMax, () => this.delay(({ max }) => max));
    metrics.add(RUNTIME_METRICS.loopTime, () => {
      const { active, idle } = performance.eventLoopUtilization();
      return [
        [{ nodejs_eventloop_state: 'active' }, active / 1_000],
        [{ nodejs_eventloop_state: 'idle' }, idle / 1_000],
      ];
    });
  }

  /**
   * The greater value of the two measurements, in seconds. The measured values contain the interval between two ticks,
   * which is no delay, so this interval is subtracted.
   */
  private delay(valueOf: (measured: Measurement) => number): number {
    const nanoseconds = [this.whole, this.running]
      .filter((measured) => measured !== null && measured.count > 0)
      .map((measured) => valueOf(measured as Measurement));
    return Math.max(0, Math.max(0, ...nanoseconds) / 1e9 - RESOLUTION_MS / 1_000);
  }
}
