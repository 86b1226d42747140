import type { Server, ServerResponse } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** How long who balances the load may take to notice that this instance is not ready any more. */
const STAY_MS = 3_000;
/** Whoever looks after several instances asks each of them more often than this. */
const UNUSED_MS = 30_000;
/** Who was answered comes back within this time, if at all. */
const QUIET_MS = 3;
/** A turn of the event loop that is longer may have kept somebody waiting at the door. */
const SHORT_TURN_MS = 0.3;
/** A server that is never so quiet makes do with less and less, and closes at the end of this time. */
const QUIET_TIMEOUT_MS = 3_000;
/** How long who was taken in last may take to send its request. */
const SETTLE_MS = 500;
const DRAIN_TIMEOUT_MS = 10_000;
const IDLE_MS = 1_000;

/**
 * How a server goes away without losing a request. A proxy keeps connections open, and may send the next request in the
 * moment in which an idle one is closed; of a POST nobody knows then whether it was begun. So all goes on for a while
 * after the service has said that it is not ready, and each answer says that it was the last one on its connection.
 */
export class Leaving {
  /** On the clock of `performance`. */
  private usedAt = Number.NEGATIVE_INFINITY;
  private connections = 0;

  constructor(private readonly server: Server) {
    server.on('connection', () => {
      this.usedAt = performance.now();
      this.connections += 1;
    });
  }

  /** For how long it has to stay: not at all where nobody is connected, or was a short while ago. */
  async stayMs(): Promise<number> {
    const connections = await promisify(this.server.getConnections.bind(this.server))();
    return connections > 0 || performance.now() - this.usedAt < UNUSED_MS ? STAY_MS : 0;
  }

  /**
   * Stays, then closes, which lets what has been begun come to its end within ten seconds.
   *
   * @param close takes no new connections any more, and resolves when there are none
   */
  async leave(stayMs: number, close: () => Promise<void>): Promise<void> {
    // RFC 9112, section 9.6.
    this.server.prependListener('request', (_request, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
    if (stayMs > 0) {
      await sleep(stayMs);
      await this.stopListening();
      await sleep(SETTLE_MS);
    }
    // A connection whose last request is answered would stay open for the next one.
    const sweep = setInterval(() => this.server.closeIdleConnections(), IDLE_MS);
    const patience = setTimeout(() => this.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    await close();
    clearInterval(sweep);
    clearTimeout(patience);
  }

  /**
   * Who has connected and was not taken in yet is reset by closing, and a proxy takes that for a lost request. So it is done
   * in a moment in which nobody has come for a while. The event loop takes one connection in a turn, and is kept turning.
   */
  private async stopListening(): Promise<void> {
    const begunAt = performance.now();
    let { connections } = this;
    let [turnedAt, cameAt] = [begunAt, begunAt];
    const isQuiet = (): boolean =>
      turnedAt - cameAt > QUIET_MS * (1 - (turnedAt - begunAt) / QUIET_TIMEOUT_MS);
    do {
      const before = turnedAt;
      await nextTurn();
      turnedAt = performance.now();
      if (this.connections !== connections || turnedAt - before > SHORT_TURN_MS) cameAt = turnedAt;
      connections = this.connections;
    } while (!isQuiet() && turnedAt - begunAt < QUIET_TIMEOUT_MS);
    // Not that of the HTTP server, which also closes connections that are about to be used for the first time.
    Listener.prototype.close.call(this.server);
  }
}
