import type { PartsOf } from '../../generated/contract.js';
import type { RootField } from '../../generated/fields.js';
import type { Resolvers, ResolversParentTypes, Scalars } from '../../generated/graphql.js';
import type { Operations } from './operation.js';

type KeysOfEach<T> = T extends unknown ? keyof T : never;
type NameOf<N> = N extends `${string}.${infer F}` ? F : never;

type Unhandled = Exclude<keyof Operations, KeysOfEach<PartsOf<'controllers'>>>;
type Unresolved = Exclude<NameOf<RootField>, KeysOfEach<PartsOf<'resolvers'>>>;

type TypeName = Exclude<
  keyof Resolvers & keyof ResolversParentTypes,
  'Query' | 'Mutation' | 'Subscription' | keyof Scalars
>;
/** The fields that subscriptions fill; see `TypeFields`. */
type OfEvents = 'change' | 'cursor';
/** The fields below the root that are neither a method of a resolver nor a member of the row. */
type Unfilled = {
  [T in TypeName]: `${T}.${Exclude<
    keyof NonNullable<Resolvers[T]> & string,
    keyof ResolversParentTypes[T] | KeysOfEach<PartsOf<'resolvers'>> | OfEvents
  >}`;
}[TypeName];

// If an operation or a field of a contract is in no class of a feature, the compiler fails here, and its error names
// the operation or the field. A field below the root that nothing fills would always be null.
true satisfies [Unhandled] extends [never] ? true : [Unhandled];
true satisfies [Unresolved] extends [never] ? true : [Unresolved];
true satisfies [Unfilled] extends [never] ? true : [Unfilled];
