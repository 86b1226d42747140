import { Logger } from '@nestjs/common';
import type { FormattedExecutionResult } from 'graphql';
import { CloseCode, MessageType, type SubscribePayload } from 'graphql-ws';
import type { HeldCredential } from '../access/connection-credentials.js';
import { StreamEnd } from '../contract/stream-end.js';
import { GraphqlLimitExceeded } from '../errors/errors.js';
import type { Channel } from './channel.js';
import { BUG, TRY_AGAIN_LATER } from './close-codes.js';
import { resultOfThrown } from './errors.js';
import type { Execution } from './execution.js';
import type { Peer } from './peer.js';
import type { Resume } from './resume.js';
import { headOf, type Delivery } from './shared-result.js';
import { Stream } from './stream.js';

const MAX_OPERATIONS = 50;

/** An operation that is being executed. `stream` is set as soon as the operation has begun as a subscription. */
interface Running {
  isStopped: boolean;
  stream: Stream | null;
}

type Outcome = Awaited<ReturnType<Execution['run']>>;

/** The operations of one WebSocket. */
export class SocketOperations {
  private readonly logger = new Logger('SocketOperations');
  private readonly running = new Map<string, Running>();
  /** The operations that are being executed, also those that the client has already stopped (`complete`). */
  private readonly pending = new Set<Promise<void>>();
  private isEnding = false;
  /** The total number of operations so far. */
  count = 0;

  constructor(
    private readonly channel: Channel,
    private readonly peer: Peer,
    private readonly execution: Execution,
    private readonly requestId: string,
    /** Closes a socket whose credential is no longer valid. */
    private readonly refuse: (error: unknown) => void,
  ) {}

  /**
   * Begins an operation. Its message is released when there is a result, so that a subscription does not keep the
   * message in memory.
   *
   * @param giveBack is called when there is a result, unless the rate limits have refused the operation. So an
   *   operation is counted only as an operation, and not also as a message
   */
  begin(id: string, payload: SubscribePayload, resume: Resume, giveBack: () => void): void {
    if (this.running.has(id)) {
      return this.channel.close(CloseCode.SubscriberAlreadyExists, 'An operation with this id is running');
    }
    if (this.isEnding) return;
    if (this.pending.size >= MAX_OPERATIONS) {
      const detail = `The number of operations on this socket is ${MAX_OPERATIONS + 1}; it may be at most ${MAX_OPERATIONS}.`;
      const { errors } = resultOfThrown(new GraphqlLimitExceeded(detail), {
        requestId: this.requestId,
        trace: null,
      });
      return void this.channel.send({ id, type: MessageType.Error, payload: errors });
    }
    this.count += 1;
    const running: Running = { isStopped: false, stream: null };
    this.running.set(id, running);
    const done = this.execute(running, payload, resume)
      .then((outcome) => this.serve(id, running, outcome, giveBack))
      .catch((error: unknown) => {
        this.logger.error(error);
        this.channel.close(BUG.code, BUG.reason);
      })
      .finally(() => {
        this.pending.delete(done);
        this.forget(id, running);
      });
    this.pending.add(done);
  }

  /** Stops an operation. Returns whether there was an operation with this id. */
  stop(id: string): boolean {
    const running = this.running.get(id);
    if (!running) return false;
    this.running.delete(id);
    running.isStopped = true;
    running.stream?.end();
    return true;
  }

  /** Stops the subscriptions. If the socket is closed, stops all operations. */
  stopStreams(): void {
    for (const [id, { stream }] of this.running) {
      if (stream || !this.channel.isOpen) this.stop(id);
    }
  }

  /** Stops the subscriptions, and lets queries and mutations finish. New operations are ignored. */
  async end(): Promise<void> {
    this.isEnding = true;
    this.stopStreams();
    await Promise.allSettled(this.pending);
  }

  /** Returns null if the caller has no access any more, or cannot be determined. The socket is then closed. */
  private async execute(
    running: Running,
    payload: SubscribePayload,
    resume: Resume,
  ): Promise<Outcome | null> {
    const caller = await this.identify();
    if (!caller) return null;
    return this.execution.run(payload, caller, {
      resume,
      isGone: () => running.isStopped || !this.channel.isOpen,
    });
  }

  private async serve(
    id: string,
    running: Running,
    outcome: Outcome | null,
    giveBack: () => void,
  ): Promise<void> {
    if (outcome === null) return;
    if (!isSpent(outcome)) giveBack();
    if (outcome instanceof StreamEnd) return this.breakOff(outcome);
    if (outcome instanceof Stream) {
      running.stream = outcome;
      if (running.isStopped || this.isEnding) return outcome.end();
      const end = await this.follow(id, running, outcome);
      if (end?.kind === 'final') await this.answer(id, running, resultOfThrown(end.error, outcome));
      else if (end) return this.breakOff(end);
    } else if (!running.isStopped) await this.answer(id, running, outcome);
    if (running.isStopped) return;
    // The id is released first, because the client may use it again as soon as it reads `complete`.
    this.forget(id, running);
    await this.channel.send({ id, type: MessageType.Complete });
  }

  private breakOff({ reason }: StreamEnd): void {
    this.channel.close(TRY_AGAIN_LATER, `${reason}: connect again and continue after your last cursor`);
  }

  /** Returns null if the caller has no access any more, or cannot be determined. The socket is then closed. */
  private async identify(): Promise<Awaited<ReturnType<Peer['identify']>> | null> {
    try {
      return await this.peer.identify();
    } catch (error) {
      this.refuse(error);
      return null;
    }
  }

  /** Returns the end of the stream if it is an error, otherwise null. */
  private async follow(id: string, running: Running, stream: Stream): Promise<StreamEnd | null> {
    const { channel } = this;
    const head = headOf(id);
    const credential = this.peer.heldCredential;
    const confirmed = async (result: Delivery): Promise<void> => {
      await this.confirm(running, credential as HeldCredential);
      if (!running.isStopped) await channel.sendFrame(result.frameAfter(head));
    };
    try {
      // The next event is read only after this event is sent. So a slow client falls behind, and only a bounded number
      // of events is kept for it.
      await stream.forEach((result) =>
        credential === null || credential.isFresh
          ? channel.sendFrame(result.frameAfter(head))
          : confirmed(result),
      );
      return null;
    } catch (error) {
      const end = StreamEnd.by(error, stream.requestId);
      this.execution.streams.broken.add(end.kind);
      if (end.kind === 'final' && credential?.isFresh === false) await this.confirm(running, credential);
      return running.isStopped ? null : end;
    }
  }

  private async confirm(running: Running, credential: HeldCredential): Promise<void> {
    try {
      await credential.confirm();
    } catch (error) {
      running.isStopped = true;
      running.stream?.end();
      this.refuse(error);
    }
  }

  /** Sends a result, or the errors if there is none. Errors without data end the operation. */
  private async answer(id: string, running: Running, result: FormattedExecutionResult): Promise<void> {
    if (result.data === undefined) {
      running.isStopped = true;
      running.stream?.end();
      this.forget(id, running);
      await this.channel.send({ id, type: MessageType.Error, payload: result.errors ?? [] });
    } else await this.channel.sendText(`${headOf(id)}${JSON.stringify(result)}}`);
  }

  private forget(id: string, running: Running): void {
    if (this.running.get(id) === running) this.running.delete(id);
  }
}

/** Whether the rate limits have refused the operation. */
function isSpent(outcome: Outcome): boolean {
  if (outcome instanceof Stream || outcome instanceof StreamEnd) return false;
  return outcome.errors?.[0]?.extensions?.['status'] === 429;
}
