import type { FastifyReply } from 'fastify';
import { hasCredential, isOutage, type Checked, type Credentials } from '../access/credentials.js';
import { ANONYMOUS, type Principal } from '../access/principal.js';
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
import { UnderWay } from './under-way.js';
import type { AnyRequest } from '../contract/any-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
    /** When the credential was checked; null without a credential. */
    checked: Checked | null;
    /** The subject for which this request was counted; null before it was counted. */
    subject: Subject | null;
    /** Stops counting this request as a request under way. */
    underWay: (() => void) | null;
  }
}

/** Determines the caller, and counts its requests. ADR 16 says what is counted for which subject. */
export class Identification {
  private readonly underWay = new UnderWay();

  constructor(
    private readonly credentials: Credentials,
    private readonly limits: RateLimits,
    private readonly guard: LoopGuard,
    private readonly routeSets: readonly Pick<RouteSet, 'isFree'>[],
  ) {}

  /**
   * The first step that counts requests. A request without a credential is counted for its address, except at a few
   * free paths. A request with a credential is counted later. But if the address has no requests left, the credential
   * is checked at once, before everything else.
   */
  readonly countAddress: Step = (request, reply) => {
    request.principal = ANONYMOUS;
    this.guard.mark(request);
    const isWithCredential = hasCredential(request.headers);
    if (!isWithCredential && this.isFree(request.url)) return undefined;
    if (!isWithCredential) this.guard.requireRoom();
    const address = this.limits.ofAddress(request.ip);
    if (isWithCredential) return this.limits.isSpent(address) ? this.prove(request, reply) : undefined;
    return this.count(address, request, reply);
  };

  /**
   * Counts a request for its address, also if it has a credential. Routes that ignore the credentials of the API use
   * this step instead of `identify`. Without this step, a request with a credential would be counted only after its
   * answer. So any number of such requests could run at a time.
   */
  readonly countIgnoring: Step = (request, reply) =>
    request.subject === null ? this.count(this.limits.ofAddress(request.ip), request, reply) : undefined;

  /**
   * Determines the caller, and counts the request for it. A request without a credential was counted by `countAddress`,
   * and waits for nothing.
   */
  readonly identify: Step = (request, reply) =>
    request.subject === null && hasCredential(request.headers) ? this.prove(request, reply) : undefined;

  /**
   * Checks the credential again, before work that had to wait for the client. A client may take half a minute to send a
   * body, and longer to read an export. In this time the credential may have ended.
   *
   * @throws Unauthenticated when the credential has ended, or when its rights have changed
   * @throws the same errors as `Credentials.principalOf`
   */
  readonly confirm = (request: AnyRequest): Promise<void> | undefined => {
    const { principal, checked, headers, ip } = request;
    if (checked === null || this.credentials.isSurelyValid(principal, checked)) return undefined;
    request.checked = this.credentials.checkedNow();
    return this.credentials.confirm({ headers, ip }, principal);
  };

  /** Checks the credential again, with the facts that the database has now; see `Context.confirm`. */
  readonly confirmNow = ({ principal, headers, ip }: AnyRequest): Promise<number> =>
    this.credentials.confirmNow({ headers, ip }, principal);

  /**
   * Makes a step for an operation that passes over rows. The step counts the cost that the contract names, in addition
   * to the request itself. Returns null if the contract names no cost for the operation.
   */
  charge({ cost, query }: Operation): Step | null {
    const costs = Object.entries(query?.costs ?? {});
    if (cost === 0 && costs.length === 0) return null;
    const pricesIn = (text: string): number[] => {
      // Most requests have no parameter with a cost. A percent-encoded name is found only by parsing.
      if (!text.includes('%') && !costs.some(([name]) => text.includes(name))) return [];
      const asked = new URLSearchParams(text);
      return costs.filter(([name]) => asked.has(name)).map(([, price]) => price);
    };
    return (request, reply) => {
      const given = pricesIn(queryTextOf(request.url));
      const units = Math.ceil(Math.max(cost, ...given) / COST_OF_A_UNIT);
      if (units === 0 || request.subject === null) return undefined;
      const what = `This request counts as ${units + 1} requests`;
      const standing = this.limits.take(request.subject, units);
      if (standing instanceof Promise) return standing.then((known) => show(known, reply, units, what));
      return show(standing, reply, units, what);
    };
  }

  /**
   * Runs after the answer. A request that was refused before its credential was checked is counted for its address. A
   * browser may add a credential to each request for a page or a file of a page; these requests stay free.
   */
  conclude({ subject, headers, ip, underWay, raw, url, visitor }: AnyRequest): void {
    if (subject === null && visitor === null && hasCredential(headers) && !this.isFree(url))
      void this.limits.take(this.limits.ofAddress(ip));
    if (underWay !== null) this.underWay.end(raw.socket, underWay);
  }

  private isFree(url: string): boolean {
    return HEALTH_PATHS.has(url) || this.routeSets.some((routeSet) => routeSet.isFree?.(url) ?? false);
  }

  /**
   * Checks the credential, and counts the request. If the credential is remembered, the request does not wait for the
   * check. It waits only for Redis, if Redis counts the request.
   *
   * @throws RateLimited also for a wrong credential, when the address of the request has no requests left
   */
  private prove(request: AnyRequest, reply: FastifyReply): Promise<void> | undefined {
    const { headers, ip } = request;
    let principal: Principal | Promise<Principal>;
    // `checkedNow` is called before the check, so that a change of the credentials during the check is noticed.
    request.checked = this.credentials.checkedNow();
    try {
      principal = this.credentials.principalOf({ headers, ip });
    } catch (error) {
      return this.refuse(error, request, reply);
    }
    if (!(principal instanceof Promise)) return this.letCallerIn(principal, request, reply);
    return principal.then(
      (proven) => this.letCallerIn(proven, request, reply),
      (error: unknown) => this.refuse(error, request, reply),
    );
  }

  private letCallerIn(
    principal: Principal,
    request: AnyRequest,
    reply: FastifyReply,
  ): Promise<void> | undefined {
    request.principal = principal;
    // The access log names the caller of a page too.
    if (request.visitor !== null) request.visitor.principal = principal;
    return this.count(this.limits.of(principal, request.ip), request, reply);
  }

  /**
   * Counts a request without a valid credential for its address, and refuses it if the address has no requests left.
   * During an outage, the caller gets the status 503, and `conclude` counts the request.
   *
   * @throws RateLimited, or the given error
   */
  private async refuse(error: unknown, request: AnyRequest, reply: FastifyReply): Promise<never> {
    if (!isOutage(error)) await this.count(this.limits.ofAddress(request.ip), request, reply);
    throw error;
  }

  /**
   * Counts a request. A request that the service makes to itself is counted together with the request of its visitor:
   * the first of these requests that has a subject is counted, and the others are not.
   *
   * @throws RateLimited at once, or as a rejection of the returned promise
   */
  private count(subject: Subject, request: AnyRequest, reply: FastifyReply): Promise<void> | undefined {
    request.subject = subject;
    const { visitor } = request;
    if (visitor !== null && visitor.subject !== null) return undefined;
    if (visitor !== null) visitor.subject = subject;
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
    this.underWay.add(reply.request.raw.socket, end);
  }
}

/** The step after the body was read; see `Identification.confirm`. */
export const confirmCaller: Step = (request) => request.server.confirmCaller(request);

/** @throws RateLimited */
function show(standing: Standing | null, reply: FastifyReply, units?: number, what?: string): void {
  if (!standing) return;
  const fields = fieldsOf(standing);
  reply.header('ratelimit-policy', fields['ratelimit-policy']).header('ratelimit', fields.ratelimit);
  requireTaken(standing, units, what);
}

/**
 * Requests for these paths are not counted if they have no credential, because the probes of operators and
 * orchestrators must be answered.
 */
const HEALTH_PATHS: ReadonlySet<string> = new Set([
  ...OPERATIONS.getLiveness.paths,
  ...OPERATIONS.getReadiness.paths,
]);
