import type { StoreEvent } from './store-event.js';

/**
 * What is handed on, by topic; a topic is called like the field of `Subscription` that it feeds. Each feature adds its
 * own: `declare module '../../engine/events/topics.js' { interface Topics { newOrder: StoreEvent<Order> } }`.
 */
export interface Topics {
  /** Every event of the log. */
  everything: StoreEvent;
}

export type Topic = Extract<keyof Topics, string>;

/**
 * What can happen, and to what kind of entity. Each feature adds its own, and says more of them by `defineEvents`:
 * `interface EventTypes { 'order.created': Order }`.
 */
export interface EventTypes {}

export type EventType = Extract<keyof EventTypes, string>;
