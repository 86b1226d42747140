import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { SigningKeys1763700000012 } from '../../engine/database/migrations/1763700000012-signing-keys.js';
import { Revocations1763700000013 } from '../../engine/database/migrations/1763700000013-revocations.js';
import { SigningKeyVersions1763700000023 } from '../../engine/database/migrations/1763700000023-signing-key-versions.js';
import { CredentialCache } from '../../engine/access/credential-cache.js';
import { CredentialChanges } from '../../engine/access/credential-changes.js';
import { ForgottenRevocations } from './revocations.purge.js';
import { Revocation } from './revocation.entity.js';
import { Revocations } from './revocations.js';
import { SigningKeys } from './signing-keys.js';
import { SigningKeysController } from './signing-keys.controller.js';
import { SigningKeysRepository } from './signing-keys.repository.js';
import { StoredKey } from './stored-key.entity.js';

declare module '../../generated/contract.js' {
  interface Features {
    tokens: { entities: { StoredKey: StoredKey }; controllers: SigningKeysController };
  }
}

/**
 * The keys that sign tokens, and the revocations of issued tokens. This module must not import `UsersModule`, because
 * `UsersModule` imports this module.
 */
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [StoredKey, Revocation],
      migrations: [SigningKeys1763700000012, Revocations1763700000013, SigningKeyVersions1763700000023],
    }),
  ],
  controllers: [SigningKeysController],
  providers: [
    CredentialChanges,
    CredentialCache,
    SigningKeys,
    SigningKeysRepository,
    Revocations,
    ForgottenRevocations,
  ],
  exports: [CredentialChanges, CredentialCache, SigningKeys, Revocations],
})
export class KeysModule {}
