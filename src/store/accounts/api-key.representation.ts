import { Injectable } from '@nestjs/common';
import { Represents, type Representation } from '../../engine/contract/representation.js';
import type { Represented } from '../../generated/contract.js';
import { isoOf } from '../../engine/values/moment.js';
import { scopesIn } from './api-key.js';
import type { ApiKey, IssuedApiKey } from './api-key.entity.js';

@Injectable()
@Represents(['v1', 'v2'], 'ApiKey')
export class ApiKeyV1 implements Representation<'v1', 'ApiKey'> {
  present(key: ApiKey): Represented['v1']['ApiKey'] {
    return {
      id: key.id,
      name: key.name,
      user_id: key.userId,
      scopes: scopesIn(key),
      created_at: isoOf(key.createdAt),
      expires_at: key.expiresAt && isoOf(key.expiresAt),
      last_used_at: key.lastUsedAt && isoOf(key.lastUsedAt),
      revoked_at: key.revokedAt && isoOf(key.revokedAt),
    };
  }
}

/** Only this representation has the secret of a key. */
@Injectable()
@Represents(['v1', 'v2'], 'IssuedApiKey')
export class IssuedApiKeyV1 implements Representation<'v1', 'IssuedApiKey'> {
  constructor(private readonly apiKeys: ApiKeyV1) {}

  present({ apiKey, key }: IssuedApiKey): Represented['v1']['IssuedApiKey'] {
    return { ...this.apiKeys.present(apiKey), key };
  }
}
