import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Credentials, STRATEGIES, type Strategies } from '../engine/access/credentials.js';
import { ConnectionCredentials } from '../engine/access/connection-credentials.js';
import type { ReadToken } from '../engine/access/jwt.js';
import { AccessGuard } from '../store/accounts/access.guard.js';
import { AccountsModule } from '../store/accounts/accounts.module.js';
import { ApiKeyStrategy } from '../store/accounts/api-key.strategy.js';
import { BasicStrategy } from '../store/accounts/basic.strategy.js';
import { JwtStrategies } from '../store/accounts/jwt.strategy.js';
import { KeysModule } from '../store/tokens/keys.module.js';
import { OAuthModule } from '../store/oauth/oauth.module.js';
import { OAuthStrategy } from '../store/oauth/oauth.strategy.js';

/** Turns a credential into a principal (`Credentials`), and decides what a principal may do (`AccessGuard`). */
@Global()
@Module({
  imports: [AccountsModule, KeysModule, OAuthModule],
  providers: [
    {
      provide: STRATEGIES,
      inject: [ApiKeyStrategy, BasicStrategy, OAuthStrategy, JwtStrategies],
      useFactory: (
        apiKey: ApiKeyStrategy,
        basic: BasicStrategy,
        oauth: OAuthStrategy,
        jwt: JwtStrategies,
      ): Strategies => ({
        apiKey: () => apiKey,
        basic: () => basic,
        oauth: () => oauth,
        jwt: ({ token }) => jwt.for(token as ReadToken),
      }),
    },
    Credentials,
    ConnectionCredentials,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [Credentials, ConnectionCredentials],
})
export class AccessModule {}
