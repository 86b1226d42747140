import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HeldBytes, Holder } from '../rate-limits/held-bytes.js';
import { replaceListener, type Listener } from './node-server.js';

/** The maximum number of requests of one connection that wait for the answers to earlier requests. */
const MOST_WAITING = 1_000;
/** The memory that a waiting request takes, besides its headers and its body. */
const BYTES_OF_A_REQUEST = 4_096;
/**
 * The memory of the part of a body that Node reads before the service asks for it. This part has up to 64 KiB, plus
 * the bytes of the last read. If the body is chunked, each byte of it may be a Buffer of its own.
 */
const BYTES_OF_A_BODY = 131_072;
const BYTES_OF_A_CHUNKED_BODY = 33_554_432;
/** The memory of a Buffer of one byte. */
const BYTES_OF_A_BUFFER = 512;

/** A request that waits, with the memory that is counted for it. */
interface Waiting {
  readonly request: IncomingMessage;
  bytes: number;
}

/** The waiting requests of one connection. */
class Line implements Holder {
  private count = 0;
  private bytes = 0;
  /** The request that came last. It comes only when Node has parsed the whole bodies of all earlier requests. */
  private newest: Waiting | null = null;

  constructor(
    private readonly socket: Socket,
    private readonly held: HeldBytes,
  ) {
    socket.once('close', () => held.set(this, 0));
  }

  enter(waiting: Waiting): void {
    this.count += 1;
    if (this.count > MOST_WAITING) return this.letGo();
    this.measureNewest();
    this.newest = waiting;
    this.measureNewest();
  }

  leave(waiting: Waiting): void {
    this.count -= 1;
    if (this.newest === waiting) this.newest = null;
    this.bytes -= waiting.bytes;
    this.held.set(this, this.bytes);
  }

  measureNewest(): void {
    if (this.newest === null || this.socket.destroyed) return;
    const bytes = bytesOf(this.newest.request);
    this.bytes += bytes - this.newest.bytes;
    this.newest.bytes = bytes;
    this.held.set(this, this.bytes);
  }

  letGo(): void {
    this.socket.destroy();
  }
}

/**
 * Begins a request only when all earlier answers of its connection are sent. A client may send the next requests before
 * it has an answer (pipelining, RFC 9112, section 9.3.2), and Node begins all of them at once. So one connection could
 * have thousands of requests under way, whose answers nobody reads. When the connection leaves HTTP (`Upgrade`,
 * `CONNECT`), Node also forgets the answers that wait: such an answer would never end.
 */
export class Turns {
  private readonly lines = new WeakMap<Socket, Line>();
  /**
   * The line of the request that has last entered any line. The body of this request may not have come yet, so its
   * largest possible memory is counted. When the next request enters a line, Node has parsed the data that the
   * connection of this request has sent. So most bodies are complete then, and their sizes are known. `setImmediate`
   * alone would be too late, because Node may read many connections before the callback runs.
   */
  private last: Line | null = null;

  constructor(private readonly held: HeldBytes) {}

  /** Call this when the server has exactly one listener, and that listener answers all requests. */
  keep(server: Server): void {
    replaceListener(server, (answer) => (request, response) => {
      // Node gives the socket to an answer when all earlier answers of the connection are sent.
      if (response.socket === null) this.wait(request, response, answer);
      else answer(request, response);
    });
  }

  private wait(request: IncomingMessage, response: ServerResponse, answer: Listener): void {
    const { socket } = request;
    const line = this.lines.get(socket) ?? this.lineOf(socket);
    const waiting: Waiting = { request, bytes: 0 };
    this.measureLast();
    line.enter(waiting);
    this.last = line;
    setImmediate(() => this.measureLast());
    response.once('socket', () => {
      line.leave(waiting);
      // Other connections have their turns between two requests of this one.
      setImmediate(() => {
        if (!socket.destroyed) answer(request, response);
      });
    });
  }

  private measureLast(): void {
    this.last?.measureNewest();
    this.last = null;
  }

  private lineOf(socket: Socket): Line {
    const line = new Line(socket, this.held);
    this.lines.set(socket, line);
    return line;
  }
}

function bytesOf(request: IncomingMessage): number {
  const text = request.rawHeaders.reduce((sum, part) => sum + part.length, (request.url ?? '').length);
  return BYTES_OF_A_REQUEST + text + bytesOfBody(request);
}

/** The memory of a body. A body that is not complete counts with the largest possible memory. */
function bytesOfBody({ headers, complete, readableLength }: IncomingMessage): number {
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (!isChunked && headers['content-length'] === undefined) return 0;
  const most = isChunked ? BYTES_OF_A_CHUNKED_BODY : BYTES_OF_A_BODY;
  return complete ? Math.min(most, readableLength * BYTES_OF_A_BUFFER) : most;
}
