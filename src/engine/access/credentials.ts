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
import type { Scheme } from '../../generated/operations.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { CredentialCache, type CredentialName, type Proof, type Proven } from './credential-cache.js';
import type { Caller } from './caller.js';
import { readToken, tokenIn } from './jwt.js';
import { ANONYMOUS, type Principal } from './principal.js';

type Request = Parameters<ReturnType<typeof passport.authenticate>>;

/** Twice the longest known JWT of an issuer; all other credentials are far shorter. */
const MOST_CHARACTERS = 8_192;

export function hasCredential({ authorization, 'x-api-key': key }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || key !== undefined;
}

/**
 * Call this before anything reads a credential. A header section ends at 16 KiB, but the payload of `connection_init`
 * may be much longer.
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

/** The Passport strategies that check the credential of a caller, by scheme. */
export type Strategies = Readonly<Partial<Record<Scheme, (caller: Caller) => Strategy>>>;
export const STRATEGIES = Symbol('the strategies that check credentials');

/** Determines the principal of a request or a WebSocket from its credential. */
@Injectable()
export class Credentials {
  constructor(
    @Inject(STRATEGIES) private readonly strategies: Strategies,
    private readonly kept: CredentialCache,
    private readonly limits: RateLimits,
  ) {}

  /**
   * @returns synchronously if there is no credential, or a remembered one, so that such requests wait for nothing
   * @throws CredentialTooLong
   * @throws MalformedRequest for several credentials
   * @throws RateLimited from an address that has no requests left, once it has tried too many credentials
   * @throws Unauthenticated for any credential that is not valid, on public operations too
   */
  principalOf(caller: Caller): Principal | Promise<Principal> {
    if (!hasCredential(caller.headers)) return ANONYMOUS;
    requireShortCredential(caller.headers);
    const { authorization, 'x-api-key': key } = caller.headers;
    if (authorization !== undefined && key !== undefined) {
      throw new MalformedRequest('Send only one credential, in X-API-Key or in Authorization.');
    }
    const name = this.kept.nameOf(caller.headers);
    return this.kept.recall(name, caller) ?? this.tried(name, caller);
  }

  /**
   * Reads and checks a credential that is not remembered. If the address has no requests left, a credential is checked
   * only if it was valid before, or if the address has a try left. Otherwise it is not even read, because reading is
   * the expensive part.
   */
  private async tried(name: CredentialName, { headers, ip }: Caller): Promise<Principal> {
    const address = this.limits.ofAddress(ip);
    const isSuspect = this.limits.isSpent(address);
    const isTry = isSuspect && !this.kept.wasGood(name);
    if (isTry) this.limits.requireTry(address);
    try {
      const caller = { headers, ip, isSuspect };
      const principal = await this.kept.keep(name, await this.read(caller), caller);
      if (isTry) this.limits.giveBackTry(address);
      return principal;
    } catch (error) {
      const isRefusal = error instanceof StoreError && !(error instanceof Unavailable);
      // A failure of this service tells the caller nothing about the credential, so it does not count as a try.
      if (isTry && !isRefusal) this.limits.giveBackTry(address);
      if (isRefusal) this.kept.forget(name);
      throw error;
    }
  }

  private read(caller: Caller): Promise<Proven | Proof> {
    const { authorization } = caller.headers;
    if (authorization === undefined) return this.verified('apiKey', caller);
    if (/^basic /i.test(authorization)) return this.verified('basic', caller);
    // The form of a token decides its kind. If both kinds were tried, a token of one kind could be accepted as the
    // other kind.
    if (/^bearer +[^ .]+\.[^ .]*\.[^ .]*$/i.test(authorization)) {
      return this.verified('jwt', { ...caller, token: readToken(tokenIn(authorization)) });
    }
    if (/^bearer +sk_(?:demo|\d+)_[\w-]{43}$/i.test(authorization)) {
      throw new Unauthenticated('Send an API key in the header X-API-Key, not as a Bearer token.');
    }
    if (/^bearer /i.test(authorization)) return this.verified('oauth', caller);
    throw new Unauthenticated('Authorization accepts Basic and Bearer. Send an API key in X-API-Key.');
  }

  private verified(scheme: Scheme, caller: Caller): Promise<Proven | Proof> {
    const shared = this.strategies[scheme]?.(caller);
    if (!shared) throw new Unauthenticated('The credential is not valid.');
    return new Promise((resolve, reject) => {
      // Passport sets its callbacks on the strategy, so each request needs an object of its own.
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
 * The client is not told which fault passport-jwt has found, with one exception. It is told that its token has expired,
 * so that it gets a new one.
 */
function refusalFor(info: unknown): StoreError {
  if (info instanceof StoreError) return info;
  const isExpired = info instanceof Error && info.name === 'TokenExpiredError';
  return new Unauthenticated(isExpired ? 'The access token has expired.' : 'The credential is not valid.');
}
