import { Injectable } from '@nestjs/common';
import { emailKey } from '../users/email-key.js';
import { UsersRepository } from '../users/users.repository.js';
import { Passwords } from './passwords.js';
import { Tries } from './tries.js';
import { VerifiedPasswords } from './verified-passwords.js';

/** The one place where a password is compared: whoever guesses is slowed, whichever door it is tried at. */
@Injectable()
export class Logins {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly verified: VerifiedPasswords,
    private readonly tries: Tries,
  ) {}

  /**
   * Whose e-mail address and password they are; null when they are nobody's.
   *
   * @throws Unavailable when too many passwords are being tried
   */
  async find(
    email: string,
    password: string,
    ip: string,
  ): Promise<{ readonly id: number; readonly name: string } | null> {
    const user = await this.users.findCredential(email);
    const hash = user?.passwordHash ?? null;
    if (user && hash !== null && this.verified.isKnown(user.id, password, hash)) return user;
    const who = `${emailKey(email.trim())} ${networkOf(ip)}`;
    const isRight = await this.tries.run(who, () => this.passwords.isRight(password, hash));
    if (!isRight || !user || hash === null) return null;
    this.verified.remember(user.id, password, hash);
    return user;
  }
}

/** Who has one address of IPv6 has as many as it likes: the first 64 bits name the network. */
function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail] = ip.split('::', 2);
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return all.slice(0, 4).join(':');
}
