import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { Logins } from './logins.js';
import { PasswordsModule } from '../users/passwords.module.js';
import { KeysModule } from '../tokens/keys.module.js';

/** The passwords of users, for every door that takes one. */
@Module({
  imports: [KeysModule, PasswordsModule, UsersModule],
  providers: [Logins],
  exports: [Logins],
})
export class LoginsModule {}
