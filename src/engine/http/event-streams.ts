import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Unavailable } from '../errors/errors.js';
import { RequestMetrics } from './request-metrics.js';
import { endSpan } from './request-tracing.js';
import { Counters } from '../metrics/instruments.js';
import { HeldBytes, type Holder } from '../rate-limits/held-bytes.js';

const HEARTBEAT_MS = 25_000;
/**
 * The time after which a client should reconnect when its connection is lost. Each stream gets a random time between
 * these two bounds. So when an instance ends, its clients do not all come to the other instances at the same moment.
 */
const [LEAST_RETRY_MS, MOST_RETRY_MS] = [1_000, 3_000];
/** The time after which a closing stream is cut off, if the client has not read the end of the stream by then. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Answers as server-sent events (WHATWG HTML, section 9.2). Such an answer lasts until the client leaves, the stream is
 * complete or the service stops.
 */
@Injectable()
export class EventStreams {
  /** Counts the streams that ended with an error, on every transport: one count for each kind of `StreamEnd`. */
  readonly broken = new Counters(['unread', 'passing', 'final']);
  private readonly open = new Set<EventStream>();
  private readonly heartbeat = setInterval(() => {
    for (const stream of this.open) stream.beat();
  }, HEARTBEAT_MS).unref();
  private isClosing = false;

  constructor(
    private readonly held: HeldBytes,
    private readonly requests: RequestMetrics,
  ) {}

  get count(): number {
    return this.open.size;
  }

  /** @throws Unavailable when the service is about to stop */
  requireOpen(): void {
    if (this.isClosing) throw new Unavailable('The service is shutting down.');
  }

  /**
   * Begins an answer.
   *
   * @param cursor the id that the client sends when it reconnects before the first event; null: the client keeps the id
   *   that it had before
   * @param left is called once, when the connection is closed
   */
  begin(reply: FastifyReply, cursor: string | null, left: () => void): EventStream {
    const { raw } = reply;
    reply.hijack();
    // Open streams have bounds of their own (see `Places`), so this request no longer counts as a request under way.
    reply.request.underWay?.();
    this.requests.countBegun(reply.request, reply);
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    endSpan(reply.request, reply);
    const stream = new EventStream(raw, this.held);
    this.open.add(stream);
    const closed = () => {
      this.open.delete(stream);
      this.held.set(stream, 0);
      left();
    };
    if (raw.destroyed) closed();
    else raw.once('close', closed);
    // An id without data is no event: the client does not dispatch it, but remembers the id.
    const retryMs = randomInt(LEAST_RETRY_MS, MOST_RETRY_MS);
    void stream.write(`retry: ${retryMs}\n${cursor === null ? '' : `id: ${cursor}\n`}\n`);
    if (this.isClosing || reply.request.method === 'HEAD') void stream.end();
    return stream;
  }

  /** Ends all streams, and refuses new ones. */
  async close(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.heartbeat);
    await Promise.all([...this.open].map((stream) => stream.end()));
  }
}

export class EventStream implements Holder {
  private unsent = 0;
  private wasUnsent = false;

  constructor(
    private readonly raw: ServerResponse,
    private readonly held: HeldBytes,
  ) {}

  /** Resolves when the event is handed to the network, or when it can no longer be sent. */
  send(event: string | null, data: string, id: string | null): Promise<void> {
    // JSON has no line breaks.
    return this.write(
      `${event === null ? '' : `event: ${event}\n`}${id === null ? '' : `id: ${id}\n`}data: ${data}\n\n`,
    );
  }

  write(text: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.raw.destroyed || this.raw.writableEnded) return resolve();
      this.unsent += 1;
      this.raw.write(text, () => {
        this.unsent -= 1;
        this.wasUnsent = false;
        this.hold();
        resolve();
      });
      this.hold();
    });
  }

  /**
   * Keeps intermediaries from closing an idle connection. Cuts off a client that has read nothing since the last call.
   */
  beat(): void {
    if (this.unsent > 0 && this.wasUnsent) return this.cut();
    this.wasUnsent = this.unsent > 0;
    if (this.unsent === 0) void this.write(':\n\n');
  }

  /** Ends the stream. The client reconnects, unless an earlier message told it that the stream is complete. */
  async end(): Promise<void> {
    if (this.raw.destroyed) return;
    const closed = new Promise((resolve) => this.raw.once('close', resolve));
    const patience = setTimeout(() => this.cut(), CLOSE_TIMEOUT_MS);
    this.raw.end();
    await closed;
    clearTimeout(patience);
  }

  letGo(): void {
    this.cut();
  }

  /** Cuts the connection. Unsent events are lost; the client reconnects with the last id that it got. */
  cut(): void {
    this.raw.destroy();
  }

  private hold(): void {
    this.held.set(this, this.raw.destroyed ? 0 : this.raw.writableLength);
  }
}
