import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { Users1763700000003 } from '../../engine/database/migrations/1763700000003-users.js';
import { UserSearch1763700000024 } from '../../engine/database/migrations/1763700000024-user-search.js';
import { UserSearchIndex1763700000027 } from '../../engine/database/migrations/1763700000027-user-search-index.js';
import { KeysModule } from '../tokens/keys.module.js';
import { PasswordsModule } from './passwords.module.js';
import { Passwords1763700000008 } from '../../engine/database/migrations/1763700000008-passwords.js';
import { UserPasswords } from './user-passwords.js';
import { User } from './user.entity.js';
import './user.rows.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersResolver } from './users.resolver.js';
import type { Changes } from '../../engine/events/topics.js';

declare module '../../generated/contract.js' {
  interface Features {
    users: {
      entities: { User: User };
      controllers: UsersController;
      resolvers: UsersResolver;
      /** `user.anonymised`: the user is deleted, and the orders of the user stay without a user. */
      events: Changes<'user', User> & { 'user.anonymised': User };
    };
  }
}

/** The users: the people who buy. */
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [User],
      migrations: [
        Users1763700000003,
        Passwords1763700000008,
        UserSearch1763700000024,
        UserSearchIndex1763700000027,
      ],
    }),
    KeysModule,
    PasswordsModule,
  ],
  controllers: [UsersController],
  providers: [UserPasswords, UsersRepository, UsersResolver],
  exports: [UsersRepository],
})
export class UsersModule {}
