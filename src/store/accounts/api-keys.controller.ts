import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import type * as dto from '../../generated/dto.js';
import { endIn, scopesIn } from './api-key.js';
import type { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { requireCanGrant } from './giving.js';

@Controller()
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysRepository) {}

  @Operation('listApiKeys')
  listApiKeys({ page, limit, user_id }: dto.ListApiKeysQuery, { reach }: Context) {
    return this.keys.list(user_id, { page, limit }, reach);
  }

  @Operation('listApiKeysV2')
  listApiKeysV2({ limit, user_id }: dto.ListApiKeysV2Query, { reach, position }: Context) {
    return this.keys.slice(user_id, { position, limit }, reach);
  }

  @Operation('createApiKey')
  createApiKey(body: dto.ApiKeyCreate, context: Context) {
    const { name, scopes } = body;
    const expiresAt = endIn(body.expires_at);
    const pointers = { scopes: '#/scopes', expiresAt: '#/expires_at' };
    requireCanGrant(context.principal, { scopes, expiresAt }, pointers);
    const userId = body.user_id ?? context.reach.onlyOf;
    return this.keys.create({ name, scopes, expiresAt, userId }, context);
  }

  @Operation('getApiKey')
  getApiKey({ id }: dto.GetApiKeyPath, { reach }: Context) {
    return this.keys.find(id, reach);
  }

  @Operation('revokeApiKey')
  revokeApiKey({ id }: dto.RevokeApiKeyPath, context: Context) {
    return this.keys.revoke(id, context);
  }

  @Operation('rotateApiKey')
  rotateApiKey({ id }: dto.RotateApiKeyPath, { overlap_seconds }: dto.ApiKeyRotate, context: Context) {
    const mayHave = (key: ApiKey) =>
      requireCanGrant(context.principal, { scopes: scopesIn(key), expiresAt: key.expiresAt });
    return this.keys.rotate(id, overlap_seconds * 1000, mayHave, context);
  }
}
