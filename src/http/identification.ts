import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCredential, type Credentials } from '../auth/credentials.js';
import { ANONYMOUS, type Principal } from '../auth/principal.js';
import { StoreError, Unavailable } from '../errors.js';
import { OPERATIONS } from '../generated/operations.js';
import { PAGE_PATHS } from '../pages/built-pages.js';
import {
  fieldsOf,
  requireTaken,
  type RateLimits,
  type Standing,
  type Subject,
} from '../rate-limits/rate-limits.js';
import type { Step } from './steps.js';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
    /** For whom this request was counted; null until it was. */
    subject: Subject | null;
  }
}

/** Who is calling, and whether it calls too often; see ADR 16 for what is counted for whom. */
export class Identification {
  constructor(
    private readonly credentials: Credentials,
    private readonly limits: RateLimits,
  ) {}

  /**
   * The first step of all. Who shows no credential is counted by its address. Who shows one has its turn later, but
   * where the address has nothing left it has to be a good one, before anything else is looked at.
   */
  readonly countAddress: Step = (request, reply, done) => {
    request.principal = ANONYMOUS;
    const isKnowable = hasCredential(request.headers);
    if (!isKnowable && isFree(request.url)) return done();
    const address = this.limits.ofAddress(request.ip);
    if (isKnowable) return this.limits.isSpent(address) ? this.prove(request, reply, true) : done();
    return this.count(address, request, reply) ?? done();
  };

  /** Finds out who is calling, and counts it. Without a credential nothing is waited for, and all is counted already. */
  readonly identify: Step = (request, reply, done) =>
    request.subject === null && hasCredential(request.headers) ? this.prove(request, reply, false) : done();

  /** After the answer: a request that was refused before anybody looked at its credential counts for the address. */
  readonly countRefused: Step = ({ subject, headers, ip }, _reply, done) => {
    if (subject === null && hasCredential(headers)) void this.limits.take(this.limits.ofAddress(ip));
    done();
  };

  /** @throws RateLimited also when what is wrong is the credential, and its address may fail no more */
  private async prove(request: FastifyRequest, reply: FastifyReply, isSuspect: boolean): Promise<void> {
    const { headers, ip } = request;
    try {
      request.principal = await this.credentials.principalOf({ headers, ip, isSuspect });
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
    if (standing instanceof Promise) return standing.then((known) => show(known, reply));
    show(standing, reply);
    return undefined;
  }
}

function show(standing: Standing | null, reply: FastifyReply): void {
  if (!standing) return;
  reply.headers(fieldsOf(standing));
  requireTaken(standing);
}

const FREE_PATHS: ReadonlySet<string> = new Set([
  ...PAGE_PATHS,
  ...OPERATIONS.getLiveness.paths,
  ...OPERATIONS.getReadiness.paths,
]);

/** Pages come with dozens of files, and who watches over the service must hear from it. */
function isFree(url: string): boolean {
  return FREE_PATHS.has(url) || url.startsWith('/assets/');
}
