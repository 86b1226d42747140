import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCredential, type Credentials } from '../access/credentials.js';
import { ANONYMOUS, type Principal } from '../access/principal.js';
import { StoreError, Unavailable } from '../errors/errors.js';
import { queryTextOf } from '../contract/parameters.js';
import { OPERATIONS, type Operation } from '../../generated/operations.js';
import {
  COST_OF_A_UNIT,
  fieldsOf,
  requireTaken,
  type RateLimits,
  type Standing,
  type Subject,
} from '../rate-limits/rate-limits.js';
import type { LoopGuard } from './loop-guard.js';
import type { RouteSet } from './route-set.js';
import type { Step } from './steps.js';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
    /** For whom this request was counted; null until it was. */
    subject: Subject | null;
    /** Ends the counting of it as one that is under way. */
    underWay: (() => void) | null;
  }
}

/** Who is calling, and whether it calls too often; see ADR 16 for what is counted for whom. */
export class Identification {
  constructor(
    private readonly credentials: Credentials,
    private readonly limits: RateLimits,
    private readonly guard: LoopGuard,
    private readonly routeSets: readonly Pick<RouteSet, 'isFree'>[],
  ) {}

  /**
   * The first step of all. Who shows no credential is counted by its address. Who shows one has its turn later, but
   * where the address has nothing left it has to be a good one, before anything else is looked at.
   */
  readonly countAddress: Step = (request, reply, done) => {
    request.principal = ANONYMOUS;
    this.guard.mark(request);
    const isKnowable = hasCredential(request.headers);
    if (!isKnowable && this.isFree(request.url)) return done();
    if (!isKnowable) this.guard.requireRoom();
    const address = this.limits.ofAddress(request.ip);
    if (isKnowable) return this.limits.isSpent(address) ? this.prove(request, reply) : done();
    return this.count(address, request, reply) ?? done();
  };

  /** Finds out who is calling, and counts it. Without a credential nothing is waited for, and all is counted already. */
  readonly identify: Step = (request, reply, done) =>
    request.subject === null && hasCredential(request.headers) ? this.prove(request, reply) : done();

  /**
   * A step for an operation that passes over rows: what the contract says it costs counts beside the request itself. Null
   * where it costs nothing more.
   */
  charge({ cost, query }: Operation): Step | null {
    const costs = Object.entries(query?.costs ?? {});
    if (cost === 0 && costs.length === 0) return null;
    return (request, reply, done) => {
      const asked = new URLSearchParams(queryTextOf(request.url));
      const given = costs.filter(([name]) => asked.has(name)).map(([, price]) => price);
      const units = Math.ceil(Math.max(cost, ...given) / COST_OF_A_UNIT);
      if (units === 0 || request.subject === null) return done();
      const what = `This request counts as ${units + 1} requests`;
      const standing = this.limits.take(request.subject, units);
      if (standing instanceof Promise) return standing.then((known) => show(known, reply, units, what));
      show(standing, reply, units, what);
      done();
    };
  }

  /** After the answer: a request that was refused before anybody looked at its credential counts for the address. */
  readonly countRefused: Step = ({ subject, headers, ip }, _reply, done) => {
    if (subject === null && hasCredential(headers)) void this.limits.take(this.limits.ofAddress(ip));
    done();
  };

  private isFree(url: string): boolean {
    return HEALTH_PATHS.has(url) || this.routeSets.some((routeSet) => routeSet.isFree?.(url) ?? false);
  }

  /** @throws RateLimited also when what is wrong is the credential, and its address may fail no more */
  private async prove(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { headers, ip } = request;
    try {
      request.principal = await this.credentials.principalOf({ headers, ip });
    } catch (error) {
      const isRefusal = error instanceof StoreError && !(error instanceof Unavailable);
      if (isRefusal) await this.count(this.limits.ofAddress(ip), request, reply);
      throw error;
    }
    await this.count(this.limits.of(request.principal, ip), request, reply);
  }

  /** @throws RateLimited at once, or what it returns rejects with it */
  private count(subject: Subject, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    request.subject = subject;
    const standing = this.limits.take(subject);
    if (standing instanceof Promise) return standing.then((known) => this.letIn(subject, known, reply));
    this.letIn(subject, standing, reply);
    return undefined;
  }

  /** @throws RateLimited */
  private letIn(subject: Subject, standing: Standing | null, reply: FastifyReply): void {
    show(standing, reply);
    const end = this.limits.begin(subject);
    if (end === null) return;
    reply.request.underWay = end;
    // Also when the client leaves before it has its answer.
    reply.raw.once('close', end);
  }
}

/** @throws RateLimited */
function show(standing: Standing | null, reply: FastifyReply, units?: number, what?: string): void {
  if (!standing) return;
  reply.headers(fieldsOf(standing));
  requireTaken(standing, units, what);
}

/** Who watches over the service must hear from it. */
const HEALTH_PATHS: ReadonlySet<string> = new Set([
  ...OPERATIONS.getLiveness.paths,
  ...OPERATIONS.getReadiness.paths,
]);
