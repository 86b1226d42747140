import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';

const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 10_000;

/**
 * Remembers for a few minutes which passwords were right, because each request brings its own, and a slow hash takes as
 * long as forty requests. It keeps a keyed hash that cannot be computed outside of this process. The stored hash is
 * part of the input, so a changed password ends what was remembered of the old one.
 */
@Injectable()
export class VerifiedPasswords {
  private readonly key = createSecretKey(randomBytes(32));
  private readonly until = new Map<string, number>();

  isKnown(userId: number, password: string, hash: string): boolean {
    const until = this.until.get(this.nameOf(userId, password, hash));
    return until !== undefined && until > performance.now();
  }

  remember(userId: number, password: string, hash: string): void {
    const name = this.nameOf(userId, password, hash);
    // The map stays ordered: the oldest ones come first.
    this.until.delete(name);
    this.until.set(name, performance.now() + KEPT_MS);
    for (const [other, until] of this.until) {
      if (this.until.size <= MOST_KEPT && until > performance.now()) break;
      this.until.delete(other);
    }
  }

  private nameOf(userId: number, password: string, hash: string): string {
    // JSON keeps the three parts apart, whatever the password contains.
    return createHmac('sha256', this.key)
      .update(JSON.stringify([userId, password, hash]))
      .digest('base64');
  }
}
