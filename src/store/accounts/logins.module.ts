import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { Logins } from './logins.js';
import { PasswordsModule } from '../users/passwords.module.js';
import { VerifiedPasswords } from './verified-passwords.js';

/** The passwords of users, for every door that takes one. */
@Module({
  imports: [PasswordsModule, UsersModule],
  providers: [Logins, VerifiedPasswords],
  exports: [Logins],
})
export class LoginsModule {}
