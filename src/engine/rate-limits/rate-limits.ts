import { Injectable } from '@nestjs/common';
import { Counters } from '../metrics/instruments.js';
import { LimitsConfig } from '../config/slices.js';
import { RateLimited } from '../errors/errors.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { InFlight, MOST_IN_FLIGHT } from './in-flight.js';
import { networkOf } from './network.js';
import type { Policy, Quota } from '../config/quotas.js';
import { takeShared } from './shared-windows.js';
import { Windows, type Taken } from './windows.js';

/**
 * The cost for which a request takes one more unit from a limit. A request takes one unit, and one more unit for each
 * 100 of its cost, rounded up.
 */
export const COST_OF_A_UNIT = 100;

/** The part of a principal that decides its subject. */
interface Caller {
  readonly id: string | null;
  readonly userId: number | null;
}

/** The caller or the network whose units are counted together. */
export interface Subject {
  readonly policy: Policy;
  readonly name: string;
  /** Whether the subject has a limit; see `STORE_RATE_LIMIT=off`. */
  readonly isBounded: boolean;
}

/** The number of unknown credentials that an address may still try when it has no units left. */
const TRIES: Quota = { units: 20, seconds: 60 };

/** The state of a subject after a request for units. */
export interface Standing extends Taken {
  readonly policy: Policy;
  readonly quota: Quota;
}

/**
 * Limits the requests in a time window (ADR 16). The requests of a proven caller are counted for this caller alone,
 * even if they come from several addresses. All other requests, and failed credentials, are counted for the network of
 * the address.
 *
 * With Redis, all instances count together. Each count takes one script and one round trip. If Redis cannot be reached,
 * or does not answer in time, this process counts alone, from the last known state.
 */
@Injectable()
export class RateLimits {
  /** The units that were taken. */
  readonly taken = new Counters<Policy>(['anonymous', 'caller']);
  /** The refusals, by the limit that was reached. */
  readonly refused = new Counters<Policy | 'running' | 'tries'>(['anonymous', 'caller', 'running', 'tries']);
  private readonly windows: Readonly<Record<Policy, Windows>> | null;
  /** Each process counts the tries alone, because a try causes work in this process only. */
  private readonly tries = new Windows(TRIES);
  private readonly inFlight: Readonly<Record<Policy, InFlight>> | null;

  constructor(
    { rate }: LimitsConfig,
    private readonly redis: RedisConnection,
  ) {
    this.windows = rate && {
      anonymous: new Windows(rate.anonymous),
      caller: new Windows(rate.caller),
    };
    this.inFlight = rate && {
      anonymous: new InFlight(MOST_IN_FLIGHT.anonymous),
      caller: new InFlight(MOST_IN_FLIGHT.caller),
    };
  }

  ofAddress(ip: string): Subject {
    return { policy: 'anonymous', name: networkOf(ip), isBounded: this.windows !== null };
  }

  /** All credentials of a user are counted together. A credential without a user is counted alone. */
  of({ id, userId }: Caller, ip: string): Subject {
    if (id === null) return this.ofAddress(ip);
    return {
      policy: 'caller',
      name: userId === null ? id : `user ${userId}`,
      isBounded: this.windows !== null,
    };
  }

  /**
   * Takes all of the units, or none. Returns a promise only if Redis must be asked. Null means that nothing is limited.
   */
  take(subject: Subject, units = 1): Standing | null | Promise<Standing | null> {
    if (!this.windows) return null;
    const { policy, name } = subject;
    const windows = this.windows[policy];
    if (this.redis.isUp && !windows.isSpent(name) && windows.mayBeShared(name))
      return this.takeFromAll(subject, units, windows);
    return this.noted({ policy, quota: windows.quota, ...windows.take(name, units) }, units);
  }

  /** Whether this process knows that no units are left. */
  isSpent({ policy, name }: Subject): boolean {
    return this.windows?.[policy].isSpent(name) ?? false;
  }

  /**
   * Takes one of the few tries that an address has when it has no units left. So a caller with a valid credential can
   * still use the service from this address.
   *
   * @throws RateLimited
   */
  requireTry({ name }: Subject): void {
    const { isTaken, resetsAt } = this.tries.take(name, 1);
    if (isTaken) return;
    this.refused.add('tries');
    const seconds = secondsTo(resetsAt);
    const what = 'This address has no requests left, and has sent too many credentials';
    const bound = `the limit is ${TRIES.units} in ${TRIES.seconds} s`;
    throw new RateLimited(`${what}; ${bound}. Try again in ${seconds} s.`, seconds);
  }

  /** Gives back a try that does not count as a guess: the credential is valid, or the service could not check it. */
  giveBackTry({ name }: Subject): void {
    this.tries.giveBack(name);
  }

  /**
   * Begins a request of the subject. Returns a function to call at the end of the request; null when no call is needed.
   *
   * @throws RateLimited when too many requests are under way
   */
  begin({ policy, name }: Subject): (() => void) | null {
    const inFlight = this.inFlight?.[policy];
    if (!inFlight) return null;
    if (!inFlight.enter(name)) {
      this.refused.add('running');
      throw new RateLimited(
        `Too many requests are running; the limit "${policy}" is ${MOST_IN_FLIGHT[policy]} at a time. Wait for an answer before you send the next.`,
        1,
      );
    }
    let isOver = false;
    return () => {
      if (!isOver) inFlight.leave(name);
      isOver = true;
    };
  }

  /** Gives back a unit that was counted for this subject, but must be counted for another subject. */
  giveBack({ policy, name }: Subject): void {
    const windows = this.windows?.[policy];
    windows?.giveBack(name);
    // An error is ignored. Its only effect is a wrong count, for one window at most.
    if (windows && this.redis.isUp) takeShared(this.redis, policy, name, -1, windows.quota).catch(() => {});
  }

  private async takeFromAll(subject: Subject, units: number, windows: Windows): Promise<Standing> {
    const { policy, name } = subject;
    const { quota } = windows;
    try {
      const taken = await takeShared(this.redis, policy, name, units, quota);
      windows.learn(name, taken.left, taken.resetsAt);
      return this.noted({ policy, quota, ...taken }, units);
    } catch {
      // `RedisConnection` has logged the error.
      return this.noted({ policy, quota, ...windows.take(name, units) }, units);
    }
  }

  private noted(standing: Standing, units: number): Standing {
    if (standing.isTaken) this.taken.add(standing.policy, units);
    else this.refused.add(standing.policy);
    return standing;
  }
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-11, by their names. */
export function fieldsOf({
  policy,
  quota,
  left,
  resetsAt,
}: Standing): Readonly<Record<'ratelimit-policy' | 'ratelimit', string>> {
  return {
    'ratelimit-policy': policyField(policy, quota),
    ratelimit: `"${policy}";r=${left};t=${secondsTo(resetsAt)}`,
  };
}

/** A quota belongs to one policy, so its field is always the same. */
const policyFields = new WeakMap<Quota, string>();

function policyField(policy: Policy, quota: Quota): string {
  let field = policyFields.get(quota);
  if (field === undefined) {
    field = `"${policy}";q=${quota.units};w=${quota.seconds}`;
    policyFields.set(quota, field);
  }
  return field;
}

/**
 * @param units the requested units
 * @param what the beginning of the message, with the reason for the units
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
