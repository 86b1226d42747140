import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation, type Operations } from '../../engine/contract/operation.js';
import { found } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import type {
  DeleteIdentityPath,
  GetIdentityPath,
  IdentityCreate,
  ListIdentitiesQuery,
  ListIdentitiesV2Query,
} from '../../generated/dto.js';
import { IdentitiesRepository } from './identities.repository.js';
import type { Identity } from './identity.entity.js';

declare module '../../engine/contract/complete.js' {
  interface Controllers {
    identities: IdentitiesController;
  }
}

type Handled = 'listIdentities' | 'listIdentitiesV2' | 'createIdentity' | 'getIdentity' | 'deleteIdentity';

@Controller()
export class IdentitiesController implements Pick<Operations, Handled> {
  constructor(private readonly identities: IdentitiesRepository) {}

  @Operation('listIdentities')
  listIdentities({ page, limit, user_id }: ListIdentitiesQuery): Promise<Page<Identity>> {
    return this.identities.pageWhere({ userId: user_id }, { page, limit });
  }

  @Operation('listIdentitiesV2')
  listIdentitiesV2(
    { limit, user_id }: ListIdentitiesV2Query,
    { position }: Context,
  ): Promise<Slice<Identity>> {
    return this.identities.sliceWhere({ userId: user_id }, { position, limit });
  }

  @Operation('createIdentity')
  createIdentity({ issuer, subject, user_id }: IdentityCreate, context: Context): Promise<Identity> {
    return this.identities.create({ issuer, subject, userId: user_id }, context);
  }

  @Operation('getIdentity')
  async getIdentity({ id }: GetIdentityPath): Promise<Identity> {
    return found(await this.identities.find(id), 'link', id);
  }

  @Operation('deleteIdentity')
  async deleteIdentity({ id }: DeleteIdentityPath, context: Context): Promise<void> {
    found(await this.identities.delete(id, context), 'link', id);
  }
}
