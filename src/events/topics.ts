/**
 * What can be published, by topic; a topic is called like the field of `Subscription` that it feeds. Each feature adds
 * its own: `declare module '../events/topics.js' { interface Topics { newOrder: Order } }`.
 */
export interface Topics {}

export type Topic = Extract<keyof Topics, string>;
