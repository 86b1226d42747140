import type { User } from '../../store/users/user.entity.js';
import type { UsersRepository } from '../../store/users/users.repository.js';
import { idOrNull } from './arguments.js';
import { WrongUsage } from '../../store/transfer/failure.js';

/** The values that name a user on the command line, for `--help`. */
export const WHO = 'the id or the e-mail address';

/** @throws WrongUsage, NotFound */
export async function userOf(users: UsersRepository, who: string): Promise<User> {
  const { found, NotFound } = await import('../../engine/errors/errors.js');
  if (!who.includes('@')) {
    const id = idOrNull(who);
    if (id === null) {
      throw new WrongUsage('Name the user by the id (a whole number) or by the e-mail address.');
    }
    return found(await users.find(id), 'user', id);
  }
  const { items } = await users.list({ page: 1, limit: 1, email: who });
  if (items[0]) return items[0];
  throw new NotFound(`There is no user with the e-mail address ${who}.`);
}
