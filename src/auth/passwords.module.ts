import { Module } from '@nestjs/common';
import { Passwords } from './passwords.js';

/** Apart from `AuthModule`, which needs users, who need it. */
@Module({ providers: [Passwords], exports: [Passwords] })
export class PasswordsModule {}
