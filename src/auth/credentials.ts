import { Injectable } from '@nestjs/common';
import passport from 'passport';
import { MalformedRequest, Unauthenticated } from '../errors.js';
import type { Scheme } from '../generated/operations.js';
import { OAuthStrategy } from '../oauth/oauth.strategy.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BasicStrategy } from './basic.strategy.js';
import type { Caller, HeaderStrategy } from './header.strategy.js';
import { ANONYMOUS, type Principal } from './principal.js';

type Request = Parameters<ReturnType<typeof passport.authenticate>>;

/** Tells who makes a request, or opens a WebSocket, from the credential that came with it. */
@Injectable()
export class Credentials {
  private readonly strategies: Readonly<Partial<Record<Scheme, HeaderStrategy>>>;

  constructor(apiKey: ApiKeyStrategy, basic: BasicStrategy, oauth: OAuthStrategy) {
    this.strategies = { apiKey, basic, oauth };
  }

  /**
   * @returns at once without a credential, so that anonymous requests wait for nothing
   * @throws MalformedRequest for several credentials
   * @throws Unauthenticated for any credential that is not good, on public operations too
   */
  principalOf(caller: Caller): Principal | Promise<Principal> {
    const { authorization, 'x-api-key': key } = caller.headers;
    if (authorization === undefined && key === undefined) return ANONYMOUS;
    if (authorization === undefined) return this.verified('apiKey', caller);
    if (key !== undefined) {
      throw new MalformedRequest('Send one credential: in X-API-Key or in Authorization.');
    }
    if (/^basic /i.test(authorization)) return this.verified('basic', caller);
    // A token is of one kind or the other by its form: whoever tried both would let one be taken for the other.
    if (/^bearer [^.]+\.[^.]*\.[^.]*$/i.test(authorization)) return this.verified('jwt', caller);
    if (/^bearer /i.test(authorization)) return this.verified('oauth', caller);
    throw new Unauthenticated('Authorization takes Basic and Bearer; an API key is sent in X-API-Key.');
  }

  private verified(scheme: Scheme, { headers, ip }: Caller): Promise<Principal> {
    const shared = this.strategies[scheme];
    if (!shared) throw new Unauthenticated('The credential is not valid.');
    return new Promise((resolve, reject) => {
      // Passport sets on the strategy what it calls back by, so that each request needs one of its own.
      const strategy = Object.create(shared) as HeaderStrategy;
      const decide = (error: unknown, principal: Principal | false | null | undefined): void => {
        if (error) reject(error);
        else if (principal) resolve(principal);
        else reject(new Unauthenticated('The credential is not valid.'));
      };
      const [request, response] = [{ headers, ip }, {}] as unknown as Request;
      passport.authenticate(strategy, { session: false }, decide)(request, response, reject);
    });
  }
}
