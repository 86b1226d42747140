import { Injectable } from '@nestjs/common';
import { Counters } from '../metrics/instruments.js';
import { LimitsConfig } from '../config/slices.js';
import { RateLimited, Unavailable } from '../errors/errors.js';
import { Bucket } from './bucket.js';
import type { Subject } from './rate-limits.js';

/**
 * The time after which a subject that has reached its own limit may retry. The service does not know when one of the
 * places is freed.
 */
const RETRY_AFTER_SECONDS = 10;
/**
 * The bound of messages on all WebSockets of one address or caller; graphql/message-budget.ts has the bound of one
 * WebSocket.
 */
export const MESSAGES_AT_ONCE = 5_000;
export const MESSAGES_PER_SECOND = 250;

export type PlaceKind = 'WebSockets' | 'subscriptions';

/**
 * An object that several subscriptions share. It counts once for each subject that holds it, even if the subject holds
 * it several times.
 */
export interface Weighed {
  readonly weight: number;
}

/** The open places of one subject, or of many subjects together. */
class Tally {
  units = 0;
  places = 0;
  readonly messages = new Bucket(MESSAGES_AT_ONCE, MESSAGES_PER_SECOND);
  /** Whether a timer waits for the bucket to be full. */
  isExpiring = false;
  private readonly held = new Map<Weighed, number>();

  unitsOf(shared: readonly Weighed[]): number {
    return shared.reduce((sum, one) => sum + (this.held.has(one) ? 0 : one.weight), 1);
  }

  add(shared: readonly Weighed[]): void {
    this.places += 1;
    this.units += this.unitsOf(shared);
    for (const one of shared) this.held.set(one, (this.held.get(one) ?? 0) + 1);
  }

  remove(shared: readonly Weighed[]): void {
    this.places -= 1;
    for (const one of shared) {
      const holders = (this.held.get(one) ?? 0) - 1;
      if (holders > 0) this.held.set(one, holders);
      else this.held.delete(one);
    }
    this.units -= this.unitsOf(shared);
  }
}

/** The open places of one kind. */
interface Kind {
  readonly process: Tally;
  /**
   * The places of all anonymous callers. These places may take half of the units of the process, so that there is room
   * for callers with a credential.
   */
  readonly anonymous: Tally;
  readonly subjects: Map<string, Tally>;
}

const newKind = (): Kind => ({ process: new Tally(), anonymous: new Tally(), subjects: new Map() });

/** The place of one WebSocket or subscription, until it is freed. */
export interface Place {
  /**
   * Moves the place to the caller that was proven meanwhile. If the caller has no free place, the place stays with the
   * address.
   *
   * @throws RateLimited, Unavailable
   */
  moveTo(subject: Subject): void;
  /**
   * Counts messages, together with the messages of all places of the subject. Returns false if there are too many.
   * Always returns true if nothing is limited.
   */
  takeMessages(units: number): boolean;
  giveMessagesBack(units: number): void;
  /** Frees the place. A second call has no effect. */
  readonly free: () => void;
}

/**
 * Counts and bounds the open WebSockets and subscriptions of this process (ADR 31). If the limits of requests are
 * disabled, the bounds of an address and of a caller are disabled too. The bounds of the process, and of all anonymous
 * callers together, are never disabled.
 */
@Injectable()
export class Places {
  readonly refused = new Counters<PlaceKind>(['WebSockets', 'subscriptions']);
  private readonly kinds: Readonly<Record<PlaceKind, Kind>> = {
    WebSockets: newKind(),
    subscriptions: newKind(),
  };
  private readonly limits: LimitsConfig['subscriptions'];

  constructor({ subscriptions }: LimitsConfig) {
    this.limits = subscriptions;
  }

  /** The maximum number of units of each kind in this process. */
  get most(): number {
    return this.limits.process;
  }

  /** The number of open WebSockets or subscriptions. */
  countOf(kind: PlaceKind): number {
    return this.kinds[kind].process.places;
  }

  /** The total number of units in use. */
  unitsOf(kind: PlaceKind): number {
    return this.kinds[kind].process.units;
  }

  /** The number of subjects with open places, or with a bucket of messages that is not full yet. */
  countSubjects(kind: PlaceKind): number {
    return this.kinds[kind].subjects.size;
  }

  /**
   * @param shared objects that add their own units, unless the subject holds them already
   * @throws RateLimited when the address or the caller would have too many units
   * @throws Unavailable when all subjects together, or all anonymous subjects together, would have too many units
   */
  take(kind: PlaceKind, subject: Subject, shared: readonly Weighed[] = []): Place {
    let tallies = this.enter(kind, subject, shared);
    let owner: Subject | null = subject;
    const free = (): void => {
      if (owner) this.leave(kind, owner, tallies, shared);
      owner = null;
    };
    return {
      free,
      moveTo: (next) => {
        if (!owner) return;
        const entered = this.enter(kind, next, shared, tallies);
        free();
        [tallies, owner] = [entered, next];
      },
      takeMessages: (units) => !owner?.isBounded || (tallies[0] as Tally).messages.take(units),
      giveMessagesBack: (units) => (tallies[0] as Tally).messages.giveBack(units),
    };
  }

  /** @param before the tallies that already contain this place, and are not checked again */
  private enter(
    kind: PlaceKind,
    subject: Subject,
    shared: readonly Weighed[],
    before: readonly Tally[] = [],
  ): readonly Tally[] {
    const { policy, name } = subject;
    const { process, anonymous, subjects } = this.kinds[kind];
    const id = `${policy} ${name}`;
    const own = subjects.get(id) ?? new Tally();
    try {
      this.requireOwn(kind, subject, own, shared);
      const half = Math.max(1, Math.floor(this.limits.process / 2));
      if (policy === 'anonymous') requireRoom(kind, anonymous, half, ' without a credential', shared);
      if (!before.includes(process)) requireRoom(kind, process, this.limits.process, '', shared);
    } catch (error) {
      this.refused.add(kind);
      throw error;
    }
    subjects.set(id, own);
    const tallies = policy === 'anonymous' ? [own, process, anonymous] : [own, process];
    for (const tally of tallies) tally.add(shared);
    return tallies;
  }

  private leave(
    kind: PlaceKind,
    { policy, name }: Subject,
    tallies: readonly Tally[],
    shared: readonly Weighed[],
  ): void {
    for (const tally of tallies) tally.remove(shared);
    this.forgetWhenFull(this.kinds[kind].subjects, `${policy} ${name}`);
  }

  /** A subject that comes back gets its old bucket of messages, and not a full one. */
  private forgetWhenFull(subjects: Map<string, Tally>, id: string): void {
    const tally = subjects.get(id);
    if (tally === undefined || tally.places > 0 || tally.isExpiring) return;
    const ms = tally.messages.msUntilFull;
    if (ms === 0) {
      subjects.delete(id);
      return;
    }
    tally.isExpiring = true;
    const again = (): void => {
      tally.isExpiring = false;
      this.forgetWhenFull(subjects, id);
    };
    setTimeout(again, ms).unref();
  }

  private requireOwn(
    kind: PlaceKind,
    { policy, isBounded }: Subject,
    own: Tally,
    shared: readonly Weighed[],
  ): void {
    const limit = this.limits[policy];
    const units = own.unitsOf(shared);
    if (!isBounded || own.units + units <= limit) return;
    const count = units === 1 ? '' : ` This one counts as ${units}.`;
    throw new RateLimited(
      `The limit "${policy}" of ${kind} is ${limit} at a time, and ${own.units} are open.${count} ${adviceFor(kind)}`,
      RETRY_AFTER_SECONDS,
    );
  }
}

function requireRoom(
  kind: PlaceKind,
  tally: Tally,
  limit: number,
  whose: string,
  shared: readonly Weighed[],
): void {
  if (tally.units + tally.unitsOf(shared) <= limit) return;
  // This text and the advice that is added to it must fit into one close frame of a WebSocket.
  throw new Unavailable(`The limit of the process is ${limit} ${kind}${whose}`);
}

function adviceFor(kind: PlaceKind): string {
  return kind === 'WebSockets' ? 'Close one first.' : 'End some of them first, or ask for less.';
}
