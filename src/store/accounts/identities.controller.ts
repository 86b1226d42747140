import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import type * as dto from '../../generated/dto.js';
import { IdentitiesRepository } from './identities.repository.js';

@Controller()
export class IdentitiesController {
  constructor(private readonly identities: IdentitiesRepository) {}

  @Operation('listIdentities')
  listIdentities({ page, limit, user_id }: dto.ListIdentitiesQuery) {
    return this.identities.pageWhere({ userId: user_id }, { page, limit });
  }

  @Operation('listIdentitiesV2')
  listIdentitiesV2({ limit, user_id }: dto.ListIdentitiesV2Query, { position }: Context) {
    return this.identities.sliceWhere({ userId: user_id }, { position, limit });
  }

  @Operation('createIdentity')
  createIdentity({ issuer, subject, user_id }: dto.IdentityCreate, context: Context) {
    return this.identities.create({ issuer, subject, userId: user_id }, context);
  }

  @Operation('getIdentity')
  getIdentity({ id }: dto.GetIdentityPath) {
    return this.identities.find(id);
  }

  @Operation('deleteIdentity')
  deleteIdentity({ id }: dto.DeleteIdentityPath, context: Context) {
    return this.identities.delete(id, context);
  }
}
