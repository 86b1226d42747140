import { SetMetadata } from '@nestjs/common';
import { Mutation, Query } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { fieldPolicy, type Policy } from '../access/policy.js';
import { Precondition } from '../contract/context.js';
import { validate } from '../contract/validate.js';
import type { Origin } from '../database/transaction.js';
import { NotFound, ValidationFailed } from '../errors/errors.js';
import { FIELDS, type Field, type RootField as RootFieldName } from '../../generated/fields.js';
import type { Resolvers } from '../../generated/graphql.js';
import { IdempotentAct } from '../idempotency/idempotent-act.js';
import type { GraphqlContext } from './context.js';

type ResolverFn<T extends keyof Resolvers, F> = F extends keyof NonNullable<Resolvers[T]>
  ? Extract<NonNullable<NonNullable<Resolvers[T]>[F]>, (...input: never[]) => unknown>
  : never;
type Named<N extends string> = N extends `${infer T extends keyof Resolvers}.${infer F}`
  ? ResolverFn<T, F>
  : never;
export type NameIn<N extends string> = N extends `${string}.${infer F}` ? F : never;

/** Fields of `Query` and `Mutation`; see `SubscriptionField` for the fields of `Subscription`. */
type RootName = Exclude<RootFieldName, `Subscription.${string}`>;

type RootMethod<N extends RootName> = (
  args: Parameters<Named<N>>[1],
  context: GraphqlContext,
  info: GraphQLResolveInfo,
) => ReturnType<Named<N>>;

/** A field below the root, such as `Product.price`. */
type TypeFieldName = Exclude<
  {
    [T in keyof Resolvers]: `${T}.${keyof NonNullable<Resolvers[T]> & string}`;
  }[keyof Resolvers],
  RootFieldName
>;

/** The method gets no `GraphQLResolveInfo`, because compiled code makes none for each row. */
type TypeFieldMethod<N extends TypeFieldName> = (
  parent: Parameters<Named<N>>[0],
  args: Parameters<Named<N>>[1],
  context: GraphqlContext,
) => ReturnType<Named<N>>;

export const FIELD = 'contract:field';

/** The fields of `Query` whose value changes without a commit, for example because it depends on the time. */
export const CHANGING = new Set<string>();

/**
 * Binds a method to the root field of the same name. Access and the validation of its arguments come from the contract.
 * The method gets the validated arguments (with ids as numbers), the context, and the `GraphQLResolveInfo`.
 *
 * @param isChanging whether the value of a query may change without a commit to the database. If false, the value
 *   depends only on the arguments, the rights of the caller and the committed data, and results are cached; see
 *   `KeptResults`.
 */
export function RootField<N extends RootName>(name: N, { isChanging = false } = {}) {
  if (isChanging) CHANGING.add(name);
  return <F extends RootMethod<N>>(
    target: object,
    key: NameIn<N>,
    descriptor: TypedPropertyDescriptor<F>,
  ): void => {
    const field = FIELDS[name] as Field;
    const policy = fieldPolicy(field);
    const method = descriptor.value as (
      args: unknown,
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) => unknown;
    // The method is wrapped here. Nest's guard runs before this wrapper, so that 403 comes before 400, as in REST.
    descriptor.value = function bound(
      this: unknown,
      _root: unknown,
      args: Record<string, unknown>,
      context: GraphqlContext,
      info: GraphQLResolveInfo,
    ) {
      const reach = policy.rowAccessOf(context.principal);
      const given = argumentsOf(field, args);
      if (!policy.isThere(reach, statedOwner(policy, given))) return null;
      const own = {
        ...context,
        reach,
        origin: originIn(context, name, given),
        precondition: preconditionIn(given),
      };
      const result = method.call(this, given, own, info);
      return field.type === 'Mutation' && result instanceof Promise ? result.catch(nullIfMissing) : result;
    } as unknown as F;
    SetMetadata(FIELD, name)(descriptor.value as object as never);
    (field.type === 'Query' ? Query : Mutation)(key)(target, key, descriptor);
  };
}

/** If the row of a mutation does not exist, the result of the mutation is null, like the result of a query. */
function nullIfMissing(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}

function originIn(context: GraphqlContext, name: string, given: object): Origin {
  const { idempotencyKey: key, principal, origin } = context;
  return key === null ? origin : { ...origin, keyed: new IdempotentAct(key, principal, name, given) };
}

/** `expectedVersion` does in GraphQL what `If-Match` does in REST. */
function preconditionIn({ expectedVersion }: { readonly expectedVersion?: number | null }): Precondition {
  return expectedVersion == null
    ? Precondition.NONE
    : new Precondition({ match: new Set([expectedVersion]) });
}

/** The value of the argument, or of the field of the parent object, that names the owner. */
function statedOwner({ owner }: Policy, from: unknown): unknown {
  return owner === null ? undefined : (from as Readonly<Record<string, unknown>>)[owner.name];
}

/**
 * Validates arguments. A query or a subscription treats null as absent, because clients send null for variables that
 * they did not set. For a mutation null may be a value.
 *
 * @throws ValidationFailed
 */
export function argumentsOf({ type, args: dto }: Field, args: Record<string, unknown>): object {
  if (!dto) return args;
  const result = validate(dto, type === 'Mutation' ? args : withoutNulls(args), 'args');
  if ('faults' in result) throw new ValidationFailed(result.faults);
  return result.value;
}

function withoutNulls(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/**
 * Binds a method to a field below the root. A field needs a method if the entity has no property with the name and the
 * data of the field, or if some callers may not see the data. If the field is marked `@auth`, the rights of the caller
 * are checked before the method is called. Without the right, the field is refused; a field with data of another user
 * is null. The arguments are validated. Nest is not involved (see `TypeFields`), because its guards would run for every
 * field of every row.
 */
export function TypeField<N extends TypeFieldName>(name: N) {
  return <F extends TypeFieldMethod<N>>(
    _target: object,
    _key: NameIn<N>,
    descriptor: TypedPropertyDescriptor<F>,
  ): void => {
    const field = FIELDS[name] as Field;
    if (field.args) descriptor.value = validated(field, descriptor.value as F);
    if (isGuarded(field)) descriptor.value = guarded(field, descriptor.value as F);
    SetMetadata(FIELD, name)(descriptor.value as object as never);
  };
}

type TypeMethod = (parent: unknown, args: Record<string, unknown>, context: GraphqlContext) => unknown;

function validated<F>(field: Field, method: F): F {
  return function bound(this: unknown, ...[parent, args, context]: Parameters<TypeMethod>) {
    return (method as TypeMethod).call(this, parent, argumentsOf(field, args) as typeof args, context);
  } as F;
}

function guarded<F>(field: Field, method: F): F {
  const policy = fieldPolicy(field);
  return function bound(this: unknown, ...[parent, args, context]: Parameters<TypeMethod>) {
    const reach = policy.rowAccessOf(context.principal);
    if (!policy.isThere(reach, statedOwner(policy, parent))) return null;
    return (method as TypeMethod).call(this, parent, args, context);
  } as F;
}

/** Whether a caller that is allowed to see the object needs one more right to use the field. */
export function isGuarded({ access }: Field): boolean {
  return access !== null && access !== 'public';
}

/** The field of the schema that a method is bound to. */
export function fieldOf(handler: object): string | undefined {
  return Reflect.getMetadata(FIELD, handler) as string | undefined;
}
