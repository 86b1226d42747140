import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { DatabaseModule } from '../database/database.module.js';
import { ApiKeys1763700000001 } from '../database/migrations/1763700000001-api-keys.js';
import { KeysOfUsers1763700000006 } from '../database/migrations/1763700000006-keys-of-users.js';
import { AccessGuard } from './access.guard.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { Credentials } from './credentials.js';

/** From a credential to a principal (`Credentials`), and from a principal to what it may do (`AccessGuard`). */
@Global()
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [ApiKey],
      migrations: [ApiKeys1763700000001, KeysOfUsers1763700000006],
    }),
  ],
  providers: [ApiKeysRepository, Credentials, { provide: APP_GUARD, useClass: AccessGuard }],
  exports: [ApiKeysRepository, Credentials],
})
export class AuthModule {}
