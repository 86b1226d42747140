import { Module } from '@nestjs/common';
import { Passwords } from './passwords.js';
import { LoginThrottle } from './login-throttle.js';

/** Hashes passwords, and slows down clients that guess them; see `LoginsModule` for signing in. */
@Module({ providers: [Passwords, LoginThrottle], exports: [Passwords, LoginThrottle] })
export class PasswordsModule {}
