import { SetMetadata } from '@nestjs/common';
import { Mutation, Query, ResolveField } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { validate } from '../contract/validate.js';
import { ValidationFailed } from '../errors.js';
import { FIELDS, type RootField as RootFieldName } from '../generated/fields.js';
import type { Resolvers } from '../generated/graphql.js';
import type { GraphqlContext } from './context.js';

type ResolverFn<T extends keyof Resolvers, F> = F extends keyof NonNullable<Resolvers[T]>
  ? Extract<NonNullable<NonNullable<Resolvers[T]>[F]>, (...input: never[]) => unknown>
  : never;
type Named<N extends string> = N extends `${infer T extends keyof Resolvers}.${infer F}`
  ? ResolverFn<T, F>
  : never;
type NameIn<N extends string> = N extends `${string}.${infer F}` ? F : never;

type RootMethod<N extends RootFieldName> = (
  args: Parameters<Named<N>>[1],
  context: GraphqlContext,
) => ReturnType<Named<N>>;

/** A field below the root, such as `Product.price`. */
type TypeFieldName = Exclude<
  {
    [T in keyof Resolvers]: `${T}.${keyof NonNullable<Resolvers[T]> & string}`;
  }[keyof Resolvers],
  RootFieldName
>;

const FIELD = 'contract:field';

/**
 * Binds a method to the root field of the same name: access and the validation of its arguments come from the
 * contract. The method gets the arguments, validated, with ids as numbers, and the context.
 */
export function RootField<N extends RootFieldName>(name: N) {
  return <F extends RootMethod<N>>(
    target: object,
    key: NameIn<N>,
    descriptor: TypedPropertyDescriptor<F>,
  ): void => {
    const { type, args: dto } = FIELDS[name] as (typeof FIELDS)[string];
    const method = descriptor.value as (args: unknown, context: GraphqlContext) => unknown;
    // A wrapper and not a pipe: Nest's guard comes before it, so that 403 comes before 400 as it does over REST.
    descriptor.value = function bound(
      this: unknown,
      _root: unknown,
      args: Record<string, unknown>,
      context: GraphqlContext,
      _info: GraphQLResolveInfo,
    ) {
      if (!dto) return method.call(this, args, context);
      const result = validate(dto, args, 'args');
      if ('faults' in result) throw new ValidationFailed(result.faults);
      return method.call(this, result.value, context);
    } as unknown as F;
    SetMetadata(FIELD, name)(descriptor.value as object as never);
    (type === 'Query' ? Query : Mutation)(key)(target, key, descriptor);
  };
}

/** Binds a method to a field below the root, for what an entity does not hold by that name. */
export function TypeField<N extends TypeFieldName>(name: N) {
  return <F extends Named<N>>(
    target: object,
    key: NameIn<N>,
    descriptor: TypedPropertyDescriptor<F>,
  ): void => {
    const { args: dto } = FIELDS[name] as (typeof FIELDS)[string];
    if (dto) {
      const method = descriptor.value as (parent: unknown, args: unknown, context: GraphqlContext) => unknown;
      descriptor.value = function bound(
        this: unknown,
        parent: unknown,
        args: Record<string, unknown>,
        context: GraphqlContext,
      ) {
        const result = validate(dto, args, 'args');
        if ('faults' in result) throw new ValidationFailed(result.faults);
        return method.call(this, parent, result.value, context);
      } as unknown as F;
    }
    SetMetadata(FIELD, name)(descriptor.value as object as never);
    ResolveField(key)(target, key, descriptor);
  };
}

/** The field of the schema that a method is bound to. */
export function fieldOf(handler: object): string | undefined {
  return Reflect.getMetadata(FIELD, handler) as string | undefined;
}
