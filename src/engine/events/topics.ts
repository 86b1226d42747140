import type { StoreEvent } from './store-event.js';

/**
 * The published values by topic. A topic has the name of the field of `Subscription` that it feeds. Each feature adds
 * its own topics: `declare module '../../engine/events/topics.js' { interface Topics { newOrder: StoreEvent<Order> }
 * }`.
 */
export interface Topics {
  /** Every event of the log. */
  everything: StoreEvent;
}

export type Topic = Extract<keyof Topics, string>;

/**
 * The types of events, with their entities. Each feature adds its own types, and describes them by `defineEvents`:
 * `interface EventTypes { 'order.created': Order }`.
 */
export interface EventTypes {}

export type EventType = Extract<keyof EventTypes, string>;
