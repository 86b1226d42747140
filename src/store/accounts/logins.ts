import { Injectable } from '@nestjs/common';
import { emailKey } from '../users/email-key.js';
import { networkOf } from '../../engine/rate-limits/network.js';
import { UsersRepository } from '../users/users.repository.js';
import { Passwords } from '../users/passwords.js';
import { LoginThrottle } from '../users/login-throttle.js';
import { VerifiedPasswords } from './verified-passwords.js';

/** The one place where a password is compared. So guessing is slowed at every door. */
@Injectable()
export class Logins {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly verified: VerifiedPasswords,
    private readonly tries: LoginThrottle,
  ) {}

  /**
   * The user that has this e-mail address and password; null when there is none.
   *
   * @param isSuspect whether too much was tried from this address: then only a password that is known to be right is
   *   accepted
   * @throws Unavailable when too many passwords are being tried
   */
  async find(
    email: string,
    password: string,
    ip: string,
    isSuspect = false,
  ): Promise<{ readonly id: number; readonly name: string } | null> {
    const user = await this.users.findCredential(email);
    const hash = user?.passwordHash ?? null;
    if (user && hash !== null && this.verified.isKnown(user.id, password, hash)) return user;
    // Trying the password would show whether it is right, and this is what the limit prevents.
    if (isSuspect) return null;
    const who = `${emailKey(email.trim())} ${networkOf(ip)}`;
    const isRight = await this.tries.run(who, () => this.passwords.isRight(password, hash));
    if (!isRight || !user || hash === null) return null;
    this.verified.remember(user.id, password, hash);
    return user;
  }
}
