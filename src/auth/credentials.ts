import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import passport from 'passport';
import type { Strategy } from 'passport-strategy';
import { MalformedRequest, StoreError, Unauthenticated } from '../errors.js';
import type { Scheme } from '../generated/operations.js';
import { OAuthStrategy } from '../oauth/oauth.strategy.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BasicStrategy } from './basic.strategy.js';
import type { Caller } from './header.strategy.js';
import { readToken, tokenIn, type ReadToken } from './jwt.js';
import { JwtStrategies } from './jwt.strategy.js';
import { KeptPrincipals } from './kept-principals.js';
import { ANONYMOUS, type Principal } from './principal.js';

type Request = Parameters<ReturnType<typeof passport.authenticate>>;

export function hasCredential({ authorization, 'x-api-key': key }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || key !== undefined;
}

/** Tells who makes a request, or opens a WebSocket, from the credential that came with it. */
@Injectable()
export class Credentials {
  private readonly strategies: Readonly<Partial<Record<Scheme, (caller: Caller) => Strategy>>>;

  constructor(
    apiKey: ApiKeyStrategy,
    basic: BasicStrategy,
    oauth: OAuthStrategy,
    jwt: JwtStrategies,
    private readonly kept: KeptPrincipals,
  ) {
    this.strategies = {
      apiKey: () => apiKey,
      basic: () => basic,
      oauth: () => oauth,
      jwt: ({ token }) => jwt.for(token as ReadToken),
    };
  }

  /**
   * @returns at once without a credential, so that anonymous requests wait for nothing, and for one that was proven before
   * @throws MalformedRequest for several credentials
   * @throws Unauthenticated for any credential that is not good, on public operations too
   */
  principalOf(caller: Caller): Principal | Promise<Principal> {
    if (!hasCredential(caller.headers)) return ANONYMOUS;
    const { authorization, 'x-api-key': key } = caller.headers;
    if (authorization === undefined) {
      return (typeof key === 'string' && this.kept.recall(key)) || this.verified('apiKey', caller);
    }
    if (key !== undefined) {
      throw new MalformedRequest('Send one credential: in X-API-Key or in Authorization.');
    }
    if (/^basic /i.test(authorization)) {
      return this.kept.recall(authorization) ?? this.verified('basic', caller);
    }
    // A token is of one kind or the other by its form: whoever tried both would let one be taken for the other.
    if (/^bearer +[^.]+\.[^.]*\.[^.]*$/i.test(authorization)) {
      return (
        this.kept.recall(authorization) ?? this.verified('jwt', caller, readToken(tokenIn(authorization)))
      );
    }
    if (/^bearer /i.test(authorization)) return this.verified('oauth', caller);
    throw new Unauthenticated('Authorization takes Basic and Bearer; an API key is sent in X-API-Key.');
  }

  private verified(
    scheme: Scheme,
    { headers, ip, isSuspect = false }: Caller,
    token?: ReadToken,
  ): Promise<Principal> {
    const caller: Caller = { headers, ip, isSuspect, ...(token && { token }) };
    const shared = this.strategies[scheme]?.(caller);
    if (!shared) throw new Unauthenticated('The credential is not valid.');
    return new Promise((resolve, reject) => {
      // Passport sets on the strategy what it calls back by, so that each request needs one of its own.
      const strategy = Object.create(shared) as Strategy;
      const decide = (
        error: unknown,
        principal: Principal | false | null | undefined,
        info: unknown,
      ): void => {
        if (error) reject(error);
        else if (principal) resolve(principal);
        else reject(refusalFor(info));
      };
      const [request, response] = [caller, {}] as unknown as Request;
      passport.authenticate(strategy, { session: false }, decide)(request, response, reject);
    });
  }
}

/** What passport-jwt found wrong is not told, but that time alone has ended a token, which is then got anew. */
function refusalFor(info: unknown): StoreError {
  if (info instanceof StoreError) return info;
  const isExpired = info instanceof Error && info.name === 'TokenExpiredError';
  return new Unauthenticated(isExpired ? 'The access token has expired.' : 'The credential is not valid.');
}
