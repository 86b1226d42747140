import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { Users1763700000003 } from '../../engine/database/migrations/1763700000003-users.js';
import { KeysModule } from '../tokens/keys.module.js';
import { PasswordsModule } from './passwords.module.js';
import { Passwords1763700000008 } from '../../engine/database/migrations/1763700000008-passwords.js';
import { UserPasswords } from './user-passwords.js';
import { User } from './user.entity.js';
import { UserV1, UserV2 } from './user.representation.js';
import { UsersController } from './users.controller.js';
import { UsersRepository } from './users.repository.js';
import { UsersResolver } from './users.resolver.js';

/** The users: the people who buy. */
@Module({
  imports: [
    DatabaseModule.forFeature({ entities: [User], migrations: [Users1763700000003, Passwords1763700000008] }),
    KeysModule,
    PasswordsModule,
  ],
  controllers: [UsersController],
  providers: [UserPasswords, UsersRepository, UsersResolver, UserV1, UserV2],
  exports: [UsersRepository],
})
export class UsersModule {}
