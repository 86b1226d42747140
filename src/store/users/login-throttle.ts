import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../../engine/errors/errors.js';
import { networkOf } from '../../engine/rate-limits/network.js';
import { emailKey } from './email-key.js';

const FREE = 5;
const SHORTEST_MS = 250;
const LONGEST_MS = 10_000;
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const MOST_REMEMBERED = 10_000;
const MOST_WAITING = 8;

interface Line {
  failures: number;
  waiting: number;
  /** Resolves when the previous attempt is over. */
  last: Promise<unknown>;
  failedAt: number;
}

/** The time that an attempt waits after this number of failures, in milliseconds. */
export function delayAfter(failures: number): number {
  return failures < FREE ? 0 : Math.min(SHORTEST_MS * 2 ** (failures - FREE), LONGEST_MS);
}

/**
 * The queue of the attempts for an account from an address. An account is named by the id of its user, because a caller
 * with a stolen key can change the e-mail address.
 *
 * @param account the id of the user, or an e-mail address that no user has
 */
export function attemptsOf(account: number | string, ip: string): string {
  const name = typeof account === 'number' ? `user ${account}` : `address ${emailKey(account.trim())}`;
  return `${name} ${networkOf(ip)}`;
}

/**
 * Slows down clients that guess passwords. The attempts for one account from one address run one after the other, and
 * after five failures each attempt waits longer, up to ten seconds. Attempts for the same account from other addresses
 * do not wait for them. So a client that guesses delays itself, and cannot lock out the user.
 */
@Injectable()
export class LoginThrottle {
  private readonly lines = new Map<string, Line>();

  /**
   * Runs an attempt after all earlier attempts for the same `who`.
   *
   * @param who see `attemptsOf`
   * @param attempt returns whether it succeeded
   * @throws Unavailable when too many attempts for the same `who` wait already
   */
  async run(who: string, attempt: () => Promise<boolean>): Promise<boolean> {
    // The name of an account that does not exist may have thousands of characters, and would stay in memory. A hash is
    // short.
    const name = hash('sha256', who, 'base64');
    const line = this.lineOf(name);
    if (line.waiting >= MOST_WAITING) {
      throw new Unavailable('Too many passwords are being tried for this account.');
    }
    line.waiting += 1;
    const mine = line.last.then(async () => {
      const delay = delayAfter(line.failures);
      if (delay > 0) await pause(delay, undefined, { ref: false });
      return attempt();
    });
    line.last = mine.catch(() => {});
    try {
      const isRight = await mine;
      line.failures = isRight ? 0 : line.failures + 1;
      line.failedAt = performance.now();
      return isRight;
    } finally {
      line.waiting -= 1;
      if (line.failures === 0 && line.waiting === 0) this.lines.delete(name);
    }
  }

  private lineOf(name: string): Line {
    const now = performance.now();
    const known = this.lines.get(name);
    if (known && (known.waiting > 0 || now - known.failedAt < FORGOTTEN_AFTER_MS)) return known;
    const line: Line = { failures: 0, waiting: 0, last: Promise.resolve(), failedAt: now };
    this.lines.delete(name);
    this.lines.set(name, line);
    for (const [other, { waiting }] of this.lines) {
      if (this.lines.size <= MOST_REMEMBERED) break;
      if (waiting === 0) this.lines.delete(other);
    }
    return line;
  }
}
