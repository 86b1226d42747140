import { Injectable } from '@nestjs/common';
import { isCommon } from '../auth/common-passwords.js';
import { Passwords } from '../auth/passwords.js';
import type { Principal } from '../auth/principal.js';
import { Forbidden, ValidationFailed } from '../errors.js';
import { UsersRepository, type NewUser, type UserChanges } from './users.repository.js';

type Given<T> = Omit<T, 'passwordHash'> & { readonly password?: string | undefined };

/**
 * Makes a hash of a password that somebody is given, before it is stored: it takes long, and no act on the database may
 * wait for it.
 */
@Injectable()
export class UserPasswords {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
  ) {}

  /**
   * @throws ValidationFailed for what everybody tries first
   * @throws Unavailable when too many are being hashed already
   */
  async hashedNew({ name, email, password }: Given<NewUser>): Promise<NewUser> {
    return { name, email, passwordHash: await this.hashOf(password, [name, email]) };
  }

  /**
   * The same for changes of a user; of one who is not there nothing is hashed.
   *
   * @throws Forbidden for a program that acts in the name of the user, who would be shut out by it
   * @throws ValidationFailed
   * @throws Unavailable
   */
  async hashedChanges(
    id: number,
    { name, email, password }: Given<UserChanges>,
    { delegated }: Principal,
  ): Promise<UserChanges> {
    if (password === undefined) return { name, email };
    if (delegated !== null) {
      throw new Forbidden([], 'The password is changed by the user alone, not by a program in its name.');
    }
    const user = await this.users.find(id);
    if (!user) return { name, email };
    const passwordHash = await this.hashOf(password, [user.name, user.email, name ?? '', email ?? '']);
    return { name, email, passwordHash };
  }

  private async hashOf(password: string | undefined, known: readonly string[]): Promise<string | undefined> {
    if (password === undefined) return undefined;
    if (isCommon(password, known)) {
      const detail = 'must not be what everybody tries first, nor the name or e-mail address';
      throw new ValidationFailed([{ pointer: '#/password', code: 'TOO_COMMON', detail }]);
    }
    return this.passwords.hash(password);
  }
}
