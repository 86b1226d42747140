import { Injectable } from '@nestjs/common';
import type { Metric } from './metric.js';
import type { Histogram } from './instruments.js';

export type Labels = Readonly<Record<string, string>>;

/** The present value of one series, or of the series of one histogram. */
export type Sample = readonly [labels: Labels, value: number | Histogram];

/** A metric with all of its samples. */
export interface Family {
  readonly metric: Metric;
  readonly samples: readonly Sample[];
}

type Read = () => Iterable<Sample>;

/** The longest time for which a scrape waits for values that are not in memory. */
const PREPARE_MS = 30;

/**
 * The metrics of the application, with the functions that read the instruments. These functions are called only when
 * somebody asks for the metrics.
 */
@Injectable()
export class Metrics {
  private readonly reads = new Map<Metric, Read[]>();
  private readonly preparations: (() => Promise<void>)[] = [];

  /** @param read returns the present samples. Two functions of one metric must not return the same labels. */
  add(metric: Metric, read: Read): void {
    const known = this.reads.get(metric);
    if (known) known.push(read);
    else this.reads.set(metric, [read]);
  }

  /** Adds a metric that has one series without labels. */
  addValue(metric: Metric, read: () => number | Histogram): void {
    this.add(metric, () => [[{}, read()]]);
  }

  /**
   * Adds a function that fetches values before they are read. A scrape waits for it only for a short time, because a
   * database that does not answer must not hide the other metrics. While the function runs, it is not called again, so
   * that scrapes do not fill the queue of such a database. The function must not reject.
   */
  prepare(preparation: () => Promise<void>): void {
    let running: Promise<void> | null = null;
    this.preparations.push(() => {
      running ??= preparation().finally(() => (running = null));
      return running;
    });
  }

  /** Reads all metrics, in the order in which they were added. */
  async families(): Promise<readonly Family[]> {
    if (this.preparations.length > 0) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, PREPARE_MS);
      await Promise.race([Promise.all(this.preparations.map((prepare) => prepare())), late.promise]);
      clearTimeout(timer);
    }
    return [...this.reads].map(([metric, reads]) => ({
      metric,
      samples: reads.flatMap((read) => [...read()]),
    }));
  }
}
