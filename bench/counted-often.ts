/**
 * The benchmark runs one service that counts everything many times. This service loads this module first. The module
 * repeats each call of a counting method, with the same arguments. So the cost of counting a request once is the
 * additional processor time of the request, divided by the number of repetitions. The additional time is above the
 * noise of the machine; the cost of counting once is not.
 *
 * A repetition also reads the clock, because the usual caller reads the clock before it counts. Values that are read at
 * a scrape cost nothing between two scrapes, so their reads are not repeated. The metrics of this service are wrong,
 * and no setting loads this module.
 */
import type { RequestMetrics } from '../src/engine/http/request-metrics.ts';
import type { StatementTimes } from '../src/engine/database/statement-times.ts';
import type { Counter, Counters, Histogram } from '../src/engine/metrics/instruments.ts';
import { REPETITIONS } from './rows.ts';

type Method = (this: unknown, ...parameters: unknown[]) => unknown;

const DIST = new URL('../dist/engine/', import.meta.url);

/** The methods that count, by class and file. */
const COUNTING = {
  'metrics/instruments.js': {
    Histogram: ['observe'] satisfies (keyof Histogram)[],
    Counter: ['add'] satisfies (keyof Counter)[],
    Counters: ['add'] satisfies (keyof Counters<string>)[],
  },
  'database/statement-times.js': { StatementTimes: ['took'] satisfies (keyof StatementTimes)[] },
};

/**
 * A counting method may call other counting methods. While a method is repeated, the calls that it makes are not
 * repeated once more.
 */
let isRepeating = false;
/** The readings of the clock are stored here, so that the compiler does not remove them. */
let latest = 0;

function often(count: Method): Method {
  return function (...parameters) {
    if (isRepeating) return count.apply(this, parameters);
    isRepeating = true;
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      latest = Math.max(latest, performance.now());
      count.apply(this, parameters);
    }
    const result = count.apply(this, parameters);
    isRepeating = false;
    return result;
  };
}

for (const [file, classes] of Object.entries(COUNTING)) {
  const loaded = (await import(new URL(file, DIST).href)) as Record<string, { prototype: object }>;
  for (const [name, methods] of Object.entries(classes)) {
    const prototype = (loaded[name] as { prototype: object }).prototype as Record<string, Method>;
    for (const method of methods) prototype[method] = often(prototype[method] as Method);
  }
}

const { RequestMetrics: Requests } = (await import(new URL('http/request-metrics.js', DIST).href)) as {
  RequestMetrics: { prototype: { [M in keyof RequestMetrics]: Method } };
};
const { counterOf } = Requests.prototype;
Requests.prototype.counterOf = function (url) {
  return often(counterOf.call(this, url) as Method);
};
