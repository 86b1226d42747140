import { Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { Logins } from './logins.js';
import { PasswordsModule } from '../users/passwords.module.js';
import { VerifiedPasswords } from './verified-passwords.js';

/** Passwords of users, for every door at which one is given. */
@Module({
  imports: [PasswordsModule, UsersModule],
  providers: [Logins, VerifiedPasswords],
  exports: [Logins],
})
export class LoginsModule {}
