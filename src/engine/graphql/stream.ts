import type { TraceName } from '../tracing/span.js';
import { Flow, OVER } from '../events/flow.js';
import type { GraphqlContext } from './context.js';
import type { Delivery, SharedResult } from './shared-result.js';

/**
 * The results of a subscription, one for each event. An error ends the subscription, and is thrown; see `StreamEnd`.
 */
export class Stream extends Flow<Delivery> {
  /** The position in the log of events after which the stream began; null if the stream began at the present. */
  readonly after: number | null;
  /** The result of the last event while the result is still being made; null if no result is awaited. */
  private awaited: SharedResult | null = null;
  private isOver = false;
  /** The id of the operation. Each log message of the service about the operation contains this id. */
  readonly requestId: string;
  /** The trace of the operation; null if there is none. */
  readonly trace: TraceName | null;

  constructor(
    private readonly events: Flow<object>,
    private readonly group: { resultOf(event: object): SharedResult },
    private readonly leave: () => void,
    { after, requestId, trace }: GraphqlContext,
  ) {
    super();
    this.after = after;
    this.requestId = requestId;
    this.trace = trace;
  }

  take(): IteratorResult<Delivery, undefined> | null {
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
      throw error;
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
