import { Injectable } from '@nestjs/common';
import { Represents, type Representation } from '../../engine/contract/representation.js';
import type { Represented } from '../../generated/contract.js';
import { isoOf } from '../../engine/values/moment.js';
import { listOf, scopesOf, type Client, type GrantType, type IssuedClient } from './client.entity.js';

@Injectable()
@Represents(['v1', 'v2'], 'Client')
export class ClientV1 implements Representation<'v1', 'Client'> {
  present(client: Client): Represented['v1']['Client'] {
    return {
      id: client.id,
      client_id: client.clientId,
      name: client.name,
      confidential: client.secretHash !== null,
      redirect_uris: listOf(client.redirectUris),
      grant_types: listOf<GrantType>(client.grantTypes),
      scopes: scopesOf(client),
      may_introspect: client.mayIntrospect,
      created_at: isoOf(client.createdAt),
      revoked_at: client.revokedAt && isoOf(client.revokedAt),
    };
  }
}

/** Only this representation has the secret of a client. */
@Injectable()
@Represents(['v1', 'v2'], 'IssuedClient')
export class IssuedClientV1 implements Representation<'v1', 'IssuedClient'> {
  constructor(private readonly clients: ClientV1) {}

  present({ client, secret }: IssuedClient): Represented['v1']['IssuedClient'] {
    return { ...this.clients.present(client), client_secret: secret };
  }
}
