import { Resolver } from '@nestjs/graphql';
import { Precondition } from '../contract/context.js';
import type {
  MutationCreateUserArgs,
  MutationDeleteUserArgs,
  MutationUpdateUserArgs,
  QueryUserArgs,
  QueryUsersArgs,
} from '../generated/dto.js';
import type { GraphqlContext } from '../graphql/context.js';
import { RootField } from '../graphql/field.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

declare module '../contract/complete.js' {
  interface Resolvers {
    users: UsersResolver;
  }
}

@Resolver('User')
export class UsersResolver {
  constructor(private readonly repository: UsersRepository) {}

  @RootField('Query.user')
  user({ id }: QueryUserArgs): Promise<User | null> {
    return this.repository.find(id);
  }

  @RootField('Query.me')
  async me(_args: unknown, { principal: { userId } }: GraphqlContext): Promise<User | null> {
    return userId === null ? null : this.repository.find(userId);
  }

  @RootField('Query.users')
  async users({ page, limit, email }: QueryUsersArgs): Promise<readonly User[]> {
    const { items } = await this.repository.list({ page, limit, email });
    return items;
  }

  @RootField('Mutation.createUser')
  createUser({ name, email }: MutationCreateUserArgs): Promise<User> {
    return this.repository.create({ name, email });
  }

  @RootField('Mutation.updateUser')
  updateUser({ id, name, email }: MutationUpdateUserArgs): Promise<User | null> {
    return this.repository.update(id, { name, email }, Precondition.NONE);
  }

  @RootField('Mutation.deleteUser')
  deleteUser({ id, anonymise }: MutationDeleteUserArgs): Promise<User | null> {
    return this.repository.delete(id, anonymise, Precondition.NONE);
  }
}
