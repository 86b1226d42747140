import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { HandedOver } from './adapter.js';
import { privateJwkOf, SigningKeys } from '../tokens/signing-keys.js';
import { AccessConfig } from '../../engine/config/slices.js';
import { Revocations } from '../tokens/revocations.js';
import { MasterKey } from '../../engine/secrets/master-key.js';
import type { Subject } from '../../engine/rate-limits/rate-limits.js';
import { UsersRepository } from '../users/users.repository.js';
import { ArtifactsRepository } from './artifacts.repository.js';
import { ClientsRepository } from './clients.repository.js';

const PREFIX = '/oauth';

interface Made {
  /** The ids of the keys that the provider was made with. */
  readonly kids: string;
  readonly provider: Promise<Provider>;
}

/**
 * Loads oidc-provider, the library behind `/oauth`, and hands requests to it. The library is large, and most processes
 * never need it. So the first request that needs the library loads it. A `Provider` of the library gets the signing
 * keys when it is made. So the service makes a new `Provider` when the signing keys have changed.
 */
@Injectable()
export class OAuthServer {
  private made: Made | null = null;

  constructor(
    private readonly config: AccessConfig,
    private readonly secret: MasterKey,
    private readonly signingKeys: SigningKeys,
    private readonly artifacts: ArtifactsRepository,
    private readonly clients: ClientsRepository,
    private readonly users: UsersRepository,
    private readonly revocations: Revocations,
  ) {}

  /** @throws Unavailable when the signing keys cannot be read */
  async provider(): Promise<Provider> {
    const keys = await this.signingKeys.all();
    const kids = keys.map(({ kid }) => kid).join(' ');
    if (this.made?.kids === kids) return this.made.provider;
    const made = { kids, provider: this.make(keys.map(privateJwkOf)) };
    this.made = made;
    // A provider that could not be made is not cached, so the next request tries again. Meanwhile, there may be a newer
    // provider, which stays.
    made.provider.catch(() => {
      if (this.made === made) this.made = null;
    });
    return made.provider;
  }

  private async make(keys: ReturnType<typeof privateJwkOf>[]): Promise<Provider> {
    const { createProvider } = await import('./provider.js');
    return createProvider({
      issuer: this.config.issuer,
      audience: this.config.audience,
      tokenTtlSeconds: this.config.tokenTtlSeconds,
      keys,
      cookieKey: this.secret.key('oauth cookies').export().toString('base64url'),
      artifacts: this.artifacts,
      clients: this.clients,
      users: this.users,
      revocations: this.revocations,
    });
  }
}

/**
 * Lets the library answer. The library reads the body itself, 56 KiB at most.
 *
 * @param sender the subject that the request was counted for
 */
export async function answerBy(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  sender: Subject,
): Promise<void> {
  const raw = request as HandedOver;
  raw.sender = sender;
  // From these two members, the library learns the path under which it is mounted.
  raw.originalUrl = raw.url ?? '/';
  raw.url = raw.originalUrl.slice(PREFIX.length);
  await provider.callback()(raw, response);
}
