import type { PartsOf } from '../../generated/contract.js';
import type { Resolvers, SubscriptionResolver } from '../../generated/graphql.js';
import type { StoreEvent } from './store-event.js';

/** All members of all parts, as one type. */
type Together<T> = (T extends unknown ? (part: T) => void : never) extends (whole: infer W) => void
  ? W
  : never;

type Rows = NonNullable<Resolvers['Subscription']>;
type EventsOf<R> =
  R extends SubscriptionResolver<infer E, string, infer _P, infer _C, infer _A>
    ? StoreEvent<Exclude<E, null | undefined | Promise<unknown>>>
    : never;

/**
 * The published values by topic. A topic has the name of the field of `Subscription` that it feeds. A feature can
 * declare other topics: `topics: { name: Value }` in its `Features`.
 */
export type Topics = { readonly [F in keyof Rows]: EventsOf<Rows[F]> } & Together<PartsOf<'topics'>> & {
    /** Every event of the log. */
    readonly everything: StoreEvent;
  };

export type Topic = Extract<keyof Topics, string>;

/**
 * The types of events, with their entities. Each feature declares its own types, and describes them by `defineEvents`:
 * `events: { 'order.created': Order }` in its `Features`.
 */
export type EventTypes = Together<PartsOf<'events'>>;

/** The events that a `VersionedTable` writes. */
export type Changes<N extends string, E> = { [T in `${N}.${'created' | 'updated' | 'deleted'}`]: E };

export type EventType = Extract<keyof EventTypes, string>;
