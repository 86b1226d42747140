import { randomUUID } from 'node:crypto';
import {
  execute,
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { rightsOf, type Principal } from '../access/principal.js';
import { currentSpan, SpanForm } from '../tracing/span.js';
import { StoreEvent } from '../events/store-event.js';
import type { Weighed } from '../rate-limits/places.js';
import { contextOf } from './context.js';
import { shown } from './errors.js';
import { Pace } from './pace.js';
import { Selections, unitsOf, type Selection } from './selections.js';
import { Delivery, SharedResult } from './shared-result.js';

/**
 * A group weighs one unit (see `Weighed`) for each 5 of the cost of one event, and more units if its variables are long
 * (see `unitsOf`). The weight counts as long as the group has members.
 */
const COST_OF_A_UNIT = 5;
const SUBSCRIPTION = new SpanForm('subscription');
/** A shared result has no single caller. It comes from a subscription, which changes nothing and confirms nobody. */
const NO_CALLER = { ip: '', subject: null, confirm: () => Promise.resolve(null) };

export interface Subscribed {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variableValues: Readonly<Record<string, unknown>>;
  readonly principal: Principal;
  /** The cost of one event. */
  readonly cost: number;
}

/**
 * Subscribers with the same selection, variables and rights. The result of an event is computed once, for the first
 * subscriber that asks, and serialised once. The result is released when the event is released.
 */
export class Group implements Weighed {
  members = 0;
  private readonly results = new WeakMap<object, SharedResult>();

  constructor(
    readonly key: string,
    readonly selection: Selection,
    /** The weight of the group without the weight of the selection, because several groups may share the selection. */
    readonly weight: number,
    private readonly schema: GraphQLSchema,
    private readonly variableValues: Readonly<Record<string, unknown>>,
    private readonly principal: Principal,
    private readonly pace: Pace,
  ) {}

  resultOf(event: object): SharedResult {
    let result = this.results.get(event);
    if (result === undefined) {
      result = new SharedResult(() => this.pace.run(() => this.deliver(event)));
      this.results.set(event, result);
    }
    return result;
  }

  private deliver(event: object): Delivery | Promise<Delivery> {
    const delivery = event instanceof StoreEvent ? event.delivery : null;
    if (delivery === null) return this.execute(event);
    const span = delivery.child(SUBSCRIPTION, { 'store.subscribers': this.members });
    return span.around(() => this.execute(event));
  }

  /** Returns the result itself, and not a promise, if nothing has to be read from the database. */
  private execute(event: object): Delivery | Promise<Delivery> {
    const { schema, variableValues, principal } = this;
    const ids = { requestId: randomUUID(), trace: currentSpan()?.trace ?? null };
    const outcome = execute({
      schema,
      document: this.selection.document,
      variableValues,
      rootValue: event,
      contextValue: contextOf({ principal, ...NO_CALLER }, ids.requestId, ids),
    });
    const delivered = (result: ExecutionResult): Delivery => deliveryOf(event, shown(result, ids));
    return outcome instanceof Promise ? outcome.then(delivered) : delivered(outcome);
  }
}

function deliveryOf(event: object, result: FormattedExecutionResult): Delivery {
  if (!(event instanceof StoreEvent)) return new Delivery(JSON.stringify(result), null);
  const cursor = String(event.position);
  return new Delivery(JSON.stringify({ ...result, extensions: { cursor } }), cursor);
}

/** The groups that have members. */
export class SharedResults {
  private readonly groups = new Map<string, Group>();
  private readonly selections = new Selections();
  private readonly pace = new Pace();

  /** The number of groups, and of their selections. */
  get size(): { readonly groups: number; readonly selections: number } {
    return { groups: this.groups.size, selections: this.selections.size };
  }

  join({ schema, document, operation, variableValues, principal, cost }: Subscribed): Group {
    const { selection, variables } = this.selections.hold(schema, document, operation, variableValues);
    const given = JSON.stringify(variables);
    const key = JSON.stringify([rightsOf(principal), selection.id, given]);
    let group = this.groups.get(key);
    if (group === undefined) {
      const weight = Math.floor(cost / COST_OF_A_UNIT) + unitsOf(given.length);
      group = new Group(key, selection, weight, schema, variables, principal, this.pace);
      this.groups.set(key, group);
    }
    group.members += 1;
    return group;
  }

  leave(group: Group): void {
    group.members -= 1;
    this.selections.release(group.selection);
    if (group.members === 0) this.groups.delete(group.key);
  }
}
