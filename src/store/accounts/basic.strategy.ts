import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Unauthenticated } from '../../engine/errors/errors.js';
import { HeaderStrategy, type Caller } from '../../engine/access/header.strategy.js';
import { PrincipalCache, type Proven } from '../../engine/access/principal-cache.js';
import { Logins } from './logins.js';
import type { Principal } from '../../engine/access/principal.js';

// Not longer, because an import changes e-mail addresses without noting it in `CredentialChanges`.
const KEPT_MS = 30_000;

/** `Authorization: Basic`: e-mail address and password of a user (RFC 7617). */
@Injectable()
export class BasicStrategy extends PassportStrategy(HeaderStrategy, 'basic') {
  constructor(
    private readonly logins: Logins,
    private readonly kept: PrincipalCache,
  ) {
    super();
  }

  /**
   * @throws Unauthenticated
   * @throws Unavailable when too many passwords are being tried
   */
  async validate({ headers, ip, isSuspect = false }: Caller): Promise<Principal> {
    const parts = partsOf(headers.authorization ?? '');
    return this.kept.keep(headers, () => this.prove(parts, ip, isSuspect));
  }

  private async prove(
    { email, password }: ReturnType<typeof partsOf>,
    ip: string,
    isSuspect: boolean,
  ): Promise<Proven> {
    const user = await this.logins.find(email, password, ip, isSuspect);
    if (!user) throw new Unauthenticated('E-mail address and password are not those of a user.');
    const { id: userId, name } = user;
    const nothing = { scopes: new Set<never>(), delegated: null, expiresAt: null };
    return {
      principal: { kind: 'user', scheme: 'basic', id: `user ${userId}`, name, userId, ...nothing },
      until: Number.POSITIVE_INFINITY,
      keptMs: KEPT_MS,
    };
  }
}

/** @throws Unauthenticated when the header is not of the form of RFC 7617 */
function partsOf(authorization: string): { readonly email: string; readonly password: string } {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization) ?? [];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded ?? '', 'base64'));
    const at = text.indexOf(':');
    if (at > 0) return { email: text.slice(0, at), password: text.slice(at + 1) };
  } catch {
    // It is not UTF-8: handled like a missing user and password.
  }
  throw new Unauthenticated('This is no Basic credential: e-mail address, colon and password, in Base64.');
}
