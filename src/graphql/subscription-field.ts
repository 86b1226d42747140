import { SetMetadata } from '@nestjs/common';
import { Subscription } from '@nestjs/graphql';
import { fieldPolicy } from '../auth/policy.js';
import { FIELDS, type RootField as RootFieldName } from '../generated/fields.js';
import type { Resolvers, SubscriptionResolver } from '../generated/graphql.js';
import type { GraphqlContext } from './context.js';
import { argumentsOf, FIELD, type NameIn } from './field.js';
import { filtered } from './streams.js';

type SubscriptionName = Extract<RootFieldName, `Subscription.${string}`>;
/** What a method gets and what its events are, as the contract has them. */
type Typed<N> = N extends `Subscription.${infer F}`
  ? Resolvers extends { Subscription: infer S }
    ? F extends keyof S
      ? S[F] extends SubscriptionResolver<infer R, F & string, infer _P, infer _C, infer A>
        ? (args: A, context: GraphqlContext) => AsyncIterable<R>
        : never
      : never
    : never
  : never;

/**
 * Binds a method to the subscription of the same name. It returns the events from now on, usually
 * `this.pubSub.subscribe('newOrder')`: each is what the field resolves to. Access and the validation of the arguments
 * come from the contract; access is asked again at each event, before anything of it is read, and who may only see its own
 * rows gets no others.
 *
 * Do not write the method as a generator: its `return` would wait for the next event before anything is released.
 */
export function SubscriptionField<N extends SubscriptionName>(name: N) {
  return <F extends Typed<N>>(
    target: object,
    key: NameIn<N>,
    descriptor: TypedPropertyDescriptor<F>,
  ): void => {
    const field = FIELDS[name] as (typeof FIELDS)[string];
    const policy = fieldPolicy(field);
    const method = descriptor.value as unknown as (
      args: unknown,
      context: GraphqlContext,
    ) => AsyncIterable<unknown>;
    descriptor.value = function bound(
      this: unknown,
      _root: unknown,
      args: Record<string, unknown>,
      context: GraphqlContext,
    ) {
      const events = method.call(this, argumentsOf(field, args), context);
      return filtered(events[Symbol.asyncIterator](), (event) => {
        const reach = policy.reachOf(context.principal);
        return policy.owner === null || reach.covers((event as Record<string, unknown>)[policy.owner.name]);
      });
    } as unknown as F;
    SetMetadata(FIELD, name)(descriptor.value as object as never);
    Subscription(key, { resolve: (event: unknown) => event })(target, key, descriptor);
  };
}
