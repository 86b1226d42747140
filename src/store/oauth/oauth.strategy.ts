import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Caller } from '../../engine/access/caller.js';
import { HeaderStrategy } from '../../engine/access/header.strategy.js';
import type { Proven } from '../../engine/access/credential-cache.js';
import type { Principal } from '../../engine/access/principal.js';
import { Unauthenticated } from '../../engine/errors/errors.js';
import type { Scope } from '../../generated/operations.js';
import { ArtifactsRepository } from './artifacts.repository.js';
import { listOf } from './client.entity.js';
import { lendable } from '../accounts/lending.js';

/** `Authorization: Bearer` with an opaque token of our own authorization server (RFC 6750). */
@Injectable()
export class OAuthStrategy extends PassportStrategy(HeaderStrategy, 'oauth') {
  constructor(private readonly artifacts: ArtifactsRepository) {
    super();
  }

  /** @throws Unauthenticated */
  async validate({ headers: { authorization = '' } }: Caller): Promise<Proven> {
    const [, token] = /^bearer +([A-Za-z0-9_-]+)$/i.exec(authorization) ?? [];
    // The token is read from the database at each request, so that a revocation by any instance takes effect here at
    // once.
    const found = token === undefined ? undefined : await this.artifacts.findToken(token);
    // The message gives no reason, because the caller must not learn which tokens have existed.
    if (!found) throw new Unauthenticated('The access token is not valid.');
    const { scopes, client, user, expiresAt } = found;
    const allowed = new Set(listOf<Scope>(client.scopes));
    const held = scopes.filter((scope): scope is Scope => allowed.has(scope as Scope));
    const principal: Principal =
      user === null
        ? {
            kind: 'client',
            scheme: 'oauth',
            id: `client ${client.clientId}`,
            name: client.name,
            scopes: new Set(held),
            userId: null,
            delegated: null,
            expiresAt,
          }
        : {
            kind: 'user',
            scheme: 'oauth',
            id: `user ${user.id} by ${client.clientId}`,
            name: user.name,
            scopes: new Set(),
            userId: user.id,
            delegated: new Set(lendable(held)),
            expiresAt,
          };
    return { principal, until: expiresAt.getTime(), keptMs: 0 };
  }
}
