import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import passport from 'passport';
import type { Strategy } from 'passport-strategy';
import {
  CredentialTooLong,
  MalformedRequest,
  StoreError,
  Unauthenticated,
  Unavailable,
} from '../errors/errors.js';
import { problemOf } from '../contract/problem.js';
import { Counter, Counters } from '../metrics/instruments.js';
import { SCHEMES, type Scheme } from '../../generated/operations.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { CredentialCache, type CredentialName, type Proof, type Proven } from './credential-cache.js';
import type { Caller } from './caller.js';
import { readToken, tokenIn } from './jwt.js';
import { ANONYMOUS, rightsOf, type Principal } from './principal.js';

type Request = Parameters<ReturnType<typeof passport.authenticate>>;

/**
 * The maximum length of a credential. The longest known JWT of an issuer is half as long. All other credentials are far
 * shorter.
 */
const MOST_CHARACTERS = 8_192;

export function hasCredential({ authorization, 'x-api-key': key }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || key !== undefined;
}

/**
 * Refuses a credential that is too long. Call this before any other function reads the credential. The headers of a
 * request have at most 16 KiB, but the payload of `connection_init` may be much longer.
 *
 * @throws CredentialTooLong
 */
export function requireShortCredential({ authorization, 'x-api-key': key }: IncomingHttpHeaders): void {
  requireShort('Authorization', authorization);
  requireShort('X-API-Key', key);
}

function requireShort(name: string, value: string | readonly string[] | undefined): void {
  if (value === undefined || value.length <= MOST_CHARACTERS) return;
  throw new CredentialTooLong(
    `${name} has ${value.length} characters; a credential may have at most ${MOST_CHARACTERS}.`,
  );
}

// An opaque token of our own server can be revoked without a change of the number in `CredentialChanges`. So after this
// time every credential is checked again.
const CONFIRMED_MS = 1_000;

/** The time of a check. */
export interface Checked {
  /** The value of `performance.now()` before the check. */
  readonly at: number;
  /** The number of the stored facts about credentials before the check; see `CredentialChanges`. */
  readonly number: number;
}

/** The Passport strategies that check the credential of a caller, by scheme. */
export type Strategies = Readonly<Record<Scheme, (caller: Caller) => Strategy>>;
export const STRATEGIES = Symbol('the strategies that check credentials');

/** `failed`: the service could not check the credential. */
const RESULTS = ['valid', 'refused', 'failed'] as const;
type Check = `${Scheme} ${(typeof RESULTS)[number]}`;
const CHECKS = SCHEMES.flatMap((scheme) => RESULTS.map((result): Check => `${scheme} ${result}`));

/** Determines the principal of a request or a WebSocket from its credential. */
@Injectable()
export class Credentials {
  /** The number of checks of credentials that this process did not remember, by scheme and result. */
  readonly checks = new Counters<Check>(CHECKS);
  /** The number of uses of credentials that this process remembered. */
  readonly recalls = new Counter();

  constructor(
    @Inject(STRATEGIES) private readonly strategies: Strategies,
    private readonly kept: CredentialCache,
    private readonly limits: RateLimits,
  ) {}

  /**
   * @returns the principal itself if the caller has no credential, or if its credential needs no check now; the request
   *   then waits for nothing. In all other cases, a promise of the principal
   * @throws CredentialTooLong
   * @throws MalformedRequest for several credentials
   * @throws RateLimited when the address of the caller has no requests left and has tried too many credentials
   * @throws Unauthenticated for any credential that is not valid, on public operations too
   * @throws Unavailable when the credential cannot be checked now
   */
  principalOf(caller: Caller): Principal | Promise<Principal> {
    if (!hasCredential(caller.headers)) return ANONYMOUS;
    requireShortCredential(caller.headers);
    const { authorization, 'x-api-key': key } = caller.headers;
    if (authorization !== undefined && key !== undefined) {
      throw new MalformedRequest('Send only one credential, in X-API-Key or in Authorization.');
    }
    const name = this.kept.nameOf(caller.headers);
    const known = this.kept.recall(name, caller);
    if (known === null) return this.tried(name, caller);
    this.recalls.add();
    return known;
  }

  /** The time of a check that begins now. Pass it to `isSurelyValid` later. */
  checkedNow(): Checked {
    return { at: performance.now(), number: this.kept.number };
  }

  /** Whether it is known at once that a credential is as valid as at its last check. If not, `confirm` is needed. */
  isSurelyValid({ expiresAt }: Principal, { at, number }: Checked): boolean {
    return (
      performance.now() - at < CONFIRMED_MS &&
      this.kept.isUnchangedSince(number) &&
      (expiresAt === null || expiresAt.getTime() > Date.now())
    );
  }

  /**
   * Checks a credential again.
   *
   * @param principal the result of the first check
   * @throws Unauthenticated when the credential has ended, or when its rights have changed
   * @throws the same errors as `principalOf`
   */
  confirm(caller: Caller, principal: Principal): Promise<void> | undefined {
    const found = this.principalOf(caller);
    if (found instanceof Promise) return found.then((again) => requireSameRights(principal, again));
    requireSameRights(principal, found);
    return undefined;
  }

  /**
   * Checks a credential again, as `confirm` does, but with the facts that the database has now. `confirm` alone may use
   * facts that are up to a second old.
   *
   * @returns the number of the facts (see `CredentialChanges`). The credential is valid as long as it does not rise
   * @throws the same errors as `confirm`
   */
  async confirmNow(caller: Caller, principal: Principal): Promise<number> {
    const number = await this.kept.currentNumber();
    await this.confirm(caller, principal);
    return number;
  }

  /**
   * Reads and checks a credential that is not remembered. If the address of the caller has no requests left, the
   * service checks the credential in two cases only: the credential was valid at an earlier check, or the address has a
   * try left. In all other cases the service does not even read the credential, because reading is the expensive part.
   */
  private async tried(name: CredentialName, { headers, ip }: Caller): Promise<Principal> {
    const address = this.limits.ofAddress(ip);
    const isSuspect = this.limits.isSpent(address);
    const isTry = isSuspect && !this.kept.wasGood(name);
    if (isTry) this.limits.requireTry(address);
    const scheme = schemeOf(headers);
    try {
      const caller = { headers, ip, isSuspect };
      const principal = await this.kept.keep(name, await this.read(scheme, caller), caller);
      if (isTry) this.limits.giveBackTry(address);
      this.count(scheme, 'valid');
      return principal;
    } catch (error) {
      const isRefusal = error instanceof StoreError && !(error instanceof Unavailable);
      this.count(scheme, isRefusal ? 'refused' : 'failed');
      if (isTry && isOutage(error)) this.limits.giveBackTry(address);
      if (isRefusal) this.kept.forget(name);
      throw error;
    }
  }

  private read(scheme: Scheme | null, caller: Caller): Promise<Proven | Proof> {
    const { authorization = '' } = caller.headers;
    if (scheme === null) {
      throw new Unauthenticated('Authorization accepts Basic and Bearer. Send an API key in X-API-Key.');
    }
    if (scheme === 'jwt')
      return this.verified('jwt', { ...caller, token: readToken(tokenIn(authorization)) });
    if (/^bearer +sk_(?:demo|\d+)_[\w-]{43}$/i.test(authorization)) {
      throw new Unauthenticated('Send an API key in the header X-API-Key, not as a Bearer token.');
    }
    return this.verified(scheme, caller);
  }

  private count(scheme: Scheme | null, result: (typeof RESULTS)[number]): void {
    if (scheme !== null) this.checks.add(`${scheme} ${result}`);
  }

  private verified(scheme: Scheme, caller: Caller): Promise<Proven | Proof> {
    const shared = this.strategies[scheme](caller);
    return new Promise((resolve, reject) => {
      // Passport sets its callbacks on the strategy, so each request needs a strategy object of its own.
      const strategy = Object.create(shared) as Strategy;
      const decide = (
        error: unknown,
        proof: Proven | Proof | false | null | undefined,
        info: unknown,
      ): void => {
        if (error) reject(error);
        else if (proof) resolve(proof);
        else reject(refusalFor(info));
      };
      const [request, response] = [caller, {}] as unknown as Request;
      passport.authenticate(strategy, { session: false }, decide)(request, response, reject);
    });
  }
}

/**
 * Whether the service could not check a credential because it has too much work or no database. Such a check is not
 * counted. A check with any other error is counted, so that a bug gives nobody free attempts.
 */
export function isOutage(error: unknown): boolean {
  return problemOf(error).code === 'UNAVAILABLE';
}

/** @throws Unauthenticated */
function requireSameRights(before: Principal, now: Principal): void {
  if (now === before || rightsOf(now) === rightsOf(before)) return;
  throw new Unauthenticated('The rights of the credential have changed. Send the request again.');
}

/**
 * The scheme of a credential; null if no scheme has this form. The form of a token decides its scheme. If the service
 * tried both schemes, a token of one scheme could be accepted as a token of the other.
 */
function schemeOf({ authorization }: IncomingHttpHeaders): Scheme | null {
  if (authorization === undefined) return 'apiKey';
  if (/^basic /i.test(authorization)) return 'basic';
  if (/^bearer +[^ .]+\.[^ .]*\.[^ .]*$/i.test(authorization)) return 'jwt';
  return /^bearer /i.test(authorization) ? 'oauth' : null;
}

/**
 * The error for a credential that a strategy has refused. Its message does not say which fault passport-jwt found.
 * There is one exception: the message says that a token has expired, so that the client gets a new token.
 */
function refusalFor(info: unknown): StoreError {
  if (info instanceof StoreError) return info;
  const isExpired = info instanceof Error && info.name === 'TokenExpiredError';
  return new Unauthenticated(isExpired ? 'The access token has expired.' : 'The credential is not valid.');
}
