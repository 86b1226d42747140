import { SetMetadata } from '@nestjs/common';
import { Subscription } from '@nestjs/graphql';
import { fieldPolicy, type Policy } from '../access/policy.js';
import type { Principal } from '../access/principal.js';
import type { Only } from '../events/audience.js';
import type { Flow } from '../events/flow.js';
import { StoreEvent } from '../events/store-event.js';
import { FIELDS, type RootField as RootFieldName } from '../../generated/fields.js';
import type { Resolvers, SubscriptionResolver } from '../../generated/graphql.js';
import type { GraphqlContext } from './context.js';
import { argumentsOf, FIELD, type NameIn } from './field.js';
import { later } from './resume.js';
import { entityOf, Visible } from './visible.js';

type Events<R> = Promise<Flow<StoreEvent<R>>> | Flow<R>;
type SubscriptionName = Extract<RootFieldName, `Subscription.${string}`>;
/** The arguments and the events of the method, as in the contract. */
type Typed<N> = N extends `Subscription.${infer F}`
  ? Resolvers extends { Subscription: infer S }
    ? F extends keyof S
      ? S[F] extends SubscriptionResolver<infer R, F & string, infer _P, infer _C, infer A>
        ? (args: A, context: GraphqlContext) => Events<R>
        : never
      : never
    : never
  : never;

/**
 * Binds a method to the subscription of the same name. The method returns the values of the field, or events of the log
 * whose snapshots are these values. Usually it returns
 * `this.feed.follow('newOrder', after, context.asker, context.ownRows)`. Access and the validation of the arguments
 * come from the contract. Access is checked again at each event, before the event is read.
 *
 * A caller that may see only its own rows gets only the events of these rows. This holds even if the method does not
 * use `ownRows`, but then each event of another user costs time for this caller.
 *
 * The argument `after` of the method is the later one of two positions: the client's argument, and the position that
 * the connection states.
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
    ) => Flow<unknown> | Promise<Flow<unknown>>;
    descriptor.value = async function bound(
      this: unknown,
      _root: unknown,
      args: Record<string, unknown>,
      context: GraphqlContext,
    ) {
      const given = argumentsOf(field, args) as { readonly after?: number | null };
      const after = later(given.after ?? null, context.resume.positionOf(key));
      context.after = after;
      context.ownRows = ownRowsOf(policy, context.principal);
      const events = await method.call(this, after === null ? given : { ...given, after }, context);
      // A stream keeps only the caller of the context. The rest of the context has the text of the operation, and would
      // keep it in memory.
      return new Visible(events, policy, context.principal);
    } as unknown as F;
    SetMetadata(FIELD, name)(descriptor.value as object as never);
    Subscription(key, { resolve: entityOf })(target, key, descriptor);
  };
}

function ownRowsOf(policy: Policy, principal: Principal): Only | null {
  const { onlyOf } = policy.rowAccessOf(principal);
  return policy.owner === null || onlyOf === null ? null : { member: policy.owner.name, value: onlyOf };
}
