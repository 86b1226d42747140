import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Unavailable } from '../../engine/errors/errors.js';

const argon2id = promisify((parameters: Argon2Parameters, done: (error: Error | null, tag: Buffer) => void) =>
  argon2('argon2id', parameters, done),
);

// The parameters that OWASP recommends: 19 MiB, 2 passes, 1 lane. A hash takes 45 ms of a core.
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;
// Hashes run in the thread pool of libuv, which has four threads. So two threads stay free for reading files and for
// looking up host names.
const MOST_AT_ONCE = 2;
const MOST_WAITING = 50;
/** The parts of a made-up hash, for a check without a stored hash. No password has this hash. */
const NO_PASSWORD = { ...COST, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) };

/** Makes and verifies slow hashes of passwords: argon2id, as PHC strings. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @throws Unavailable when too many hashes are being computed already */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const tag = await this.tagOf(password, salt, COST);
    const { memory, passes, parallelism } = COST;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
  }

  /**
   * Whether a hash was made from this password. The hash is null for a user that is unknown or has no password. Then
   * the check takes as long as for a wrong password, so that the time does not show which users exist.
   *
   * @throws Unavailable when too many hashes are being computed already
   */
  async isRight(password: string, hash: string | null): Promise<boolean> {
    const { salt, tag, ...cost } = hash === null ? NO_PASSWORD : partsOf(hash);
    const found = await this.tagOf(password, salt, cost);
    return timingSafeEqual(found, tag) && hash !== null;
  }

  private async tagOf(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
    await this.turn();
    try {
      return await argon2id({ message: prepared(password), nonce, tagLength: TAG_BYTES, ...cost });
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  /**
   * Resolves when the caller may compute a hash. After its hash, the caller passes its turn on to the next caller that
   * waits.
   */
  private turn(): Promise<void> {
    if (this.running < MOST_AT_ONCE) {
      this.running += 1;
      return Promise.resolve();
    }
    if (this.waiting.length >= MOST_WAITING) {
      throw new Unavailable('Too many passwords are being checked at the moment.');
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/**
 * Normalises a password, because another system may write the same character with other code points (NIST SP 800-63B,
 * section 3.1.1.2).
 */
function prepared(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'));
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

function partsOf(hash: string): typeof COST & { readonly salt: Buffer; readonly tag: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!match) throw new Error('A stored password hash is not an argon2id hash.');
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
