import type { RouteOptions } from 'fastify';
import type { Post } from './plain-posts.js';
import type { Step } from './steps.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path contains a secret, so the log shows the address of the route instead. */
    hidesPath?: true;
  }
}

/** Routes that are no operations of `openapi.yaml`: GraphQL, its event streams, the authorization server, pages. */
export interface RouteSet {
  /** All methods of each address, in the router's syntax. OPTIONS is added. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Whether an anonymous request for this path is free, which means not counted. Absent: all requests are counted. */
  isFree?(path: string): boolean;
  /**
   * Adds the steps before a handler. Absent: the routes have their own steps.
   *
   * @param identify the step that determines the caller
   * @param count the step for routes that ignore the credentials of the API; see `Identification.countIgnoring`
   */
  lay?(route: RouteOptions, identify: Step, count: Step): void;
  /**
   * The POST requests that may be answered in front of Fastify; see `PlainPosts`. These requests pass the steps that
   * all routes have, and then the steps that are given here, instead of the steps of `lay`.
   *
   * @param identify the step that determines the caller
   */
  plainPost?(identify: Step): Omit<Post, 'conclude'>;
}
