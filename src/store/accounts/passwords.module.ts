import { Module } from '@nestjs/common';
import { Passwords } from './passwords.js';
import { Tries } from './tries.js';

/** Apart from `AuthModule`, which needs users, who need it. */
@Module({ providers: [Passwords, Tries], exports: [Passwords, Tries] })
export class PasswordsModule {}
