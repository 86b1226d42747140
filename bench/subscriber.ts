import { connect, type Socket } from 'node:net';

const NOTHING = Buffer.alloc(0);
const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10];
const HEAD_END = '\r\n\r\n';

interface SubscriberListener {
  /** This is called when the subscription was sent. */
  subscribed(): void;
  /** This is called with each frame of the subscription. */
  heard(frame: Buffer): void;
  /** This is called when the server refuses or closes the WebSocket, or when the connection breaks. */
  failed(reason: string): void;
}

/**
 * One WebSocket with one subscription. It hands each frame of the subscription to its listener, and does not parse the
 * frame. It is a WebSocket client of a few lines, because thousands of usual clients take more processor time than the
 * servers under test. It sends its frames with a mask of zeros, because such a mask needs no computation.
 */
export class Subscriber {
  readonly #socket: Socket;
  #received: Buffer = NOTHING;
  #isUpgraded = false;
  #isAcknowledged = false;

  readonly #query: string;
  readonly #listener: SubscriberListener;

  constructor(port: number, key: string, query: string, listener: SubscriberListener) {
    this.#query = query;
    this.#listener = listener;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.write(
      `GET /graphql HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: c3RvcmUtYmVuY2gtMTYtYg==\r\n' +
        `Sec-WebSocket-Protocol: graphql-transport-ws\r\nX-API-Key: ${key}\r\n\r\n`,
    );
    this.#socket.on('data', (part) => this.#take(part));
    this.#socket.on('error', (error) => this.#listener.failed(error.message));
    this.#socket.on('close', () => this.#listener.failed('The server closed a WebSocket'));
  }

  leave(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    let rest = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    if (!this.#isUpgraded) {
      const end = rest.indexOf(HEAD_END);
      if (end < 0) return void (this.#received = rest);
      if (!rest.toString('latin1', 0, end).startsWith('HTTP/1.1 101'))
        return this.#listener.failed(`No WebSocket: ${rest.toString()}`);
      this.#isUpgraded = true;
      this.#say({ type: 'connection_init' });
      rest = rest.subarray(end + HEAD_END.length);
    }
    for (;;) {
      const frame = frameIn(rest);
      if (frame === null) break;
      this.#hear(frame.opcode, rest.subarray(frame.begin, frame.end));
      rest = rest.subarray(frame.end);
    }
    this.#received = rest;
  }

  #hear(opcode: number, payload: Buffer): void {
    if (opcode === PING) return this.#send(PONG, payload);
    if (opcode === CLOSE)
      return this.#listener.failed(`A WebSocket was closed: ${payload.toString('utf8', 2)}`);
    if (this.#isAcknowledged) return this.#listener.heard(payload);
    this.#isAcknowledged = true;
    this.#say({ id: '1', type: 'subscribe', payload: { query: this.#query } });
    this.#listener.subscribed();
  }

  #say(message: object): void {
    this.#send(TEXT, Buffer.from(JSON.stringify(message)));
  }

  #send(opcode: number, payload: Buffer): void {
    const isLong = payload.length > 125;
    const head = Buffer.alloc(isLong ? 8 : 6);
    head[0] = 0x80 | opcode;
    head[1] = 0x80 | (isLong ? 126 : payload.length);
    if (isLong) head.writeUInt16BE(payload.length, 2);
    this.#socket.write(Buffer.concat([head, payload]));
  }
}

/** The opcode of the first frame in these bytes, and the place of its payload; null while the frame is not complete. */
function frameIn(bytes: Buffer): { opcode: number; begin: number; end: number } | null {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return null;
  const isLong = second === 126;
  const begin = isLong ? 4 : 2;
  if (bytes.length < begin) return null;
  const end = begin + (isLong ? bytes.readUInt16BE(2) : second);
  return bytes.length < end ? null : { opcode: first & 0x0f, begin, end };
}
