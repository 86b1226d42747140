import { Controller } from '@nestjs/common';
import { asRead, wantedBy, type Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import { NotFound, ValidationFailed } from '../../engine/errors/errors.js';
import type * as dto from '../../generated/dto.js';
import { UserPasswords } from './user-passwords.js';
import { UsersRepository } from './users.repository.js';

@Controller()
export class UsersController {
  constructor(
    private readonly users: UsersRepository,
    private readonly passwords: UserPasswords,
  ) {}

  @Operation('listUsers')
  listUsers({ page, limit, email }: dto.ListUsersQuery) {
    return this.users.list({ page, limit, email });
  }

  @Operation('listUsersV2')
  listUsersV2({ limit, email, q }: dto.ListUsersV2Query, { position, asker }: Context) {
    return this.users.sliceOf({ email, q, asker }, { position, limit });
  }

  @Operation('exportUsers')
  exportUsers({ asker }: Context) {
    return { batches: this.users.all(asker) };
  }

  @Operation('createUser')
  async createUser(body: dto.UserCreate, context: Context) {
    return this.users.create(await this.passwords.hashedNew(body, context), context);
  }

  @Operation('getUser')
  getUser({ id }: dto.GetUserPath) {
    return this.users.find(id);
  }

  @Operation('getUserByShortAddress')
  getUserByShortAddress({ id }: dto.GetUserByShortAddressPath) {
    return this.users.find(id);
  }

  @Operation('getMe')
  async getMe({ principal: { userId } }: Context) {
    const user = userId === null ? null : await this.users.find(userId);
    if (user === null) throw new NotFound('The credential belongs to no user.');
    return user;
  }

  @Operation('replaceUser')
  async replaceUser({ id }: dto.ReplaceUserPath, body: dto.UserReplace, context: Context) {
    const changes = await this.passwords.hashedChanges(id, changesIn(body), context);
    return this.users.update(id, asRead(changes, context), context);
  }

  @Operation('updateUser')
  async updateUser({ id }: dto.UpdateUserPath, body: dto.UserUpdate, context: Context) {
    const changes =
      context.patch === null
        ? asRead(await this.passwords.hashedChanges(id, changesIn(body), context), context)
        : wantedBy(body, context, shownChangesIn);
    return this.users.update(id, changes, context);
  }

  @Operation('deleteUser')
  deleteUser({ id }: dto.DeleteUserPath, { anonymise }: dto.DeleteUserQuery, context: Context) {
    return anonymise ? this.users.anonymise(id, context) : this.users.delete(id, context);
  }

  @Operation('endSignIns')
  endSignIns({ id }: dto.EndSignInsPath, context: Context) {
    return this.users.signOut(id, context);
  }
}

function changesIn(body: dto.UserUpdate | dto.UserReplace) {
  const { name, email, password, current_password: currentPassword, revoke_keys: revokeKeys } = body;
  return { name, email, password, currentPassword, revokeKeys };
}

/**
 * The changes in a JSON patch. It cannot set a password, because the patched document has no password, and hashing a
 * password takes too long for an act.
 *
 * @throws ValidationFailed
 */
function shownChangesIn({ name, email, password, current_password, revoke_keys }: dto.UserUpdate) {
  const given = { password, current_password, revoke_keys };
  const detail = 'cannot be set by a JSON patch: send it in a body of application/json';
  const faults = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([member]) => ({ pointer: `#/${member}`, code: 'NOT_ALLOWED', detail }));
  if (faults.length > 0) throw new ValidationFailed(faults);
  return { name, email };
}
