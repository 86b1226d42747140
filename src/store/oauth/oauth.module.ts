import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { OAuthClients1763700000015 } from '../../engine/database/migrations/1763700000015-oauth-clients.js';
import { OAuthArtifacts1763700000016 } from '../../engine/database/migrations/1763700000016-oauth-artifacts.js';
import { OAuthArtifactSenders1763700000028 } from '../../engine/database/migrations/1763700000028-oauth-artifact-senders.js';
import { OAuthClientTokens1763700000029 } from '../../engine/database/migrations/1763700000029-oauth-client-tokens.js';
import { KeysModule } from '../tokens/keys.module.js';
import { LoginsModule } from '../accounts/logins.module.js';
import { UsersModule } from '../users/users.module.js';
import { ArtifactsRepository } from './artifacts.repository.js';
import { Interactions } from './interactions.js';
import { MetadataController } from './metadata.controller.js';
import { OAuthServer } from './oauth-server.js';
import { OAuthStrategy } from './oauth.strategy.js';
import { ExpiredArtifacts } from './artifacts.purge.js';
import { Client, type IssuedClient } from './client.entity.js';
import { ClientV1, IssuedClientV1 } from './client.representation.js';
import { ClientsController } from './clients.controller.js';
import { ClientsRepository } from './clients.repository.js';

declare module '../../generated/contract.js' {
  interface Features {
    oauth: {
      entities: { Client: Client; IssuedClient: IssuedClient };
      controllers: ClientsController | MetadataController;
    };
  }
}

/** The authorization server. It gives tokens to programs, which then act for themselves or in the name of a user. */
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [Client],
      migrations: [
        OAuthClients1763700000015,
        OAuthArtifacts1763700000016,
        OAuthArtifactSenders1763700000028,
        OAuthClientTokens1763700000029,
      ],
    }),
    KeysModule,
    LoginsModule,
    UsersModule,
  ],
  controllers: [ClientsController, MetadataController],
  providers: [
    ArtifactsRepository,
    ClientsRepository,
    ClientV1,
    ExpiredArtifacts,
    Interactions,
    IssuedClientV1,
    OAuthServer,
    OAuthStrategy,
  ],
  exports: [OAuthStrategy],
})
export class OAuthModule {}
