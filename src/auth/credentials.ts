import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import passport from 'passport';
import { MalformedRequest, Unauthenticated } from '../errors.js';
import type { Scheme } from '../generated/operations.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BasicStrategy } from './basic.strategy.js';
import type { Caller, HeaderStrategy } from './header.strategy.js';
import { ANONYMOUS, type Principal } from './principal.js';

type Request = Parameters<ReturnType<typeof passport.authenticate>>;

export function hasCredential({ authorization, 'x-api-key': key }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || key !== undefined;
}

/** Tells who makes a request, or opens a WebSocket, from the credential that came with it. */
@Injectable()
export class Credentials {
  private readonly strategies: Readonly<Record<Scheme, HeaderStrategy>>;

  constructor(apiKey: ApiKeyStrategy, basic: BasicStrategy) {
    this.strategies = { apiKey, basic };
  }

  /**
   * @returns at once without a credential, so that anonymous requests wait for nothing
   * @throws MalformedRequest for several credentials
   * @throws Unauthenticated for any credential that is not good, on public operations too
   */
  principalOf(caller: Caller): Principal | Promise<Principal> {
    if (!hasCredential(caller.headers)) return ANONYMOUS;
    const { authorization, 'x-api-key': key } = caller.headers;
    if (authorization === undefined) return this.verified('apiKey', caller);
    if (key !== undefined) {
      throw new MalformedRequest('Send one credential: in X-API-Key or in Authorization.');
    }
    if (/^basic /i.test(authorization)) return this.verified('basic', caller);
    throw new Unauthenticated('Authorization takes Basic here; an API key is sent in X-API-Key.');
  }

  private verified(scheme: Scheme, { headers, ip, isSuspect = false }: Caller): Promise<Principal> {
    return new Promise((resolve, reject) => {
      // Passport sets on the strategy what it calls back by, so that each request needs one of its own.
      const strategy = Object.create(this.strategies[scheme]) as HeaderStrategy;
      const decide = (error: unknown, principal: Principal | false | null | undefined): void => {
        if (error) reject(error);
        else if (principal) resolve(principal);
        else reject(new Unauthenticated('The credential is not valid.'));
      };
      const [request, response] = [{ headers, ip, isSuspect }, {}] as unknown as Request;
      passport.authenticate(strategy, { session: false }, decide)(request, response, reject);
    });
  }
}
