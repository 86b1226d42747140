import type { IncomingHttpHeaders } from 'node:http';
import { Logger } from '@nestjs/common';
import { CloseCode, MessageType, type Message, type SubscribePayload } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Credentials } from '../auth/credentials.js';
import type { HeldCredentials, Hold } from '../auth/held-credentials.js';
import type { Caller } from '../auth/header.strategy.js';
import type { Principal } from '../auth/principal.js';
import { GraphqlLimitExceeded, TooSlow } from '../errors.js';
import { requireTaken, type RateLimits } from '../rate-limits/rate-limits.js';
import { problemOf, report } from '../problem.js';
import { Channel } from './channel.js';
import { failed } from './errors.js';
import type { Execution } from './execution.js';
import { credentialOf } from './handshake.js';
import { FROM_NOW_ON, resumeIn, type Resume } from './resume.js';
import type { Stream } from './subscriptions.plugin.js';

const INIT_TIMEOUT_MS = 3_000;
const MAX_OPERATIONS = 50;
const SERVICE_RESTART = 1012;
const TRY_AGAIN_LATER = 1013;

/** One operation of a session; `stream` while it is a subscription. */
interface Running {
  isStopped: boolean;
  stream: Stream | null;
}

/**
 * One WebSocket, spoken to by graphql-transport-ws. The messages and close codes are those of graphql-ws; its server
 * is not used, because it lets go of a stream whose id is used again while the old operation ends.
 */
export class Session {
  private readonly logger = new Logger('Session');
  private readonly channel: Channel;
  private readonly operations = new Map<string, Running>();
  /** Also those that the client has forgotten, as long as they are being executed. */
  private readonly pending = new Set<Promise<void>>();
  private isInitialised = false;
  private isEnding = false;
  private credential: IncomingHttpHeaders | null = null;
  private principal: Principal | null = null;
  private hold: Hold | null = null;
  private resume: Resume = FROM_NOW_ON;
  private count = 0;

  constructor(
    socket: WebSocket,
    private readonly handshake: Caller & { readonly id: string },
    private readonly credentials: Credentials,
    private readonly held: HeldCredentials,
    private readonly execution: Execution,
    private readonly limits: RateLimits,
    /** Where the log stands: the cursor of who has heard of nothing yet. */
    private readonly position: () => number,
  ) {
    const patience = setTimeout(() => {
      if (!this.isInitialised) {
        this.channel.close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
      }
    }, INIT_TIMEOUT_MS);
    this.channel = new Channel(socket);
    this.channel.listen(
      (message) => this.receive(message),
      () => {
        clearTimeout(patience);
        this.hold?.release();
        this.stopStreams();
      },
    );
  }

  /** For the log. */
  get summary() {
    return { operations: this.count, principal: this.principal?.name };
  }

  /** Lets queries and mutations finish, then closes the socket for the client to connect again. */
  async end(): Promise<void> {
    this.isEnding = true;
    this.stopStreams();
    await Promise.allSettled(this.pending);
    this.channel.close(SERVICE_RESTART, 'Service restart');
  }

  /** Whether the credential is still good; if not, the socket is closed. */
  private async confirm(): Promise<boolean> {
    try {
      await this.hold?.confirm();
      return true;
    } catch (error) {
      this.refuse(error);
      return false;
    }
  }

  private async receive(message: Message | null): Promise<void> {
    try {
      if (message) await this.handle(message);
      else this.channel.close(CloseCode.BadRequest, 'Invalid message received');
    } catch (error) {
      this.logger.error(error);
      this.channel.close(CloseCode.InternalServerError, 'Internal server error');
    }
  }

  private async handle(message: Message): Promise<void> {
    switch (message.type) {
      case MessageType.ConnectionInit:
        return this.initialise(message.payload ?? {});
      case MessageType.Ping:
        return this.channel.send({
          type: MessageType.Pong,
          ...(message.payload ? { payload: message.payload } : {}),
        });
      case MessageType.Pong:
        return;
      case MessageType.Subscribe:
        return this.subscribe(message.id, message.payload);
      case MessageType.Complete:
        return this.stop(message.id);
      default:
        // What only a server sends.
        this.channel.close(CloseCode.BadRequest, 'Invalid message received');
    }
  }

  private async initialise(payload: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.isInitialised) {
      return this.channel.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
    }
    this.isInitialised = true;
    try {
      this.credential = credentialOf(payload, this.handshake.headers);
      this.resume = resumeIn(payload);
      const caller = { headers: this.credential, ip: this.handshake.ip };
      this.hold = await this.held.hold(caller, (error) => this.refuse(error));
      this.principal = this.hold.principal;
    } catch (error) {
      return this.refuse(error);
    }
    const { principal } = this.hold;
    if (principal.kind !== 'anonymous' && !(await this.countHandshake(principal))) return;
    if (!this.channel.isOpen) return this.hold.release();
    await this.channel.send({
      type: MessageType.ConnectionAck,
      payload: { cursor: String(this.position()) },
    });
  }

  /**
   * Who this is now, at each operation as at each request of HTTP: what a credential allows ends with it. Null when it
   * has ended, and the socket is closed.
   */
  private async identify(): Promise<Principal | null> {
    try {
      this.principal = await this.credentials.principalOf({
        headers: this.credential ?? {},
        ip: this.handshake.ip,
      });
      return this.principal;
    } catch (error) {
      this.refuse(error);
      return null;
    }
  }

  /** It was counted for the address, since nobody knew yet whose it was. False: too many, and the socket is closed. */
  private async countHandshake(principal: Principal): Promise<boolean> {
    const { ip } = this.handshake;
    this.limits.giveBack(this.limits.ofAddress(ip));
    try {
      requireTaken(await this.limits.take(this.limits.of(principal, ip)));
      return true;
    } catch (error) {
      this.refuse(error);
      return false;
    }
  }

  /** Stock clients take 4400, 4401 and 4500 as final, and come back after 1013. */
  private refuse(error: unknown): void {
    const problem = problemOf(error);
    report(problem, this.handshake.id);
    const { status, detail } = problem;
    if (status === 401) return this.channel.close(CloseCode.Unauthorized, `Unauthorized: ${detail}`);
    if (status === 429 || status === 503) return this.channel.close(TRY_AGAIN_LATER, detail);
    if (status >= 500) return this.channel.close(CloseCode.InternalServerError, 'Internal server error');
    this.channel.close(CloseCode.BadRequest, detail);
  }

  private async subscribe(id: string, payload: SubscribePayload): Promise<void> {
    if (!this.principal)
      return this.channel.close(CloseCode.Unauthorized, 'Unauthorized: send connection_init first');
    if (this.operations.has(id)) {
      return this.channel.close(CloseCode.SubscriberAlreadyExists, 'An operation with this id is running');
    }
    if (this.isEnding) return;
    if (this.pending.size >= MAX_OPERATIONS) {
      const detail = `The number of operations on this socket is ${MAX_OPERATIONS + 1}; it may be at most ${MAX_OPERATIONS}.`;
      const { errors } = failed(new GraphqlLimitExceeded(detail), this.handshake.id);
      return this.channel.send({ id, type: MessageType.Error, payload: errors });
    }
    this.count += 1;
    const running: Running = { isStopped: false, stream: null };
    this.operations.set(id, running);
    const done = this.run(id, running, payload)
      .catch((error: unknown) => {
        if (!(error instanceof TooSlow)) throw error;
        this.channel.close(TRY_AGAIN_LATER, 'Too slow: connect again and go on after your last cursor');
      })
      .finally(() => {
        this.pending.delete(done);
        this.forget(id, running);
      });
    this.pending.add(done);
    await done;
  }

  private async run(id: string, running: Running, payload: SubscribePayload): Promise<void> {
    const principal = await this.identify();
    if (!principal) return;
    const subject = this.limits.of(principal, this.handshake.ip);
    const outcome = await this.execution.run(payload, principal, subject, { resume: this.resume });
    const isStream = Symbol.asyncIterator in outcome;
    if (isStream && (running.isStopped || this.isEnding)) return void (await outcome.return());
    if (isStream) running.stream = outcome;
    const head = `{"id":${JSON.stringify(id)},"type":"${MessageType.Next}","payload":`;
    for await (const result of isStream ? outcome : [outcome]) {
      if (isStream && !this.hold?.isFresh && !(await this.confirm())) return;
      if (running.isStopped) return;
      if (!('json' in result) && result.data === undefined) {
        this.forget(id, running);
        return this.channel.send({ id, type: MessageType.Error, payload: result.errors ?? [] });
      }
      const json = 'json' in result ? result.json : JSON.stringify(result);
      // Waited for, so that what a slow client has not read is kept in the backlog, which is bounded.
      await this.channel.sendText(`${head}${json}}`);
    }
    if (running.isStopped) return;
    // First, because the client may use the id again as soon as it reads this.
    this.forget(id, running);
    await this.channel.send({ id, type: MessageType.Complete });
  }

  private async stop(id: string): Promise<void> {
    const running = this.operations.get(id);
    if (!running) return;
    this.operations.delete(id);
    running.isStopped = true;
    await running.stream?.return();
  }

  private stopStreams(): void {
    for (const [id, { stream }] of this.operations) {
      if (stream || !this.channel.isOpen) {
        this.stop(id).catch((error: unknown) => this.logger.error(error));
      }
    }
  }

  private forget(id: string, running: Running): void {
    if (this.operations.get(id) === running) this.operations.delete(id);
  }
}
