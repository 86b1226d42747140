import type { Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { presentResponse } from './node-server.js';

/** The time in which a load balancer notices that this instance is no longer ready. */
const STAY_MS = 3_000;
/**
 * A server that got no new connection for this time, and has none open, has no load balancer. A load balancer probes
 * its instances more often.
 */
const UNUSED_MS = 30_000;
/**
 * A client whose connection was closed by an answer opens the next connection within this time, or opens none for a
 * while.
 */
const QUIET_MS = 3;
/** During a longer turn of the event loop, a connection may have come that the turn has not accepted. */
const SHORT_TURN_MS = 0.3;
/**
 * On a busy server there may be no quiet time. So the required quiet time becomes shorter during this period. Then one
 * short turn without a new connection is enough.
 */
const QUIET_PERIOD_MS = 1_500;
/** After this time, the listener is closed in any case. */
const QUIET_TIMEOUT_MS = 3_000;
/** The time in which a new connection may send its first request. */
const SETTLE_MS = 500;
const DRAIN_TIMEOUT_MS = 10_000;
const IDLE_MS = 1_000;

/**
 * Stops a server without losing a request. A proxy keeps connections open, and may send a request at the moment when an
 * idle connection is closed. Then the proxy does not know whether a POST was begun, and cannot send it again. Therefore
 * the server accepts requests for a while after the service has reported that it is not ready. Each answer in this time
 * closes its connection.
 */
export class Leaving {
  /** The time at which the last connection was accepted, on the clock of `performance`. */
  private usedAt = Number.NEGATIVE_INFINITY;
  private connections = 0;
  /** The open connections, with the times when they were accepted. */
  private readonly acceptedAt = new Map<Socket, number>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.usedAt = performance.now();
      this.connections += 1;
      this.acceptedAt.set(socket, this.usedAt);
      socket.once('close', () => this.acceptedAt.delete(socket));
    });
  }

  /**
   * Returns the time for which the server has to stay open. The time is zero if no connection is open, and none was
   * opened in the last 30 seconds.
   */
  async stayMs(): Promise<number> {
    const connections = await promisify(this.server.getConnections.bind(this.server))();
    return connections > 0 || performance.now() - this.usedAt < UNUSED_MS ? STAY_MS : 0;
  }

  /**
   * Keeps the server open for `stayMs`, then closes it. Requests that were begun get ten seconds to finish.
   *
   * @param close stops accepting connections, and resolves when no connection is left
   */
  async leave(stayMs: number, close: () => Promise<void>): Promise<void> {
    // From now on, each answer closes its connection (RFC 9112, section 9.6), also if its request came earlier.
    this.server.prependListener('request', (_request, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
    for (const socket of this.acceptedAt.keys()) {
      const response = presentResponse(socket);
      if (response) response.shouldKeepAlive = false;
    }
    if (stayMs > 0) {
      await sleep(stayMs);
      await this.stopListening();
      await sleep(SETTLE_MS);
    }
    void this.closeUnused();
    // An idle connection would stay open for its next request.
    const sweep = setInterval(() => {
      this.server.closeIdleConnections();
      void this.closeUnused();
    }, IDLE_MS);
    const patience = setTimeout(() => this.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
    await close();
    clearInterval(sweep);
    clearTimeout(patience);
  }

  /**
   * Closes connections that never sent anything. Browsers and HTTP clients open such connections for later requests,
   * and Node counts them as busy, because it waits for the headers of the first request. A request may have arrived
   * that Node has not read yet. So the event loop first reads the data that has arrived.
   */
  private async closeUnused(): Promise<void> {
    const before = performance.now() - SETTLE_MS;
    const unused = [...this.acceptedAt].filter(([socket, at]) => at <= before && socket.bytesRead === 0);
    await nextTurn();
    await nextTurn();
    for (const [socket] of unused) if (socket.bytesRead === 0) socket.destroy();
  }

  /**
   * Closing the listener resets the connections that were not accepted yet, and a proxy treats a reset as a lost
   * request. So the listener is closed at a moment in which no connection has come for a while, and immediately after
   * the event loop has looked for connections. While a quiet time is required, this method sleeps. If it computed
   * instead, the operating system would give its processor to a client exactly before the listener is closed, and the
   * client would connect.
   */
  private async stopListening(): Promise<void> {
    const begunAt = performance.now();
    for (;;) {
      const { connections } = this;
      const elapsed = performance.now() - begunAt;
      const quietMs = QUIET_MS * (1 - elapsed / QUIET_PERIOD_MS);
      // A timer cannot wait for less than a millisecond.
      if (quietMs >= 1) await sleep(quietMs);
      const turnBegunAt = performance.now();
      await nextTurn();
      const isShort = performance.now() - turnBegunAt < SHORT_TURN_MS;
      if ((isShort && this.connections === connections) || elapsed >= QUIET_TIMEOUT_MS) break;
    }
    // The `close` of the HTTP server would also close idle connections. A client may be about to send a request on one.
    Listener.prototype.close.call(this.server);
  }
}
