import { Controller } from '@nestjs/common';
import { requireCanGrant } from '../accounts/giving.js';
import type { Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import type * as dto from '../../generated/dto.js';
import { scopesOf, type Client } from './client.entity.js';
import { ClientsRepository } from './clients.repository.js';

@Controller()
export class ClientsController {
  constructor(private readonly clients: ClientsRepository) {}

  @Operation('listClients')
  listClients({ page, limit }: dto.ListClientsQuery) {
    return this.clients.pageWhere({}, { page, limit }, 'ask for smaller pages');
  }

  @Operation('listClientsV2')
  listClientsV2({ limit }: dto.ListClientsV2Query, { position }: Context) {
    return this.clients.sliceWhere({}, { position, limit });
  }

  @Operation('createClient')
  createClient(body: dto.ClientCreate, context: Context) {
    requireCanGrant(context.principal, { scopes: body.scopes, expiresAt: null }, { scopes: '#/scopes' });
    return this.clients.issue(
      {
        name: body.name,
        isConfidential: body.confidential,
        redirectUris: body.redirect_uris,
        grantTypes: body.grant_types,
        scopes: body.scopes,
        mayIntrospect: body.may_introspect,
      },
      context,
    );
  }

  @Operation('getClient')
  getClient({ id }: dto.GetClientPath) {
    return this.clients.find(id);
  }

  @Operation('revokeClient')
  revokeClient({ id }: dto.RevokeClientPath, context: Context) {
    return this.clients.revoke(id, context);
  }

  @Operation('rotateClientSecret')
  rotateClientSecret(
    { id }: dto.RotateClientSecretPath,
    { overlap_seconds }: dto.ClientRotate,
    context: Context,
  ) {
    const mayHave = (client: Client) =>
      requireCanGrant(context.principal, { scopes: scopesOf(client), expiresAt: null });
    return this.clients.rotate(id, overlap_seconds * 1000, mayHave, context);
  }
}
