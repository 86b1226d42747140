import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation, type Operations } from '../../engine/contract/operation.js';
import { found } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import type {
  ApiKeyCreate,
  ApiKeyRotate,
  GetApiKeyPath,
  ListApiKeysQuery,
  ListApiKeysV2Query,
  RevokeApiKeyPath,
  RotateApiKeyPath,
} from '../../generated/dto.js';
import { endIn, scopesIn } from './api-key.js';
import type { ApiKey, IssuedApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { requireCanGrant } from './giving.js';

declare module '../../engine/contract/complete.js' {
  interface Controllers {
    apiKeys: ApiKeysController;
  }
}

type Handled =
  'listApiKeys' | 'listApiKeysV2' | 'createApiKey' | 'getApiKey' | 'revokeApiKey' | 'rotateApiKey';

@Controller()
export class ApiKeysController implements Pick<Operations, Handled> {
  constructor(private readonly keys: ApiKeysRepository) {}

  @Operation('listApiKeys')
  listApiKeys({ page, limit, user_id }: ListApiKeysQuery, { reach }: Context): Promise<Page<ApiKey>> {
    return this.keys.list(user_id, { page, limit }, reach);
  }

  @Operation('listApiKeysV2')
  listApiKeysV2(
    { limit, user_id }: ListApiKeysV2Query,
    { reach, position }: Context,
  ): Promise<Slice<ApiKey>> {
    return this.keys.slice(user_id, { position, limit }, reach);
  }

  @Operation('createApiKey')
  async createApiKey(body: ApiKeyCreate, context: Context): Promise<IssuedApiKey> {
    const { name, scopes } = body;
    const expiresAt = endIn(body.expires_at);
    requireCanGrant(context.principal, { scopes, expiresAt });
    const userId = body.user_id ?? context.reach.onlyOf;
    return this.keys.create({ name, scopes, expiresAt, userId }, context);
  }

  @Operation('getApiKey')
  async getApiKey({ id }: GetApiKeyPath, { reach }: Context): Promise<ApiKey> {
    return found(await this.keys.find(id, reach), 'API key', id);
  }

  @Operation('revokeApiKey')
  async revokeApiKey({ id }: RevokeApiKeyPath, context: Context): Promise<ApiKey> {
    return found(await this.keys.revoke(id, context), 'API key', id);
  }

  @Operation('rotateApiKey')
  async rotateApiKey(
    { id }: RotateApiKeyPath,
    { overlap_seconds }: ApiKeyRotate,
    context: Context,
  ): Promise<IssuedApiKey> {
    const mayHave = (key: ApiKey) =>
      requireCanGrant(context.principal, { scopes: scopesIn(key), expiresAt: key.expiresAt });
    return found(await this.keys.rotate(id, overlap_seconds * 1000, mayHave, context), 'API key', id);
  }
}
