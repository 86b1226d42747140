import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is stored of a key: never the key. The secret is random, so a fast hash is enough (no dictionary helps). */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares without telling by its duration how much was right. Both are hashes, so their lengths tell nothing. */
export function sameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function formatKey(id: number, secret: string): string {
  return `sk_${id}_${secret}`;
}

/** The parts of `sk_<id>_<secret>`, or null when it is not of this form. */
export function parseKey(key: string): { readonly id: number; readonly secret: string } | null {
  const match = /^sk_([1-9]\d{0,15})_([A-Za-z0-9_-]{43})$/.exec(key);
  const id = Number(match?.[1]);
  // The last ones of sixteen digits are no numbers any more that a database or we could tell apart.
  return match && Number.isSafeInteger(id) ? { id, secret: match[2] as string } : null;
}
