import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import type * as dto from '../../generated/dto.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

@Controller()
export class SigningKeysController {
  constructor(private readonly keys: SigningKeysRepository) {}

  @Operation('listSigningKeys')
  listSigningKeys({ limit }: dto.ListSigningKeysQuery, { position }: Context) {
    return this.keys.sliceWhere({}, { position, limit });
  }

  @Operation('createSigningKey')
  createSigningKey({ overlap_seconds }: dto.SigningKeyCreate, context: Context) {
    return this.keys.rotate(overlap_seconds * 1000, context);
  }

  @Operation('getSigningKey')
  getSigningKey({ id }: dto.GetSigningKeyPath) {
    return this.keys.find(id);
  }

  @Operation('revokeSigningKey')
  revokeSigningKey({ id }: dto.RevokeSigningKeyPath, context: Context) {
    return this.keys.revoke(id, context);
  }
}
