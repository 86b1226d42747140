import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Unauthenticated } from '../../engine/errors/errors.js';
import type { Caller } from '../../engine/access/caller.js';
import { HeaderStrategy } from '../../engine/access/header.strategy.js';
import type { Proof } from '../../engine/access/credential-cache.js';
import { Logins } from './logins.js';

// The time for which the result of a check is cached. A change of any e-mail address or password ends this time,
// because the change raises the number of `CredentialChanges`.
const KEPT_MS = 30_000;

/** RFC 7617, section 2, forbids control characters. Our contract also forbids those from U+0080 to U+009F. */
const CONTROL = /\p{Cc}/u;

/** `Authorization: Basic`: e-mail address and password of a user (RFC 7617). */
@Injectable()
export class BasicStrategy extends PassportStrategy(HeaderStrategy, 'basic') {
  constructor(private readonly logins: Logins) {
    super();
  }

  /**
   * Returns the proof of the credential. The proof throws Unavailable when too many passwords are being tried.
   *
   * @throws Unauthenticated for a header of another form
   */
  validate({ headers: { authorization = '' } }: Caller): Proof {
    partsOf(authorization);
    // The proof is remembered, so it must hold neither the password nor facts about the first caller. Each time, it
    // reads them from the caller that presents the credential then.
    return async ({ headers, ip, isSuspect = false }) => {
      const { email, password } = partsOf(headers.authorization ?? '');
      const user = await this.logins.find(email, password, ip, isSuspect);
      if (!user) throw new Unauthenticated('The e-mail address or the password is wrong.');
      const { id: userId, name } = user;
      const nothing = { scopes: new Set<never>(), delegated: null, expiresAt: null };
      return {
        principal: { kind: 'user', scheme: 'basic', id: `user ${userId}`, name, userId, ...nothing },
        keptMs: KEPT_MS,
      };
    };
  }
}

/** @throws Unauthenticated when the header is not of the form of RFC 7617 */
function partsOf(authorization: string): { readonly email: string; readonly password: string } {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded ?? '', 'base64'));
    const at = text.indexOf(':');
    if (at > 0 && !CONTROL.test(text)) return { email: text.slice(0, at), password: text.slice(at + 1) };
  } catch {
    // The text is not UTF-8. It is handled like a text without a colon.
  }
  throw new Unauthenticated(
    'The Basic credential is malformed. Send the e-mail address, a colon and the password, in Base64.',
  );
}
