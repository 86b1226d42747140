import { Injectable } from '@nestjs/common';
import { isCommon } from './common-passwords.js';
import { Passwords } from './passwords.js';
import type { Context } from '../../engine/contract/context.js';
import { LoginThrottle, attemptsOf } from './login-throttle.js';
import { Forbidden, ValidationFailed } from '../../engine/errors/errors.js';
import { UsersRepository, type NewUser, type UserChanges } from './users.repository.js';

type Given<T> = Omit<T, 'passwordHash'> & { readonly password?: string | undefined };

type GivenChanges = Given<Omit<UserChanges, 'endsKeys' | 'presentHash'>> & {
  readonly currentPassword?: string | undefined;
  readonly revokeKeys?: boolean | undefined;
};

type Caller = Pick<Context, 'principal' | 'ip' | 'confirm'>;

/** Hashes a new password before it is stored. Hashing takes long, and no act on the database may wait for it. */
@Injectable()
export class UserPasswords {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: Passwords,
    private readonly tries: LoginThrottle,
  ) {}

  /**
   * @throws ValidationFailed for a password that attackers try first
   * @throws Unavailable when too many hashes are being computed already
   * @throws the same errors as `Context.confirm`
   */
  async hashedNew({ name, email, password }: Given<NewUser>, { confirm }: Caller): Promise<NewUser> {
    if (password === undefined) return { name, email, passwordHash: undefined };
    const passwordHash = await this.hashOf(password, [name, email]);
    await confirm();
    return { name, email, passwordHash };
  }

  /**
   * Hashes the new password, if the changes of a user have one. If the user does not exist, nothing is hashed.
   *
   * @param pointer the JSON pointer to the present password in the request
   * @throws Forbidden when the present password is needed, and is missing or wrong
   * @throws ValidationFailed
   * @throws Unavailable
   * @throws the same errors as `Context.confirm`
   */
  async hashedChanges(
    id: number,
    { name, email, password, currentPassword, revokeKeys = false }: GivenChanges,
    caller: Caller,
    pointer = '#/current_password',
  ): Promise<UserChanges> {
    if (password === undefined) return { name, email };
    const user = await this.users.find(id);
    if (!user) return { name, email };
    // The hash is read before the checks, which may wait for long. The act of the change reads the stored hash again,
    // and compares it with this one. So a password that is set after the last check of the credential is noticed.
    const presentHash = caller.principal.userId === id ? await this.users.passwordHashOf(id) : undefined;
    if (presentHash !== undefined)
      await this.requireOwnPassword(id, presentHash, currentPassword, caller, pointer);
    const passwordHash = await this.hashOf(password, [user.name, user.email, name ?? '', email ?? '']);
    await caller.confirm();
    return { name, email, passwordHash, endsKeys: revokeKeys, presentHash };
  }

  /**
   * Requires the present password if a user sets a new password without a Basic credential: with an API key, for
   * example, or through a program, such as the pages. The credential of the request may end soon. A password does not
   * end, and a caller who has it can make keys that do not end. So a stolen credential must not be enough to set a
   * password.
   */
  private async requireOwnPassword(
    id: number,
    hash: string | null,
    current: string | undefined,
    { principal, ip }: Caller,
    pointer: string,
  ): Promise<void> {
    if (principal.scheme === 'basic') return;
    if (current === undefined) {
      throw new Forbidden(
        [],
        'A new password needs the present one. Send the present password in a Basic credential, or beside the new password.',
        [{ pointer, code: 'REQUIRED', detail: 'must be the present password' }],
      );
    }
    // The attempts wait in the same queue as those of Basic and of the sign-in. A queue for each key would not delay a
    // caller with a stolen key, because it can make more keys.
    const isRight = await this.tries.run(attemptsOf(id, ip), () => this.passwords.isRight(current, hash));
    if (!isRight) {
      const fault = { pointer, code: 'WRONG_PASSWORD', detail: 'is not the present password' };
      throw new Forbidden([], 'The present password is wrong.', [fault]);
    }
  }

  private async hashOf(password: string, known: readonly string[]): Promise<string> {
    if (isCommon(password, known)) {
      const detail = 'must not be a very common password, the name or the e-mail address';
      throw new ValidationFailed([{ pointer: '#/password', code: 'TOO_COMMON', detail }]);
    }
    return this.passwords.hash(password);
  }
}
