import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DatabaseConfig, EventsConfig } from '../config/slices.js';
import { Purge } from '../database/purge.js';
import { EventLog } from './event-log.js';
import { Sequencer } from './sequencer.js';
import { Tailer } from './tailer.js';
import { WakeUp } from './wake-up.js';

// On SQLite, writes of another process can only be noticed by polling. One poll takes a few microseconds.
const SQLITE_POLL_MS = 200;
const POSTGRES_POLL_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Starts the parts that move events, and stops them with the application. On PostgreSQL, the sequencer moves events
 * into the log. The tailer publishes events. A purge removes old events from the log.
 */
@Injectable()
export class LiveEvents implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly purge: Purge;
  private sequencer: Sequencer | null = null;

  constructor(
    private readonly log: EventLog,
    private readonly tailer: Tailer,
    private readonly wakeUp: WakeUp,
    private readonly database: DatabaseConfig,
    { retentionDays }: EventsConfig,
  ) {
    const keptMs = retentionDays * DAY_MS;
    this.purge = new Purge('old events', (most) => log.purge(new Date(Date.now() - keptMs), most));
  }

  /** Whether this instance moves events into the log; null on SQLite. */
  get isLeader(): boolean | null {
    return this.sequencer?.isLeader ?? null;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { url, directUrl } = this.database;
    if (url.startsWith('sqlite:')) {
      await this.tailer.start(SQLITE_POLL_MS);
      this.log.onWrite(() => this.tailer.wake());
    } else {
      await this.tailer.start(POSTGRES_POLL_MS);
      await this.wakeUp.start(() => this.tailer.wake());
      const moved = (position: number | null) =>
        position === null ? this.tailer.wake() : this.tailer.reach(position);
      const sequencer = new Sequencer(directUrl ?? url, moved, () => this.wakeUp.call());
      this.log.onWrite(() => sequencer.wake());
      sequencer.start();
      this.sequencer = sequencer;
    }
    void this.purge.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.sequencer?.stop(), this.tailer.stop(), this.purge.stop()]);
  }
}
