import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { trustIn, type TrustProxy } from '../config/trusted-proxies.js';
import { within } from '../tracing/span.js';
import type { Tracer } from '../tracing/tracer.js';
import { clientAddressOf, type ClientAddress } from './client-address.js';
import { replaceListener, type Listener } from './node-server.js';
import type { PlainRequest } from './plain-request.js';
import { beginSpan } from './request-tracing.js';

/** Answers some requests in front of Fastify (ADR 66). */
export abstract class InFront {
  protected readonly addressOf: ClientAddress;
  /** Whether requests are answered here. While the service stops, Fastify answers all of them. */
  protected isOpen = true;
  private readonly isTrusted: (address: string) => boolean;

  /** @param tracer null if traces are off */
  constructor(
    protected readonly fastify: FastifyInstance,
    trustProxy: TrustProxy,
    private readonly tracer: Tracer | null,
  ) {
    this.isTrusted = trustIn(trustProxy);
    this.addressOf = clientAddressOf(trustProxy);
    // When this hook has run, Fastify asks the clients to close their connections.
    fastify.addHook('preClose', (done) => {
      this.isOpen = false;
      done();
    });
  }

  /**
   * Begins to answer. Call this when the server has exactly one listener. That listener gets the requests that are not
   * answered here.
   */
  standInFrontOf(server: Server): void {
    replaceListener(server, (route) => (request, response) => {
      if (!this.take(request, response, route)) route(request, response);
    });
  }

  /**
   * @param route the listener for the requests that are not answered here
   * @returns whether the request gets an answer, from here or later from Fastify
   */
  protected abstract take(request: IncomingMessage, response: ServerResponse, route: Listener): boolean;

  /** Runs the first work for a request, in the span of the request if its trace is recorded. */
  protected begin(request: PlainRequest, response: ServerResponse, work: () => void): void {
    if (this.tracer === null) return work();
    request.protocol = this.protocolOf(request.raw);
    const span = beginSpan(this.tracer, request, response);
    if (span === null) work();
    else within(span, work);
  }

  /** The same protocol as Fastify's `request.protocol`. The service itself speaks no TLS. */
  private protocolOf({ headers, socket }: IncomingMessage): FastifyRequest['protocol'] {
    const forwarded = headers['x-forwarded-proto'];
    if (typeof forwarded !== 'string' || forwarded === '' || !this.isTrusted(socket.remoteAddress ?? ''))
      return 'http';
    return forwarded.split(',').at(-1)?.trim() as FastifyRequest['protocol'];
  }
}
