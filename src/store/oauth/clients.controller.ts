import { Controller } from '@nestjs/common';
import { requireCanGrant } from '../accounts/giving.js';
import type { Context } from '../../engine/contract/context.js';
import { Operation, type Operations } from '../../engine/contract/operation.js';
import { found } from '../../engine/errors/errors.js';
import type { Page, Slice } from '../../generated/contract.js';
import type {
  ClientCreate,
  ClientRotate,
  GetClientPath,
  ListClientsQuery,
  ListClientsV2Query,
  RevokeClientPath,
  RotateClientSecretPath,
} from '../../generated/dto.js';
import { scopesOf, type Client, type IssuedClient } from './client.entity.js';
import { ClientsRepository } from './clients.repository.js';

declare module '../../engine/contract/complete.js' {
  interface Controllers {
    clients: ClientsController;
  }
}

type Handled =
  'listClients' | 'listClientsV2' | 'createClient' | 'getClient' | 'revokeClient' | 'rotateClientSecret';

@Controller()
export class ClientsController implements Pick<Operations, Handled> {
  constructor(private readonly clients: ClientsRepository) {}

  @Operation('listClients')
  listClients({ page, limit }: ListClientsQuery): Promise<Page<Client>> {
    return this.clients.pageWhere({}, { page, limit }, 'ask for smaller pages');
  }

  @Operation('listClientsV2')
  listClientsV2({ limit }: ListClientsV2Query, { position }: Context): Promise<Slice<Client>> {
    return this.clients.sliceWhere({}, { position, limit });
  }

  @Operation('createClient')
  async createClient(body: ClientCreate, context: Context): Promise<IssuedClient> {
    requireCanGrant(context.principal, { scopes: body.scopes, expiresAt: null });
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
  async getClient({ id }: GetClientPath): Promise<Client> {
    return found(await this.clients.find(id), 'client', id);
  }

  @Operation('revokeClient')
  async revokeClient({ id }: RevokeClientPath, context: Context): Promise<Client> {
    return found(await this.clients.revoke(id, context), 'client', id);
  }

  @Operation('rotateClientSecret')
  async rotateClientSecret(
    { id }: RotateClientSecretPath,
    { overlap_seconds }: ClientRotate,
    context: Context,
  ): Promise<IssuedClient> {
    const mayHave = (client: Client) =>
      requireCanGrant(context.principal, { scopes: scopesOf(client), expiresAt: null });
    return found(await this.clients.rotate(id, overlap_seconds * 1000, mayHave, context), 'client', id);
  }
}
