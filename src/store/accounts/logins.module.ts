import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { Logins } from './logins.js';
import { PasswordsModule } from '../users/passwords.module.js';
import { KeysModule } from '../tokens/keys.module.js';

/** The check of a user's password, for every door that takes a password. */
@Module({
  imports: [KeysModule, PasswordsModule, UsersModule],
  providers: [Logins],
  exports: [Logins],
})
export class LoginsModule {}
