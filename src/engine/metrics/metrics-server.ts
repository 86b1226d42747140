import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { problemOf } from '../contract/problem.js';
import { MethodNotAllowed, NotAcceptable, NotFound } from '../errors/errors.js';
import { preferred } from '../formats/negotiation.js';
import { bodyOf } from '../http/error.filter.js';
import { createServer } from '../http/node-http.js';
import { requestIdOf } from '../http/request-id.js';
import { SECURITY_HEADERS } from '../http/security-headers.js';
import { CONTENT_TYPES, OPEN_METRICS, PROMETHEUS, type MetricsFormat } from './exposition.js';
import { Scrapes } from './scrapes.js';

const METRICS_PATH = '/metrics';
const OFFERED: readonly MetricsFormat[] = [PROMETHEUS, OPEN_METRICS];
const METHODS = ['GET', 'HEAD'];
/** A few scrapers keep a connection each. */
const MAX_CONNECTIONS = 64;
/** A request must arrive completely within this time. An answer must not stop for longer than this. */
const TIMEOUT_MS = 5_000;

/**
 * Serves `GET /metrics` without a credential, on a port of its own (`STORE_METRICS_PORT`). This port is for a network
 * that clients cannot reach. It has no other address, and its requests are not counted.
 */
@Injectable()
export class MetricsServer implements OnApplicationShutdown {
  private server: Server | null = null;
  /** The connections with a request that is not answered yet. */
  private readonly busy = new WeakSet<Socket>();

  constructor(private readonly scrapes: Scrapes) {}

  /** @returns the address of the metrics @throws the error of Node when the port cannot be used */
  async listen(port: number, host: string): Promise<string> {
    const server = createServer(
      {
        requestTimeout: TIMEOUT_MS,
        headersTimeout: TIMEOUT_MS,
        // Without this, Node looks for slow requests every 30 seconds only.
        connectionsCheckingInterval: 1_000,
        insecureHTTPParser: false,
      },
      (request, response) => {
        // Pipelined requests come at once, and together they would hold the event loop. No scraper sends them.
        if (this.busy.has(request.socket)) {
          request.socket.destroy();
          return;
        }
        this.busy.add(request.socket);
        response.once('close', () => this.busy.delete(request.socket));
        void this.answer(request, response);
      },
    );
    server.maxConnections = MAX_CONNECTIONS;
    // This time-out closes the connection of a client that does not read its answer. Otherwise the client would keep a
    // connection for ever.
    server.setTimeout(TIMEOUT_MS);
    server.listen(port, host);
    await once(server, 'listening');
    this.server = server;
    const address = server.address() as AddressInfo;
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${name}:${address.port}${METRICS_PATH}`;
  }

  /** This part stops in the last phase of the shutdown, so that a scrape sees how the other parts stop. */
  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = requestIdOf(request);
    const [path = '/'] = (request.url ?? '/').split('?', 1);
    const send = (status: number, text: string, headers: Readonly<Record<string, string>>): void => {
      response.writeHead(status, {
        ...SECURITY_HEADERS,
        'cache-control': 'no-store',
        'content-length': Buffer.byteLength(text),
        vary: 'Accept',
        'x-request-id': id,
        ...headers,
      });
      response.end(text);
    };
    try {
      const format = formatFor(request, path);
      send(200, await this.scrapes.textIn(format), { 'content-type': CONTENT_TYPES[format] });
    } catch (error) {
      const problem = problemOf(error);
      send(problem.status, JSON.stringify(bodyOf(problem, path, { requestId: id, trace: null })), {
        'content-type': 'application/problem+json; charset=utf-8',
        ...(error instanceof MethodNotAllowed && { allow: error.allowed.join(', ') }),
      });
    }
  }
}

/** @throws NotFound, MethodNotAllowed, NotAcceptable */
function formatFor({ method = 'GET', headers }: IncomingMessage, path: string): MetricsFormat {
  if (path !== METRICS_PATH) throw new NotFound(`This port has only one address, ${METRICS_PATH}.`);
  if (!METHODS.includes(method)) throw new MethodNotAllowed(METHODS);
  const format = preferred(headers.accept, OFFERED);
  if (format === undefined) throw new NotAcceptable(OFFERED);
  return format as MetricsFormat;
}
