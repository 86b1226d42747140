import type { Policy } from '../access/policy.js';
import type { Principal } from '../access/principal.js';
import { Flow } from '../events/flow.js';
import { StoreEvent } from '../events/store-event.js';

/**
 * The events of a source that the caller may see. The access is checked at each event. If the access is no longer
 * sufficient for any event, the error of the check ends the source. Each subscriber has one such object, so the object
 * has few fields.
 */
export class Visible<T> extends Flow<T> {
  constructor(
    private readonly source: Flow<T>,
    private readonly policy: Policy,
    private readonly principal: Principal,
  ) {
    super();
  }

  take(): IteratorResult<T, undefined> | null {
    for (;;) {
      const step = this.source.take();
      if (step === null || step.done === true || this.shows(step.value)) return step;
    }
  }

  whenReady(wake: () => void): void {
    this.source.whenReady(wake);
  }

  end(): void {
    this.source.end();
  }

  private shows(event: T): boolean {
    const { policy, principal } = this;
    try {
      const reach = policy.rowAccessOf(principal);
      if (policy.owner === null || reach.onlyOf === null) return true;
      return reach.covers((entityOf(event) as Record<string, unknown>)[policy.owner.name]);
    } catch (error) {
      this.source.end();
      throw error;
    }
  }
}

/** The entity of an event. An event that is not in the log is the entity itself. */
export function entityOf(event: unknown): unknown {
  return event instanceof StoreEvent ? event.snapshot : event;
}
