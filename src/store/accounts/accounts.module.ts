import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { ApiKeys1763700000001 } from '../../engine/database/migrations/1763700000001-api-keys.js';
import { KeysOfUsers1763700000006 } from '../../engine/database/migrations/1763700000006-keys-of-users.js';
import { EndsOfKeys1763700000007 } from '../../engine/database/migrations/1763700000007-ends-of-keys.js';
import { Identities1763700000014 } from '../../engine/database/migrations/1763700000014-identities.js';
import { ApiKey, type IssuedApiKey } from './api-key.entity.js';
import { ApiKeyV1, IssuedApiKeyV1 } from './api-key.representation.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BasicStrategy } from './basic.strategy.js';
import { CredentialController } from './credential.controller.js';
import { IdentitiesController } from './identities.controller.js';
import { IdentitiesRepository } from './identities.repository.js';
import { Identity } from './identity.entity.js';
import { JwtStrategies } from './jwt.strategy.js';
import { OwnIssuer } from './own-issuer.js';
import { UsersModule } from '../users/users.module.js';
import { KeyUses } from './key-uses.js';
import { LoginsModule } from './logins.module.js';
import { KeysModule } from '../tokens/keys.module.js';

declare module '../../generated/contract.js' {
  interface Features {
    accounts: {
      entities: { ApiKey: ApiKey; IssuedApiKey: IssuedApiKey; Identity: Identity };
      controllers: ApiKeysController | CredentialController | IdentitiesController;
    };
  }
}

/** The credentials (API keys, passwords, tokens), and the links of users to their identities at outside issuers. */
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [ApiKey, Identity],
      migrations: [
        ApiKeys1763700000001,
        KeysOfUsers1763700000006,
        EndsOfKeys1763700000007,
        Identities1763700000014,
      ],
    }),
    KeysModule,
    LoginsModule,
    UsersModule,
  ],
  controllers: [ApiKeysController, CredentialController, IdentitiesController],
  providers: [
    ApiKeysRepository,
    ApiKeyStrategy,
    BasicStrategy,
    ApiKeyV1,
    IssuedApiKeyV1,
    IdentitiesRepository,
    KeyUses,
    OwnIssuer,
    JwtStrategies,
  ],
  exports: [ApiKeyStrategy, BasicStrategy, JwtStrategies],
})
export class AccountsModule {}
