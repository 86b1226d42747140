import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { ValidationFailed } from '../../engine/errors/errors.js';
import type { Scope } from '../../generated/operations.js';
import { isWritable, momentOf } from '../../engine/values/moment.js';
import type { ApiKey } from './api-key.entity.js';

/**
 * The stored form of a secret: only its hash. The secret is random, so a dictionary does not help an attacker, and a
 * fast hash is enough.
 */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Compares two hashes in constant time, so that the duration does not show how many characters are equal. All hashes
 * have the same length, so the length shows nothing either.
 */
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

/** The parts of a key of the form `sk_<id>_<secret>`; null for a text of another form. */
export function parseKey(key: string): { readonly id: number; readonly secret: string } | null {
  const match = /^sk_([1-9]\d{0,15})_([A-Za-z0-9_-]{43})$/.exec(key);
  const id = Number(match?.[1]);
  // The largest numbers of sixteen digits are not exact in JavaScript, so no key has such an id.
  return match && Number.isSafeInteger(id) ? { id, secret: match[2] as string } : null;
}

/** Whether the key is valid at this moment: it was not revoked and has not expired. */
export function isAlive({ revokedAt, expiresAt }: ApiKey, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/**
 * Whether this is the hash of the present secret of the key, or of its previous secret while the previous secret is
 * still valid.
 */
export function isHashOf(
  { secretHash, previousHash, previousUntil }: ApiKey,
  hash: string,
  now: Date,
): boolean {
  if (sameHash(hash, secretHash)) return true;
  return (
    previousHash !== null && previousUntil !== null && previousUntil > now && sameHash(hash, previousHash)
  );
}

/** The time at which the key ends for the holder of this secret; null if it has no end. */
export function endFor({ secretHash, expiresAt, previousUntil }: ApiKey, hash: string): Date | null {
  if (sameHash(hash, secretHash) || previousUntil === null) return expiresAt;
  return expiresAt !== null && expiresAt < previousUntil ? expiresAt : previousUntil;
}

export function scopesIn({ scopes }: ApiKey): Scope[] {
  return scopes.split(' ').filter((scope) => scope !== '') as Scope[];
}

/** The time when a key ends; null for never. @throws ValidationFailed when the time has passed, or is too late */
export function endIn(text: string | undefined): Date | null {
  const end = text === undefined ? null : momentOf(text);
  if (end === null) return null;
  if (end.getTime() <= Date.now()) throw refused('TOO_SMALL', 'must be in the future');
  if (!isWritable(end)) throw refused('TOO_LARGE', 'must not be after 9999-12-31T23:59:59.999Z');
  return end;
}

function refused(code: 'TOO_SMALL' | 'TOO_LARGE', detail: string): ValidationFailed {
  return new ValidationFailed([{ pointer: '#/expires_at', code, detail }]);
}
