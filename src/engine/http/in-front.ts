import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { TrustProxy } from '../config/trusted-proxies.js';
import { clientAddressOf, type ClientAddress } from './client-address.js';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers some requests in front of Fastify (ADR 66). */
export abstract class InFront {
  protected readonly addressOf: ClientAddress;
  /** Whether requests are answered here. While the service stops, Fastify answers all of them. */
  protected isOpen = true;

  constructor(
    protected readonly fastify: FastifyInstance,
    trustProxy: TrustProxy,
  ) {
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
    const [route] = server.listeners('request') as Listener[];
    if (route === undefined) throw new Error('Fastify has no listener yet.');
    server.off('request', route).on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (!this.take(request, response, route)) route(request, response);
    });
  }

  /**
   * @param route the listener for the requests that are not answered here
   * @returns whether the request gets an answer, from here or later from Fastify
   */
  protected abstract take(request: IncomingMessage, response: ServerResponse, route: Listener): boolean;
}
