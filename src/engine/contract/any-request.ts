import type { FastifyRequest } from 'fastify';

/** The members that a request of Fastify and a request in front of Fastify (`PlainRequest`) both have. */
type Member =
  | 'id'
  | 'raw'
  | 'server'
  | 'headers'
  | 'method'
  | 'url'
  | 'originalUrl'
  | 'host'
  | 'ip'
  | 'params'
  | 'query'
  | 'body'
  | 'is404'
  | 'principal'
  | 'checked'
  | 'answerType'
  | 'idempotencyKey'
  | 'subject'
  | 'underWay'
  | 'list'
  | 'isCounted'
  | 'span'
  | 'trace'
  | 'visitor';

/**
 * A request with Fastify, or in front of it (ADR 66). The steps, the guard, the input and the answer get this type, so
 * they can read only the members that both kinds of requests have.
 */
export interface AnyRequest extends Pick<FastifyRequest, Member> {
  readonly routeOptions: {
    readonly url?: string | undefined;
    readonly config: Pick<FastifyRequest['routeOptions']['config'], 'hidesPath' | 'present'>;
  };
}
