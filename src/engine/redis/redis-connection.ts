import { createHash } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';
import { RedisConfig } from '../config/slices.js';
import { ChannelListener } from './channel-listener.js';

/** A healthy Redis answers faster than this. A client hardly notices a delay of this length. */
const ANSWER_TIMEOUT_MS = 100;
const CONNECT_TIMEOUT_MS = 1_000;
/** The interval of probes while Redis does not answer. */
const PROBE_MS = 500;
const PROBES = 6;
const SHORTEST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 2_000;

const OPTIONS: RedisOptions = {
  lazyConnect: true,
  connectionName: 'store',
  connectTimeout: CONNECT_TIMEOUT_MS,
  commandTimeout: ANSWER_TIMEOUT_MS,
  // A command that Redis cannot execute at once fails: no command waits for a connection, and none is repeated.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // Randomised, so that the instances reconnect at different moments.
  retryStrategy: (attempt) =>
    Math.min(SHORTEST_RETRY_MS * 2 ** Math.min(attempt, 10), LONGEST_RETRY_MS) * (0.5 + Math.random() / 2),
};

/** A script that Redis knows by its hash after the first use. */
export class Script {
  readonly hash: string;

  constructor(readonly text: string) {
    this.hash = createHash('sha1').update(text).digest('hex');
  }
}

/**
 * Writes, because a Redis that answers may still refuse to write: a replica does, and so does a server without room.
 * Redis removes the key after a millisecond.
 */
const PROBE = new Script(`return redis.call('SET', KEYS[1], '', 'PX', 1)`);
const PROBE_KEY = 'store:rate:probe';

/**
 * The connection to Redis, if the settings have the address of Redis. It reconnects automatically. While Redis cannot
 * be reached or does not answer, all parts that use it work without it.
 */
@Injectable()
export class RedisConnection implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  private client: Redis | null = null;
  private probe: NodeJS.Timeout | null = null;
  private readonly listeners: ChannelListener[] = [];
  /** Whether the present failure of Redis has been logged. */
  private isMissed = false;
  private isAnswering = true;

  constructor(private readonly config: RedisConfig) {}

  get isConfigured(): boolean {
    return this.config.url !== null;
  }

  /** Whether Redis can be used at this moment, as far as this process knows. */
  get isUp(): boolean {
    return this.client !== null && this.client.status === 'ready' && this.isAnswering;
  }

  /** Waits for the first attempt to connect. The service also starts if the attempt fails. */
  async onModuleInit(): Promise<void> {
    const { url } = this.config;
    if (url === null) return;
    const { Redis: Client } = await import('ioredis');
    const client = new Client(url, OPTIONS);
    this.client = client;
    client.on('error', (error) => this.miss(error));
    client.on('close', () => this.miss(new Error('the connection was closed')));
    client.on('ready', () => {
      // A suspended client waits for the answer to a probe, on a new connection too.
      if (this.isAnswering) this.welcome();
    });
    await client.connect().catch(() => {});
  }

  onApplicationShutdown(): void {
    const { client } = this;
    this.client = null;
    if (this.probe) clearTimeout(this.probe);
    client?.disconnect();
    for (const listener of this.listeners) listener.stop();
  }

  /** Whether Redis answers. */
  async ping(): Promise<boolean> {
    const answer = await this.run((client) => client.ping()).catch(() => null);
    return answer !== null;
  }

  /**
   * @throws Error at once while Redis is gone; otherwise when a command fails, or has no answer after a tenth of a
   *   second
   */
  async runScript(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    return this.run((client) => evaluated(client, script, keys, args));
  }

  /** Sends a message to the present listeners. It does not wait, and it has no effect while Redis cannot be reached. */
  tell(channel: string): void {
    this.run((client) => client.publish(channel, '')).catch(() => {});
  }

  /**
   * Listens until the service stops, over a connection of its own.
   *
   * @param heard is called for each message, and each time that listening begins, also after an interruption, because
   *   messages may have been missed
   */
  listen(channel: string, heard: () => void): void {
    if (this.client === null) return;
    const client = this.client.duplicate({ connectionName: 'store listener', autoResubscribe: false });
    this.listeners.push(new ChannelListener(client, channel, heard));
  }

  private async run<T>(command: (client: Redis) => Promise<T>): Promise<T> {
    const { client } = this;
    if (client === null || !this.isUp) throw new Error('Redis is not connected.');
    try {
      return await command(client);
    } catch (error) {
      this.miss(error as Error);
      if (this.client === client && client.status === 'ready') this.suspend(client);
      throw error;
    }
  }

  /**
   * Call this when Redis is connected, but does not answer, or answers with an error. From then on, Redis is not used
   * until a probe succeeds.
   */
  private suspend(client: Redis): void {
    if (!this.isAnswering) return;
    this.isAnswering = false;
    this.probeSoon(client, PROBES);
  }

  /**
   * @param left the number of probes that are left. If the last probe fails too, a new connection is made, because this
   *   connection may be broken without an error
   */
  private probeSoon(client: Redis, left: number): void {
    this.probe = setTimeout(() => {
      if (this.client !== client || this.isAnswering) return;
      evaluated(client, PROBE, [PROBE_KEY], []).then(
        () => this.welcome(),
        () => {
          if (left === 1 && client.status === 'ready') client.disconnect(true);
          this.probeSoon(client, left - 1 || PROBES);
        },
      );
    }, PROBE_MS).unref();
  }

  private miss(error: Error): void {
    if (this.client === null || this.isMissed) return;
    this.isMissed = true;
    this.logger.warn({ reason: error.message }, 'Redis is not available; each instance works alone.');
  }

  private welcome(): void {
    this.isAnswering = true;
    if (this.probe) clearTimeout(this.probe);
    if (!this.isMissed) return;
    this.isMissed = false;
    this.logger.log('Redis is available again.');
  }
}

async function evaluated(
  client: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  const rest = [keys.length, ...keys, ...args] as const;
  try {
    return await client.evalsha(script.hash, ...rest);
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
    return client.eval(script.text, ...rest);
  }
}
