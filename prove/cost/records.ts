import { shareOf } from './bounds.ts';
import { DOORS, type Door, type Message } from './message.ts';
import type { Cost } from './probe.ts';

export interface Entry {
  readonly message: Message;
  readonly cost: Cost;
}

const MOST_KEPT = 10;
/**
 * The maximum number of messages of one operation in a list. Without this limit, the most expensive operation would
 * fill the list.
 */
const MOST_ALIKE = 2;
/** The cost that every request has, even the smallest. */
const ANY_MS = 2;
const LEAST_BYTES = 300;

type Rank = (cost: Cost) => number;

/**
 * Three rankings: by the share of a bound, by the processor time per byte, and by the memory per byte. A message with a
 * high cost per byte reaches a bound soon when it grows.
 */
const RANKS: readonly Rank[] = [
  shareOf,
  ({ cpu, size }) => Math.max(0, cpu - ANY_MS) / Math.max(LEAST_BYTES, size),
  ({ memory, size }) => memory / Math.max(100_000, size),
];

/** The most expensive messages of each door. */
export class Records {
  readonly #lists = new Map<Door, Entry[][]>(DOORS.map((door) => [door, RANKS.map(() => [])]));

  /** Whether the message is expensive enough to be kept. */
  isRecord({ door, about }: Message, cost: Cost): boolean {
    return RANKS.some((rank, index) => {
      const list = this.#of(door)[index] as Entry[];
      const alike = list.filter(({ message }) => message.about === about);
      const rivals = alike.length >= MOST_ALIKE ? alike : list.length >= MOST_KEPT ? list : [];
      const worst = rivals.at(-1);
      return worst === undefined || rank(cost) > rank(worst.cost) * 1.05;
    });
  }

  keep(message: Message, cost: Cost): void {
    for (const [index, rank] of RANKS.entries()) {
      const list = this.#of(message.door)[index] as Entry[];
      list.push({ message, cost });
      list.sort((a, b) => rank(b.cost) - rank(a.cost));
      const alike = list.filter((entry) => entry.message.about === message.about);
      const left =
        alike.length > MOST_ALIKE ? alike.at(-1) : list.length > MOST_KEPT ? list.at(-1) : undefined;
      if (left) list.splice(list.indexOf(left), 1);
    }
  }

  /** All messages that are kept for a door, some of them more than once. */
  kept(door: Door): readonly Entry[] {
    return this.#of(door).flat();
  }

  /** The message that comes nearest to a bound. */
  dearest(door: Door): Entry | undefined {
    return this.#of(door)[0]?.[0];
  }

  #of(door: Door): Entry[][] {
    return this.#lists.get(door) as Entry[][];
  }
}
