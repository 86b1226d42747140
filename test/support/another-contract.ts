import { Inject } from '@nestjs/common';
import { Resolver } from '@nestjs/graphql';
import { PubSub } from '../../src/events/pubsub.js';
import { QueryProductArgs } from '../../src/generated/dto.js';
import type { Field } from '../../src/generated/fields.js';
import type { GraphqlContext } from '../../src/graphql/context.js';
import { RootField, TypeField } from '../../src/graphql/field.js';
import { Flow } from '../../src/events/flow.js';
import { SubscriptionField } from '../../src/graphql/subscription-field.js';

/** What happens in this contract. */
export interface TestEvent {
  readonly id: number;
  readonly text?: string;
}

declare module '../../src/events/topics.js' {
  interface Topics {
    /** Of tests only. */
    testEvent: TestEvent;
  }
}

/** The contract with a type of its own, for whatever no feature of the store is there to show. */
export function extended(sdl: string): string {
  return `${sdl}
    type TestEvent { id: ID! text: String secret: String broken: String }
    extend type Query { lastTestEvent: TestEvent }
    ${sdl.includes('type Subscription') ? 'extend ' : ''}type Subscription {
      testEvent: TestEvent
      testEventOf(id: ID!): TestEvent
    }`;
}

const field = (type: string, name: string, access: Field['access'], args: Field['args'] = null): Field => ({
  type,
  field: name,
  access,
  cost: 1,
  costs: {},
  list: null,
  args,
});
const scopes = (...names: ('products:read' | 'products:write')[]) => ({ scopes: names, owner: null });

/** What the generator would write for it. */
export const FIELDS_OF_IT: Readonly<Record<string, Field>> = {
  'Query.lastTestEvent': field('Query', 'lastTestEvent', 'public'),
  'Subscription.testEvent': field('Subscription', 'testEvent', scopes('products:read')),
  'Subscription.testEventOf': field('Subscription', 'testEventOf', 'public', QueryProductArgs),
  'TestEvent.broken': field('TestEvent', 'broken', null),
  'TestEvent.secret': field('TestEvent', 'secret', scopes('products:write')),
};

// The compiler knows the generated fields only.
const root = RootField as unknown as (name: string) => MethodDecorator;
const below = TypeField as unknown as (name: string) => MethodDecorator;
const subscription = SubscriptionField as unknown as (name: string) => MethodDecorator;

/** Resolves it; written in a function, since the fields are looked up when the class is made. */
export function resolverOfIt() {
  @Resolver('TestEvent')
  class TestEvents {
    /** Of those that subscribed. */
    static readonly contexts: GraphqlContext[] = [];

    constructor(@Inject(PubSub) private readonly pubSub: PubSub) {}

    @root('Query.lastTestEvent')
    lastTestEvent(): TestEvent {
      return { id: 7, text: 'seen' };
    }

    @subscription('Subscription.testEvent')
    testEvent(_args: unknown, context: GraphqlContext): Flow<TestEvent> {
      TestEvents.contexts.push(context);
      return this.pubSub.subscribe('testEvent');
    }

    /** It has two bugs. */
    @subscription('Subscription.testEventOf')
    testEventOf({ id }: QueryProductArgs): Flow<TestEvent> {
      if (id === 13) throw new TypeError('secret detail of a bug');
      return new Broken({ id });
    }

    @below('TestEvent.secret')
    secret({ id }: TestEvent): string {
      return `secret of ${id}`;
    }

    @below('TestEvent.broken')
    broken(): string {
      throw new TypeError('secret detail of a bug');
    }
  }
  return TestEvents;
}

/** One event, then a bug. */
class Broken extends Flow<TestEvent> {
  private isTold = false;

  constructor(private readonly event: TestEvent) {
    super();
  }

  take(): IteratorResult<TestEvent, undefined> {
    if (this.isTold) throw new TypeError('secret detail of a bug');
    this.isTold = true;
    return { value: this.event, done: false };
  }

  whenReady(): void {}

  end(): void {}
}
