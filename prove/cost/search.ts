import type { Values } from '../contract/values.ts';
import { excess } from './bounds.ts';
import { changed } from './changes.ts';
import { DOORS, type Door, type Message } from './message.ts';
import type { Probe } from './probe.ts';
import { Records } from './records.ts';
import { growthsOf, type Growth } from './sites.ts';

/** The weights of the doors. A door with more possible messages has a larger weight. */
const WEIGHTS: Readonly<Record<Door, number>> = {
  'REST reads': 4,
  'REST changes': 3,
  batches: 2,
  GraphQL: 4,
  'GraphQL by GET': 2,
  WebSocket: 4,
  streams: 2,
  OAuth: 3,
  pages: 1,
  forms: 3,
  handshakes: 1,
};

/** The share of messages from the list of growths, until the list is empty. */
const SYSTEMATIC = 0.6;
/** The share of random changes that begin from a valid message. The others begin from an expensive message. */
const FRESH = 0.3;

/**
 * Searches for expensive messages. It changes messages at random, and then continues with the most expensive messages.
 */
export class Search {
  readonly records = new Records();
  sent = 0;
  readonly #probe: Probe;
  readonly #values: Values;
  readonly #seeds: ReadonlyMap<Door, readonly Message[]>;
  readonly #turns: readonly Door[];
  /** The growths that were not tried yet. */
  readonly #growths: Growth[];

  constructor(probe: Probe, values: Values, seeds: readonly Message[], doors: readonly Door[] = DOORS) {
    this.#probe = probe;
    this.#values = values;
    this.#seeds = new Map(doors.map((door) => [door, seeds.filter((seed) => seed.door === door)]));
    const all = [...this.#seeds.values()].flat();
    this.#growths = [...growthsOf(all, values)];
    this.#turns = doors.flatMap((door) => Array<Door>(WEIGHTS[door]).fill(door));
  }

  /** @param found is called with a message that seems to cost too much, and returns whether to continue */
  async run(requests: number, found: (message: Message) => Promise<boolean>): Promise<void> {
    const first = [...this.#seeds.values()].flat();
    while (this.sent < requests) {
      const message = first.shift() ?? this.#next();
      if (!(await this.#try(message, found))) return;
    }
  }

  /** The number of growths that are left. */
  get growths(): number {
    return this.#growths.length;
  }

  #next(): Message {
    const growth = this.#values.chance(SYSTEMATIC) ? this.#growths.pop() : undefined;
    if (growth) return growth();
    const door = this.#values.one(this.#turns);
    const parent = this.#parentIn(door);
    const donor = this.#values.chance(0.6)
      ? this.#parentIn(door)
      : this.#parentIn(this.#values.one(this.#turns));
    return changed(parent, this.#values, donor);
  }

  #parentIn(door: Door): Message {
    const kept = this.records.kept(door);
    if (kept.length === 0 || this.#values.chance(FRESH)) return this.#values.one(this.#seeds.get(door) ?? []);
    return this.#values.one(kept).message;
  }

  async #try(message: Message, found: (message: Message) => Promise<boolean>): Promise<boolean> {
    const cost = await this.#measured(message);
    if (!this.records.isRecord(message, cost) && excess(cost) === null) return true;
    if (cost.isFatal) return found(message);
    // Garbage collection and the compiler run at any time, so the message is measured again.
    const again = await this.#measured(message);
    if (again.isFatal) return found(message);
    const lower = again.cpu < cost.cpu ? again : cost;
    const least = { ...lower, memory: Math.min(cost.memory, again.memory) };
    if (excess(least) !== null && excess(again) !== null) return found(message);
    if (excess(least) === null && this.records.isRecord(message, least)) this.records.keep(message, least);
    return true;
  }

  #measured(message: Message) {
    this.sent += 1;
    return this.#probe.measure(message);
  }
}
