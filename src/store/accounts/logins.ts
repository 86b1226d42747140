import { Injectable } from '@nestjs/common';
import { UsersRepository } from '../users/users.repository.js';
import { Passwords } from '../users/passwords.js';
import { attemptsOf, LoginThrottle } from '../users/login-throttle.js';
import { CredentialCache } from '../../engine/access/credential-cache.js';

/**
 * The time for which a right password is remembered. Each request contains the password, and the slow hash of a
 * password takes as long as forty requests.
 */
const KEPT_MS = 5 * 60_000;

type Credential = NonNullable<Awaited<ReturnType<UsersRepository['findCredential']>>>;

/**
 * Checks the e-mail address and the password of a caller, for every door. So a caller who guesses is slowed down at
 * every door.
 */
@Injectable()
export class Logins {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly known: CredentialCache,
    private readonly tries: LoginThrottle,
  ) {}

  /**
   * The user that has this e-mail address and password; null when there is none.
   *
   * @param isSuspect whether the address has no requests left. If so, only a password that is remembered as right is
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
    // The cache remembers a right password under these texts. The stored hash is one of them, and it changes with the
    // password. So the entry of an old password is never found again.
    const right = user && hash !== null ? ['password', String(user.id), password, hash] : null;
    if (right && this.known.isNoted(right)) return user;
    // The address has no requests left. If the password were checked now, the answer would show whether a guess is
    // right.
    if (isSuspect) return null;
    const isRight = await this.tries.run(
      attemptsOf(user?.id ?? email, ip),
      async () => (await this.passwords.isRight(password, hash)) && (await this.isStill(user, email)),
    );
    if (!isRight || !right) return null;
    this.known.note(right, KEPT_MS);
    return user;
  }

  /** An attempt may wait for a minute. In this time the user may have got another password or e-mail address. */
  private async isStill(user: Credential | null, email: string): Promise<boolean> {
    const now = await this.users.findCredential(email);
    return now?.id === user?.id && now?.passwordHash === user?.passwordHash;
  }
}
