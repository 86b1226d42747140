import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DatabaseModule } from '../database/database.module.js';
import { ApiKeys1763700000001 } from '../database/migrations/1763700000001-api-keys.js';
import { KeysOfUsers1763700000006 } from '../database/migrations/1763700000006-keys-of-users.js';
import { EndsOfKeys1763700000007 } from '../database/migrations/1763700000007-ends-of-keys.js';
import { AccessGuard } from './access.guard.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeyV1, IssuedApiKeyV1 } from './api-key.representation.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BasicStrategy } from './basic.strategy.js';
import { PasswordsModule } from './passwords.module.js';
import { Tries } from './tries.js';
import { UsersModule } from '../users/users.module.js';
import { VerifiedPasswords } from './verified-passwords.js';
import { Credentials } from './credentials.js';
import { HeldCredentials } from './held-credentials.js';
import { KeyUses } from './key-uses.js';

/** From a credential to a principal (`Credentials`), and from a principal to what it may do (`AccessGuard`). */
@Global()
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [ApiKey],
      migrations: [ApiKeys1763700000001, KeysOfUsers1763700000006, EndsOfKeys1763700000007],
    }),
    PasswordsModule,
    UsersModule,
  ],
  controllers: [ApiKeysController],
  providers: [
    ApiKeysRepository,
    ApiKeyStrategy,
    BasicStrategy,
    VerifiedPasswords,
    Tries,
    ApiKeyV1,
    IssuedApiKeyV1,
    KeyUses,
    Credentials,
    HeldCredentials,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [ApiKeysRepository, Credentials, HeldCredentials],
})
export class AuthModule {}
