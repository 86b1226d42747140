import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { RateLimited } from '../errors/errors.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { InFlight, MOST_IN_FLIGHT } from './in-flight.js';
import { networkOf } from './network.js';
import type { Policy, Quota } from '../config/quotas.js';
import { takeShared } from './shared-windows.js';
import { Windows, type Taken } from './windows.js';

/** As much cost is counted like a request, besides the one that brought it. */
export const COST_OF_A_UNIT = 100;

/** The part of a principal that decides with whom its units are counted. */
interface Caller {
  readonly id: string | null;
  readonly userId: number | null;
}

/** Whose units are counted together. */
export interface Subject {
  readonly policy: Policy;
  readonly name: string;
  /** Whether bounds hold for it at all; see `STORE_RATE_LIMIT=off`. */
  readonly isBounded: boolean;
}

/** Credentials that nobody knows and that an address may still try when it has nothing left. */
const TRIES: Quota = { units: 20, seconds: 60 };

/** How a subject stands after units were asked for. */
export interface Standing extends Taken {
  readonly policy: Policy;
  readonly quota: Quota;
}

/**
 * How much may be asked of the service in a while (ADR 16). Who proves who it is counts for itself, wherever it calls
 * from; everybody else, and whoever fails to prove it, for the network of the address.
 *
 * With Redis all instances count together: one script, one round trip. Without an answer within its short time, or
 * while Redis is gone, this process counts for itself, from what it last knew.
 */
@Injectable()
export class RateLimits {
  private readonly windows: Readonly<Record<Policy, Windows>> | null;
  /** Of each process by itself: what they bound is its own work. */
  private readonly tries = new Windows(TRIES);
  private readonly inFlight: Readonly<Record<Policy, InFlight>> | null;

  constructor(
    @Inject(CONFIG) { rateLimit }: Config,
    private readonly redis: RedisConnection,
  ) {
    this.windows = rateLimit && {
      anonymous: new Windows(rateLimit.anonymous),
      caller: new Windows(rateLimit.caller),
    };
    this.inFlight = rateLimit && {
      anonymous: new InFlight(MOST_IN_FLIGHT.anonymous),
      caller: new InFlight(MOST_IN_FLIGHT.caller),
    };
  }

  ofAddress(ip: string): Subject {
    return { policy: 'anonymous', name: networkOf(ip), isBounded: this.windows !== null };
  }

  /** All credentials of a user count as one, and each of a client for itself. */
  of({ id, userId }: Caller, ip: string): Subject {
    if (id === null) return this.ofAddress(ip);
    return {
      policy: 'caller',
      name: userId === null ? id : `user ${userId}`,
      isBounded: this.windows !== null,
    };
  }

  /**
   * Asks for units, and gets all of them or none. Nothing is waited for without Redis, or when it is known that nothing
   * is left. Null when nothing is limited.
   */
  take(subject: Subject, units = 1): Standing | null | Promise<Standing | null> {
    if (!this.windows) return null;
    const { policy, name } = subject;
    const windows = this.windows[policy];
    if (this.redis.isUp && !windows.isSpent(name)) return this.takeFromAll(subject, units, windows);
    return { policy, quota: windows.quota, ...windows.take(name, units) };
  }

  /** Whether it is known here that nothing is left. */
  isSpent({ policy, name }: Subject): boolean {
    return this.windows?.[policy].isSpent(name) ?? false;
  }

  /**
   * Takes one of the few tries that an address has when it has nothing left, so that good callers behind it are heard.
   *
   * @throws RateLimited
   */
  requireTry({ name }: Subject): void {
    const { isTaken, resetsAt } = this.tries.take(name, 1);
    if (isTaken) return;
    const seconds = secondsTo(resetsAt);
    const what = 'This address has nothing left and has tried too many credentials';
    throw new RateLimited(`${what}. Try again in ${seconds} s.`, seconds);
  }

  /** It was a good one, which nobody guessed. */
  giveBackTry({ name }: Subject): void {
    this.tries.giveBack(name);
  }

  /**
   * A request of the subject begins. Its end is told by what this returns; null when nobody has to be told.
   *
   * @throws RateLimited when too many are under way
   */
  begin({ policy, name }: Subject): (() => void) | null {
    const inFlight = this.inFlight?.[policy];
    if (!inFlight) return null;
    if (!inFlight.enter(name)) {
      throw new RateLimited(
        `Too many requests are under way; the limit "${policy}" is ${MOST_IN_FLIGHT[policy]} at a time. Wait for answers first.`,
        1,
      );
    }
    let isOver = false;
    return () => {
      if (!isOver) inFlight.leave(name);
      isOver = true;
    };
  }

  /** Gives back a unit that was not the subject's own. */
  giveBack({ policy, name }: Subject): void {
    const windows = this.windows?.[policy];
    windows?.giveBack(name);
    // It makes nothing wrong but the count, for a window at most.
    if (windows && this.redis.isUp) takeShared(this.redis, policy, name, -1, windows.quota).catch(() => {});
  }

  private async takeFromAll(subject: Subject, units: number, windows: Windows): Promise<Standing> {
    const { policy, name } = subject;
    const { quota } = windows;
    try {
      const taken = await takeShared(this.redis, policy, name, units, quota);
      windows.learn(name, taken.left, taken.resetsAt);
      return { policy, quota, ...taken };
    } catch {
      // The connection has told the log.
      return { policy, quota, ...windows.take(name, units) };
    }
  }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-11, by their names. */
export function fieldsOf({ policy, quota, left, resetsAt }: Standing): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${quota.units};w=${quota.seconds}`,
    ratelimit: `"${policy}";r=${left};t=${secondsTo(resetsAt)}`,
  };
}

/**
 * @param units what was asked for
 * @param what begins the sentence: what was too much
 * @throws RateLimited unless the units were taken
 */
export function requireTaken(
  standing: Standing | null,
  units = 1,
  what = 'There were too many requests',
): void {
  if (!standing || standing.isTaken) return;
  const { policy, quota, left, resetsAt } = standing;
  const seconds = secondsTo(resetsAt);
  const bound = `the limit "${policy}" is ${quota.units} in ${quota.seconds} s, with ${left} left`;
  const advice = units > quota.units ? 'Ask for less.' : `Try again in ${seconds} s.`;
  throw new RateLimited(`${what}; ${bound}. ${advice}`, seconds);
}

/** @param moment on the clock of `performance` */
export function secondsTo(moment: number): number {
  return Math.max(1, Math.ceil((moment - performance.now()) / 1000));
}
