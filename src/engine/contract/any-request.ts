import type { FastifyRequest } from 'fastify';

/** The members of a request of Fastify that a request in front of Fastify has too; see `PlainRequest`. */
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
  | 'answerType'
  | 'idempotencyKey'
  | 'subject'
  | 'underWay'
  | 'list'
  | 'isCounted'
  | 'span'
  | 'traceId'
  | 'visitor';

/**
 * A request as the steps, the guard, the input and the answer see it, with Fastify and in front of it (ADR 66). So they
 * can read only members that every request has.
 */
export interface AnyRequest extends Pick<FastifyRequest, Member> {
  readonly routeOptions: {
    readonly url?: string | undefined;
    readonly config: Pick<FastifyRequest['routeOptions']['config'], 'hidesPath' | 'present'>;
  };
}
