import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { Signal } from './signal.js';

/** The pause between two batches. Events that are committed while a batch is moved wait for the next batch. */
const GATHER_MS = 3;
const POLL_MS = 1_000;
const RETRY_MS = 500;
const MOST = 5_000;
const CLOSE_MS = 1_000;

const LOCK = `SELECT pg_try_advisory_lock(hashtext('store sequencer')) AS "isLeader"`;
/**
 * A leader that has stopped working must not keep the lock. So the server ends the session of a process that hangs, or
 * whose machine is lost. All other instances try to get the lock each second.
 */
const SESSION = `SET idle_session_timeout = '10s'; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2;
  SET tcp_keepalives_count = 3; SET statement_timeout = '60s'; LISTEN store_events`;

/**
 * Moves committed events from the outbox into the log, on PostgreSQL. Every instance has a sequencer, with a connection
 * of its own. The instance whose session has the advisory lock is the leader. It moves events over the same connection,
 * so it cannot move any without the lock. The leader notifies the other instances on the channel `store_events`. The
 * other instances notify the leader on the channel `store_outbox` when they have committed events. They notify outside
 * of the act, because PostgreSQL commits transactions with notifications one after another. Lost notifications do no
 * harm: once a second, the leader reads the outbox, and the tailer of each instance reads the log.
 */
export class Sequencer {
  readonly #logger = new Logger('Sequencer');
  readonly #signal = new Signal();
  readonly #url: string;
  readonly #moved: (position: number | null) => void;
  readonly #hasLed: () => void;
  #client: Client | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;
  #isLeader = false;
  #hasWritten = false;
  #askedAt = -Infinity;

  /**
   * @param moved is called with the position of the newest event in the log, or with null when there may be new events
   * @param hasLed is called after each batch that this instance has moved
   */
  constructor(url: string, moved: (position: number | null) => void, hasLed: () => void = () => {}) {
    this.#url = url;
    this.#moved = moved;
    this.#hasLed = hasLed;
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Call this when events were committed to the outbox. */
  wake(): void {
    this.#hasWritten = true;
    this.#signal.set();
  }

  /** Stops. The next leader moves the remaining events of the outbox. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#signal.set();
    await Promise.race([this.#running, sleep(CLOSE_MS, undefined, { ref: false })]);
    // Unanswered statements are not awaited.
    this.#client?.connection.stream.destroy();
    await this.#running;
  }

  /**
   * Runs one session after another. Every error ends a session. The next session begins with the events that were
   * missed.
   */
  async #run(): Promise<void> {
    let isFailing = false;
    while (!this.#isStopped) {
      try {
        await this.#session(() => (isFailing = false));
      } catch (error) {
        if (!isFailing && !this.#isStopped) {
          this.#logger.warn(`The events of the database cannot be read; trying again: ${String(error)}`);
        }
        isFailing = true;
      }
      if (!this.#isStopped) await this.#signal.wait(RETRY_MS);
    }
  }

  async #session(begun: () => void): Promise<void> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'store events',
      connectionTimeoutMillis: 5_000,
      query_timeout: 70_000,
      keepAlive: true,
    });
    this.#client = client;
    let lost: Error | null = null;
    client.on('error', (error) => {
      lost = error;
      this.#signal.set();
    });
    client.on('notification', ({ channel, payload }) =>
      channel === 'store_events' ? this.#moved(positionIn(payload)) : this.#signal.set(),
    );
    try {
      await client.connect();
      await client.query(SESSION);
      begun();
      this.#askedAt = -Infinity;
      this.#moved(null);
      while (!this.#isStopped) {
        if (lost !== null) throw lost as Error;
        await this.#turn(client);
        await this.#signal.wait(POLL_MS);
      }
    } finally {
      this.#isLeader = false;
      this.#client = null;
      await ended(client);
    }
  }

  async #turn(client: Client): Promise<void> {
    if (!this.#isLeader && performance.now() - this.#askedAt >= POLL_MS) await this.#ask(client);
    if (!this.#isLeader) return this.#tellLeader(client);
    this.#hasWritten = false;
    const { rows } = await client.query<{ count: number }>({
      name: 'sequence',
      text: 'SELECT sequence_events($1) AS count',
      values: [MOST],
    });
    const count = rows[0]?.count ?? 0;
    if (count === 0) return;
    this.#hasLed();
    // A full batch may leave events in the outbox, so the next turn follows at once. After any other batch, the leader
    // waits for its signal. Every instance sets this signal when it commits events. A command in a process of its own
    // does not, so its events wait for at most `POLL_MS`.
    if (count >= MOST) this.#signal.set();
    await sleep(GATHER_MS);
  }

  /** Tries to get the lock. */
  async #ask(client: Client): Promise<void> {
    this.#askedAt = performance.now();
    const { rows } = await client.query<{ isLeader: boolean }>(LOCK);
    if (rows[0]?.isLeader !== true) return;
    await client.query('LISTEN store_outbox');
    this.#isLeader = true;
  }

  async #tellLeader(client: Client): Promise<void> {
    if (!this.#hasWritten) return;
    this.#hasWritten = false;
    await client.query('NOTIFY store_outbox');
    await sleep(GATHER_MS);
  }
}

/** The position of the newest event, which `sequence_events` sends; null if the payload is not a position. */
function positionIn(payload = ''): number | null {
  return /^\d{1,15}$/.test(payload) ? Number(payload) : null;
}

/** Ends the connection. If the server does not answer within `CLOSE_MS`, the connection is cut. */
async function ended(client: Client): Promise<void> {
  const patience = setTimeout(() => client.connection.stream.destroy(), CLOSE_MS);
  await client.end().catch(() => undefined);
  clearTimeout(patience);
}
