import { readdirSync } from 'node:fs';
import type { Inspector } from '../cost/inspector.ts';

const REQUIRE = "process.getBuiltinModule('node:module').createRequire(process.cwd() + '/dist/main.js')";
const COUNT = '(all) => all.length';
const LISTENERS = `(all) => all.reduce((sum, one) => {
  try {
    return sum + one.eventNames().reduce((count, name) => count + one.listenerCount(name), 0);
  } catch {
    // This object is a prototype. It does not have the state of an emitter.
    return sum;
  }
}, 0)`;

const STATEMENTS = `(() => {
  const database = new (${REQUIRE}('better-sqlite3'))(':memory:');
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1'));
  database.close();
  return prototype;
})()`;

/** The classes whose objects are counted, as expressions that the service evaluates. Garbage is collected first. */
const KINDS: Readonly<Record<string, readonly [prototype: string, fold: string]>> = {
  timers: [
    '(() => { const timer = setTimeout(() => {}, 0); clearTimeout(timer); return Object.getPrototypeOf(timer); })()',
    // There may still be a reference to a timer that has ended.
    '(all) => all.filter(({ _destroyed }) => !_destroyed).length',
  ],
  sockets: [
    "process.getBuiltinModule('node:net').Socket.prototype",
    '(all) => all.filter(({ destroyed }) => !destroyed).length',
  ],
  listeners: ["process.getBuiltinModule('node:events').EventEmitter.prototype", LISTENERS],
  signals: ['AbortSignal.prototype', COUNT],
  workers: ["process.getBuiltinModule('node:worker_threads').Worker.prototype", COUNT],
  'statements of SQLite': [STATEMENTS, COUNT],
  'statements prepared twice': [
    STATEMENTS,
    `(all) => {
      const kept = new Map();
      for (const { database, source } of all) kept.set(database, (kept.get(database) ?? new Set()).add(source));
      return [...kept.values()].reduce((rest, { size }) => rest - size, all.length);
    }`,
  ],
};

/** The metrics that count connections, streams and work for clients. */
const GAUGES = {
  connections: 'store_http_connections',
  WebSockets: 'store_websockets',
  streams: 'store_event_streams',
  subscriptions: 'store_subscriptions',
  'acts that wait': 'store_acts_pending',
} as const;

/**
 * The service keeps each statement that it has prepared: one for each place in its code, and at most 200 texts of the
 * query builder. A rare request may prepare its statement only after the warm-up, so a few more are allowed. A
 * statement is prepared twice if two places of the code have the same text. A few such statements are allowed.
 */
const SLACK: Readonly<Record<string, number>> = {
  'statements of SQLite': 20,
  'statements prepared twice': 5,
};

export type Handles = Readonly<Record<string, number>>;

/** Counts the objects, descriptors and connections of the service while no request runs. */
export async function handlesOf(pid: number, inspector: Inspector, metrics: string): Promise<Handles> {
  const counts: Record<string, number> = { 'file descriptors': readdirSync(`/proc/${pid}/fd`).length };
  for (const [name, [prototype, fold]] of Object.entries(KINDS)) {
    counts[name] = await inspector.living(prototype, fold);
  }
  for (const [name, metric] of Object.entries(GAUGES)) {
    const lines = metrics
      .split('\n')
      .filter((line) => line.startsWith(`${metric} `) || line.startsWith(`${metric}{`));
    counts[name] = lines.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
  }
  return counts;
}

/** The texts of the statements that the service keeps. */
export function statementsOf(inspector: Inspector): Promise<readonly string[]> {
  return inspector.living(
    STATEMENTS,
    // The driver makes one object of this class that is no statement.
    String.raw`(all) => [...new Set(all.map(({ source }) => source?.trim().replace(/\s+/g, ' ')))]`,
  );
}

/** The kinds with more objects than before, beyond their `SLACK`, as a text; null if there are none. */
export function moreIn(now: Handles, before: Handles): string | null {
  const more = Object.entries(now).filter(
    ([name, count]) => count > (before[name] ?? 0) + (SLACK[name] ?? 0),
  );
  return more.length === 0
    ? null
    : more.map(([name, count]) => `${name}: ${before[name] ?? 0}, then ${count}`).join('; ');
}
