import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { kindOf } from './event-kinds.js';
import { EventLog } from './event-log.js';
import { PubSub } from './pubsub.js';

// What is published in one turn of the event loop must be far less than a subscriber may have waiting.
const BATCH = 100;

/**
 * Reads the log, once for the whole process and in order, and hands its events on. It reads when it is woken, and from
 * time to time by itself: waking makes it fast, reading makes it right.
 */
@Injectable()
export class Tailer {
  private readonly logger = new Logger('Tailer');
  private timer: NodeJS.Timeout | undefined;
  private reading: Promise<void> | null = null;
  private isWanted = false;
  private isStopped = true;
  private isFailing = false;
  private handedOn = 0;

  constructor(
    private readonly log: EventLog,
    private readonly pubSub: PubSub,
  ) {}

  /** The last event that subscribers have: it changes in the same tick in which they get it. */
  get position(): number {
    return this.handedOn;
  }

  /** Begins with what happens from now on. */
  async start(pollMs: number): Promise<void> {
    this.handedOn = await this.log.latest();
    this.isStopped = false;
    this.timer = setInterval(() => this.wake(), pollMs).unref();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.reading;
  }

  /** There may be something new. Costs nothing, and may be called by anybody, as often as one likes. */
  wake(): void {
    this.isWanted = true;
    if (!this.isStopped) this.reading ??= this.read();
  }

  /** Never rejects: what could not be read is read the next time. */
  private async read(): Promise<void> {
    try {
      while (this.isWanted && !this.isStopped) {
        // After the answers to those whose commit woke us, which need no more than microtasks.
        await nextTurn();
        this.isWanted = false;
        await this.catchUp();
      }
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing && !this.isStopped) {
        this.logger.warn(`The log of events cannot be read: ${String(error)}`);
      }
      this.isFailing = true;
    } finally {
      this.reading = null;
    }
  }

  private async catchUp(): Promise<void> {
    if (this.pubSub.isIdle) {
      const latest = await this.log.latest();
      // Somebody may have come meanwhile, who counts on getting all from where we were.
      if (this.pubSub.isIdle) {
        this.handedOn = Math.max(this.handedOn, latest);
        return;
      }
    }
    while (!this.isStopped) {
      const events = await this.log.after(this.handedOn, BATCH);
      for (const event of events) {
        this.handedOn = event.position;
        const topic = kindOf(event.type)?.topics[event.type];
        if (topic) this.pubSub.publish(topic, event);
        this.pubSub.publish('everything', event);
        await this.pubSub.told();
      }
      if (events.length < BATCH) return;
      await nextTurn();
    }
  }
}
