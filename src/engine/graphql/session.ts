import { Logger } from '@nestjs/common';
import { CloseCode, MessageType, type Message } from 'graphql-ws';
import { problemOf, report } from '../contract/problem.js';
import type { Channel } from './channel.js';
import { BUG, closingBy, SERVICE_RESTART } from './close-codes.js';
import type { Execution } from './execution.js';
import { SocketOperations } from './socket-operations.js';
import type { Peer } from './peer.js';
import { FROM_NOW_ON, resumeIn, type Resume } from './resume.js';

const INIT_TIMEOUT_MS = 3_000;

/**
 * One WebSocket with the protocol graphql-transport-ws. The messages and close codes are the same as in graphql-ws. The
 * server of graphql-ws is not used: if a client uses the id of a stream again while the old operation ends, that server
 * loses the new stream.
 */
export class Session {
  private readonly logger = new Logger('Session');
  private readonly operations: SocketOperations;
  private isInitialised = false;
  private resume: Resume = FROM_NOW_ON;

  /** @param position returns the present end of the log, which is the cursor of a client that has got no event yet */
  constructor(
    private readonly channel: Channel,
    private readonly id: string,
    private readonly peer: Peer,
    execution: Execution,
    private readonly position: () => number,
  ) {
    const patience = setTimeout(() => {
      if (!this.isInitialised) {
        this.channel.close(
          CloseCode.ConnectionInitialisationTimeout,
          `Connection initialisation timeout: connection_init did not come within ${INIT_TIMEOUT_MS} ms`,
        );
      }
    }, INIT_TIMEOUT_MS);
    this.operations = new SocketOperations(this.channel, peer, execution, id, (error) => this.refuse(error));
    this.channel.listen(
      (message, giveBack) => this.receive(message, giveBack),
      () => {
        clearTimeout(patience);
        this.peer.leave();
        this.operations.stopStreams();
      },
    );
  }

  /** The facts about this socket, for the log. */
  get summary() {
    return { operations: this.operations.count, principal: this.peer.name };
  }

  /** Lets queries and mutations finish, then closes the socket, so that the client connects again. */
  async end(): Promise<void> {
    await this.operations.end();
    this.channel.close(SERVICE_RESTART, 'Service restart');
  }

  private async receive(message: Message | null, giveBack: () => void): Promise<void> {
    try {
      if (message) await this.handle(message, giveBack);
      else this.channel.close(CloseCode.BadRequest, 'Invalid message received');
    } catch (error) {
      this.logger.error(error);
      this.channel.close(BUG.code, BUG.reason);
    }
  }

  private async handle(message: Message, giveBack: () => void): Promise<void> {
    switch (message.type) {
      case MessageType.ConnectionInit:
        return this.initialise(message.payload ?? {});
      case MessageType.Ping:
        return void this.channel.send({
          type: MessageType.Pong,
          ...(message.payload ? { payload: message.payload } : {}),
        });
      case MessageType.Pong:
        return;
      case MessageType.Subscribe:
        if (this.peer.isKnown) {
          return this.operations.begin(message.id, message.payload, this.resume, giveBack);
        }
        return this.channel.close(CloseCode.Unauthorized, 'Unauthorized: send connection_init first');
      case MessageType.Complete:
        if (this.operations.stop(message.id)) giveBack();
        return;
      default:
        // A message that only a server may send.
        this.channel.close(CloseCode.BadRequest, 'Invalid message received');
    }
  }

  private async initialise(payload: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.isInitialised) {
      return this.channel.close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
    }
    this.isInitialised = true;
    try {
      this.resume = resumeIn(payload);
      await this.peer.introduce(payload, (error) => this.refuse(error));
      await this.peer.count();
    } catch (error) {
      this.peer.leave();
      return this.refuse(error);
    }
    if (!this.channel.isOpen) return this.peer.leave();
    this.channel.trust();
    await this.channel.send({
      type: MessageType.ConnectionAck,
      payload: { cursor: String(this.position()) },
    });
  }

  private refuse(error: unknown): void {
    const problem = problemOf(error);
    report(problem, this.id);
    const { code, reason } = closingBy(problem);
    this.channel.close(code, reason);
  }
}
