import { Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import type { Soon } from '../../generated/contract.js';
import type * as dto from '../../generated/dto.js';
import { Connections, type Connection } from '../../engine/graphql/connections.js';
import type { GraphqlContext } from '../../engine/graphql/context.js';
import { RootField } from '../../engine/graphql/field.js';
import type { User } from './user.entity.js';
import { UserPasswords } from './user-passwords.js';
import { UsersRepository } from './users.repository.js';

@Resolver('User')
export class UsersResolver {
  constructor(
    private readonly repository: UsersRepository,
    private readonly passwords: UserPasswords,
    private readonly connections: Connections,
  ) {}

  @RootField('Query.user')
  user({ id }: dto.QueryUserArgs): Soon<User | null> {
    return this.repository.find(id);
  }

  @RootField('Query.me')
  async me(_args: unknown, { principal: { userId } }: GraphqlContext): Promise<User | null> {
    return userId === null ? null : this.repository.find(userId);
  }

  @RootField('Query.users')
  async users({ page, limit, email }: dto.QueryUsersArgs): Promise<readonly User[]> {
    const { items } = await this.repository.list({ page, limit, email });
    return items;
  }

  @RootField('Query.usersConnection')
  usersConnection(
    args: dto.QueryUsersConnectionArgs,
    context: GraphqlContext,
    info: GraphQLResolveInfo,
  ): Promise<Connection<User>> {
    const { email, q } = args;
    return this.connections.of(args, { email, q }, context, info, (piece) =>
      this.repository.sliceOf({ email, q, asker: context.asker }, piece),
    );
  }

  @RootField('Mutation.createUser')
  async createUser(args: dto.MutationCreateUserArgs, context: GraphqlContext): Promise<User> {
    return this.repository.create(await this.passwords.hashedNew(args, context), context);
  }

  @RootField('Mutation.updateUser')
  async updateUser(args: dto.MutationUpdateUserArgs, context: GraphqlContext): Promise<User | null> {
    const { id } = args;
    const changes = await this.passwords.hashedChanges(id, args, context, '#/currentPassword');
    return this.repository.update(id, changes, context);
  }

  @RootField('Mutation.deleteUser')
  deleteUser({ id, anonymise }: dto.MutationDeleteUserArgs, context: GraphqlContext): Promise<User | null> {
    return anonymise ? this.repository.anonymise(id, context) : this.repository.delete(id, context);
  }
}
