import { setTimeout as sleep } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config.js';
import { EventLog } from './event-log.js';
import { Sequencer } from './sequencer.js';
import { Tailer } from './tailer.js';
import { WakeUp } from './wake-up.js';

// On SQLite another process that writes to the file can only be noticed; to look costs some microseconds.
const SQLITE_POLL_MS = 200;
const POSTGRES_POLL_MS = 1_000;
const DAY_MS = 24 * 3_600_000;
const PURGE_MS = 10 * 60_000;
const PURGED_AT_ONCE = 500;
const PURGE_PAUSE_MS = 20;

/** Keeps events flowing as long as the application runs: from the acts into the log, to the tailer, and out of the log. */
@Injectable()
export class LiveEvents implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('LiveEvents');
  private sequencer: Sequencer | null = null;
  private purging: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly log: EventLog,
    private readonly tailer: Tailer,
    private readonly wakeUp: WakeUp,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { databaseUrl } = this.config;
    if (databaseUrl.startsWith('sqlite:')) {
      await this.tailer.start(SQLITE_POLL_MS);
      this.log.onWrite(() => this.tailer.wake());
    } else {
      await this.tailer.start(POSTGRES_POLL_MS);
      const wake = () => this.tailer.wake();
      await this.wakeUp.start(wake);
      const sequencer = new Sequencer(databaseUrl, wake, () => this.wakeUp.call());
      this.log.onWrite(() => sequencer.wake());
      sequencer.start();
      this.sequencer = sequencer;
    }
    this.timer = setInterval(() => this.purgeSoon(), PURGE_MS).unref();
    this.purgeSoon();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await Promise.all([this.sequencer?.stop(), this.tailer.stop(), this.purging]);
  }

  private purgeSoon(): void {
    this.purging ??= this.purge().finally(() => (this.purging = null));
  }

  /** Never rejects: there will be another time. */
  private async purge(): Promise<void> {
    const before = new Date(Date.now() - this.config.eventsRetentionDays * DAY_MS);
    try {
      while (!this.isStopped && (await this.log.purge(before, PURGED_AT_ONCE)) === PURGED_AT_ONCE) {
        await sleep(PURGE_PAUSE_MS, undefined, { ref: false });
      }
    } catch (error) {
      this.logger.warn(`Old events could not be removed: ${String(error)}`);
    }
  }
}
