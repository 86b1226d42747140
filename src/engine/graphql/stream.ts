import type { FormattedExecutionResult } from 'graphql';
import { Flow, OVER } from '../events/flow.js';
import type { GraphqlContext } from './context.js';
import { failed, passing } from './errors.js';
import type { Delivery, SharedResult } from './shared-result.js';

/**
 * The results of a subscription, one for each event. An error is the last result, without `data`. An interruption is
 * thrown.
 */
export class Stream extends Flow<Delivery | FormattedExecutionResult> {
  /** The position after which it began; null if it began at the present. */
  readonly after: number | null;
  /** The result of the event that was taken last, until it is ready. */
  private awaited: SharedResult | null = null;
  private isOver = false;
  private readonly requestId: string;

  constructor(
    private readonly events: Flow<object>,
    private readonly group: { resultOf(event: object): SharedResult },
    private readonly leave: () => void,
    { after, requestId }: GraphqlContext,
  ) {
    super();
    this.after = after;
    this.requestId = requestId;
  }

  /** @throws Interrupted */
  take(): IteratorResult<Delivery | FormattedExecutionResult, undefined> | null {
    if (this.isOver) return OVER;
    try {
      if (this.awaited === null) {
        const step = this.events.take();
        if (step === null) return null;
        if (step.done === true) {
          this.end();
          return OVER;
        }
        this.awaited = this.group.resultOf(step.value);
      }
      const value = this.awaited.take();
      if (value === null) return null;
      this.awaited = null;
      return { value, done: false };
    } catch (error) {
      this.end();
      const interruption = passing(error, this.requestId);
      if (interruption) throw interruption;
      return { value: failed(error, this.requestId), done: false };
    }
  }

  whenReady(wake: () => void): void {
    (this.awaited ?? this.events).whenReady(wake);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.leave();
    this.events.end();
  }
}
