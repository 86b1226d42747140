import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { WebSocket, WebSocketServer } from 'ws';
import { Credentials } from '../access/credentials.js';
import { ConnectionCredentials } from '../access/connection-credentials.js';
import { HttpConfig } from '../config/slices.js';
import { MalformedRequest, RateLimited } from '../errors/errors.js';
import { Tailer } from '../events/tailer.js';
import { clientAddressOf, type ClientAddress } from '../http/client-address.js';
import { RequestMetrics } from '../http/request-metrics.js';
import type { SocketLine } from '../http/log.js';
import { presentResponse } from '../http/node-server.js';
import { Origins } from '../http/origins.js';
import { requestIdOf } from '../http/request-id.js';
import { targetOf } from '../http/request-target.js';
import { answerOnSocket } from '../http/socket-answer.js';
import { problemOf, report } from '../contract/problem.js';
import { HeldBytes } from '../rate-limits/held-bytes.js';
import { Places, type Place } from '../rate-limits/places.js';
import { fieldsOf, RateLimits, requireTaken, type Standing } from '../rate-limits/rate-limits.js';
import { MAX_MESSAGE_BYTES } from './admission.js';
import { Channel } from './channel.js';
import { closedBy, MESSAGE_TOO_BIG } from './close-codes.js';
import { Execution } from './execution.js';
import { PATH, refusalOf, withoutCredential } from './handshake.js';
import { GraphqlInstruments } from './instruments.js';
import { MessageBudget } from './message-budget.js';
import { Peer } from './peer.js';
import { Session } from './session.js';

/**
 * Honest clients do not send a message in more parts than this. Each part takes a few hundred bytes of memory, even if
 * it is short.
 */
const MAX_FRAGMENTS = 256;
const MAX_CHUNKS = 1_024;
const PING_INTERVAL_MS = 25_000;
/** The time after which a socket is cut off if the client does not answer the close frame. */
const CLOSE_TIMEOUT_MS = 3_000;
const DRAIN_TIMEOUT_MS = 8_000;

/** The reason in the close frame. The full size is not known, because the rest is not read. */
const TOO_BIG = `The message has more than ${MAX_MESSAGE_BYTES} bytes; it may have at most ${MAX_MESSAGE_BYTES}`;

/** When `ws` itself closes a socket, it sends only the code. This class adds the reason. */
class TalkingWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason ?? (code === MESSAGE_TOO_BIG ? TOO_BIG : undefined));
  }
}

const OPTIONS = {
  WebSocket: TalkingWebSocket,
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_MESSAGE_BYTES,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_CHUNKS,
  // Each socket handles one message per turn of the event loop. So a client that sends a thousand messages at once
  // delays only itself.
  allowSynchronousEvents: false,
  perMessageDeflate: false,
  closeTimeout: CLOSE_TIMEOUT_MS,
  handleProtocols: () => GRAPHQL_TRANSPORT_WS_PROTOCOL,
};

/**
 * The WebSocket at /graphql. The WebSockets of Nest are not used, because their `upgrade` listener leaves the sockets
 * of other paths open and without an error listener. One TCP reset would then end the process (ADR 8).
 */
@Injectable()
export class WebSockets implements OnModuleDestroy {
  private readonly server = new WebSocketServer(OPTIONS);
  private readonly sessions = new Map<WebSocket, Session>();
  /** The sockets that were opened after the last ping, or whose client has answered this ping. */
  private readonly alive = new WeakSet<WebSocket>();
  private readonly heartbeat = setInterval(() => this.ping(), PING_INTERVAL_MS).unref();
  private readonly addressOf: ClientAddress;
  private readonly origins: Origins;
  private isClosing = false;

  constructor(
    private readonly credentials: Credentials,
    private readonly held: ConnectionCredentials,
    private readonly execution: Execution,
    private readonly limits: RateLimits,
    private readonly tailer: Tailer,
    private readonly places: Places,
    private readonly heldBytes: HeldBytes,
    private readonly requests: RequestMetrics,
    private readonly instruments: GraphqlInstruments,
    config: HttpConfig,
  ) {
    this.addressOf = clientAddressOf(config.trustProxy);
    this.origins = new Origins(config);
    this.server.on('wsClientError', ({ message }, socket, request) => {
      this.refuse(request, socket, new MalformedRequest(`This is not a WebSocket handshake: ${message}.`));
    });
  }

  /** Handles the WebSocket handshakes of a server. */
  serve(http: Server, log: (line: SocketLine) => void): void {
    http.on('upgrade', (request, socket, head) => {
      // Node has removed its own error listener. Without the listener that is added here, a reset would end the
      // process.
      socket.on('error', () => socket.destroy());
      // Node no longer sends the answers that wait on this connection, so their requests are given up.
      if (presentResponse(socket)) {
        socket.destroy();
        return;
      }
      const begunAt = performance.now();
      const standing = this.limits.take(this.limits.ofAddress(this.addressOf(request)));
      const go = (known: Standing | null): void => {
        // The client left while Redis was asked. `close` does not come again, and would not free the place.
        if (socket.destroyed) return;
        try {
          const place = this.admit(request, known);
          // The place is freed when the TCP socket closes. So it is freed also if the socket never becomes a WebSocket.
          socket.once('close', place.free);
          this.server.handleUpgrade(request, socket, head, (webSocket) => {
            this.requests.count('GET', PATH, 101, (performance.now() - begunAt) / 1_000);
            const channel = new Channel(webSocket, socket, new MessageBudget(place), this.heldBytes);
            this.open(webSocket, channel, place, request, log);
          });
        } catch (error) {
          this.refuse(request, socket, error as Error, known);
        }
      };
      if (standing instanceof Promise) void standing.then(go);
      else go(standing);
    });
  }

  /** @throws StoreError when the handshake is refused */
  private admit(request: IncomingMessage, standing: Standing | null): Place {
    requireTaken(standing);
    const refusal = refusalOf(request, this.isClosing) ?? this.origins.refusalOf(request);
    if (refusal) throw refusal;
    return this.places.take('WebSockets', this.limits.ofAddress(this.addressOf(request)));
  }

  /**
   * Closes the sockets before other parts of the application stop, because operations on a socket may need all of these
   * parts.
   */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    clearInterval(this.heartbeat);
    const patience = setTimeout(() => {
      for (const socket of this.sessions.keys()) socket.terminate();
    }, DRAIN_TIMEOUT_MS);
    await Promise.all(
      [...this.sessions].map(async ([socket, session]) => {
        const closed = new Promise((resolve) => socket.once('close', resolve));
        await Promise.race([closed, session.end()]);
        await closed;
      }),
    );
    clearTimeout(patience);
  }

  private open(
    socket: WebSocket,
    channel: Channel,
    place: Place,
    request: IncomingMessage,
    log: (line: SocketLine) => void,
  ): void {
    const begun = performance.now();
    const id = requestIdOf(request);
    const headers = this.origins.isForeign(request) ? withoutCredential(request.headers) : request.headers;
    const handshake = { headers, ip: this.addressOf(request) };
    const peer = new Peer(handshake, this.credentials, this.held, this.limits, place);
    const session = new Session(channel, id, peer, this.execution, () => this.tailer.position);
    this.sessions.set(socket, session);
    this.alive.add(socket);
    socket.on('pong', () => this.alive.add(socket));
    socket.once('close', (code) => {
      this.sessions.delete(socket);
      this.instruments.closed.add(closedBy(code));
      const durationMs = Math.round(performance.now() - begun);
      log({ requestId: id, path: PATH, code, durationMs, ...session.summary });
    });
  }

  private ping(): void {
    for (const socket of this.sessions.keys()) {
      if (this.alive.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }

  private refuse(
    request: IncomingMessage,
    socket: Duplex,
    error: Error,
    standing: Standing | null = null,
  ): void {
    const problem = problemOf(error);
    const id = requestIdOf(request);
    report(problem, id);
    this.requests.count(request.method ?? '', PATH, problem.status);
    const [path = '/'] = targetOf(request.url ?? '/').split('?', 1);
    answerOnSocket(socket, problem, path, id, {
      'Cache-Control': 'no-store',
      // RFC 6455, section 4.4.
      'Sec-WebSocket-Version': '13',
      ...(standing && fieldsOf(standing)),
      ...(error instanceof RateLimited && { 'Retry-After': String(error.retryAfterSeconds) }),
      ...(problem.status === 503 && { 'Retry-After': '1' }),
    });
  }
}
