import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';
import { WebSocket, WebSocketServer } from 'ws';
import { Credentials } from '../auth/credentials.js';
import { HeldCredentials } from '../auth/held-credentials.js';
import { CONFIG, type Config } from '../config.js';
import { MalformedRequest, RateLimited } from '../errors.js';
import { Tailer } from '../events/tailer.js';
import { clientAddressOf, type ClientAddress } from '../http/client-address.js';
import type { SocketLine } from '../http/log.js';
import { requestIdOf } from '../http/request-id.js';
import { answerOnSocket } from '../http/socket-answer.js';
import { problemOf, report } from '../problem.js';
import { fieldsOf, RateLimits, requireTaken, type Standing } from '../rate-limits/rate-limits.js';
import { Channel } from './channel.js';
import { Execution } from './execution.js';
import { PATH, refusalOf } from './handshake.js';
import { Peer } from './peer.js';
import { Session } from './session.js';

/** A longer one cannot hold an operation that would be executed; see `requireShortText`. */
const MAX_MESSAGE_BYTES = 262_144;
const PING_INTERVAL_MS = 25_000;
/** Who does not answer our close is cut off. */
const CLOSE_TIMEOUT_MS = 3_000;
const DRAIN_TIMEOUT_MS = 8_000;

const MESSAGE_TOO_BIG = 1009;
/** How large it would have been nobody knows: the rest of it is not read. */
const TOO_BIG = `The message has more than ${MAX_MESSAGE_BYTES} bytes; it may have at most ${MAX_MESSAGE_BYTES}`;

/** By itself `ws` says no more than the code. */
class TalkingWebSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, code === MESSAGE_TOO_BIG ? TOO_BIG : reason);
  }
}

const OPTIONS = {
  WebSocket: TalkingWebSocket,
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_MESSAGE_BYTES,
  closeTimeout: CLOSE_TIMEOUT_MS,
  handleProtocols: () => GRAPHQL_TRANSPORT_WS_PROTOCOL,
};

/**
 * The WebSocket at /graphql. It is not Nest's, whose `upgrade` listener leaves the sockets of other paths open and
 * without an error listener, so that one TCP reset ends the process (ADR 8).
 */
@Injectable()
export class WebSockets implements OnModuleDestroy {
  private readonly server = new WebSocketServer(OPTIONS);
  private readonly sessions = new Map<WebSocket, Session>();
  /** Those that have answered the last ping. */
  private readonly alive = new WeakSet<WebSocket>();
  private readonly heartbeat = setInterval(() => this.ping(), PING_INTERVAL_MS).unref();
  private readonly addressOf: ClientAddress;
  private isClosing = false;

  constructor(
    private readonly credentials: Credentials,
    private readonly held: HeldCredentials,
    private readonly execution: Execution,
    private readonly limits: RateLimits,
    private readonly tailer: Tailer,
    @Inject(CONFIG) { trustProxy }: Config,
  ) {
    this.addressOf = clientAddressOf(trustProxy);
    this.server.on('wsClientError', ({ message }, socket, request) => {
      this.refuse(request, socket, new MalformedRequest(`This is no handshake of a WebSocket: ${message}.`));
    });
  }

  /** Takes over the handshakes of a server. */
  serve(http: Server, log: (line: SocketLine) => void): void {
    http.on('upgrade', (request, socket, head) => {
      // Node has taken its own listener away: from here on a reset would end the process.
      socket.on('error', () => socket.destroy());
      const standing = this.limits.take(this.limits.ofAddress(this.addressOf(request)));
      const go = (known: Standing | null): void => {
        const refusal = this.refusalOf(request, known);
        if (refusal) return this.refuse(request, socket, refusal, known);
        this.server.handleUpgrade(request, socket, head, (webSocket) =>
          this.open(webSocket, new Channel(webSocket, socket), request, log),
        );
      };
      if (standing instanceof Promise) void standing.then(go);
      else go(standing);
    });
  }

  private refusalOf(request: IncomingMessage, standing: Standing | null): Error | null {
    try {
      requireTaken(standing);
      return refusalOf(request, this.isClosing);
    } catch (error) {
      return error as Error;
    }
  }

  /** Before anything else of the application stops: what was begun on a socket may need all of it. */
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
    request: IncomingMessage,
    log: (line: SocketLine) => void,
  ): void {
    const begun = performance.now();
    const id = requestIdOf(request);
    const handshake = { headers: request.headers, ip: this.addressOf(request) };
    const peer = new Peer(handshake, this.credentials, this.held, this.limits);
    const session = new Session(channel, id, peer, this.execution, () => this.tailer.position);
    this.sessions.set(socket, session);
    this.alive.add(socket);
    socket.on('pong', () => this.alive.add(socket));
    socket.once('close', (code) => {
      this.sessions.delete(socket);
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
    const [path = '/'] = (request.url ?? '/').split('?', 1);
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
