import { Module } from '@nestjs/common';
import { Passwords } from './passwords.js';
import { Tries } from './tries.js';

/** Hashes of passwords, and the brake on guessing them; see `LoginsModule` for signing in. */
@Module({ providers: [Passwords, Tries], exports: [Passwords, Tries] })
export class PasswordsModule {}
