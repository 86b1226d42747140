import { createHmac, hkdfSync } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { ofRecord, open, seal, toRecord } from '../secrets/sealing.js';

/**
 * The keys that are derived from an `Idempotency-Key`, a caller and an operation. Only `id` is stored. An attacker who
 * has the database, but not the `Idempotency-Key`, can neither open the sealed results nor guess the inputs from their
 * fingerprints.
 */
export class RecordCipher {
  readonly id: string;
  private readonly fingerprintKey: Buffer;
  private readonly sealKey: Buffer;

  constructor(key: string, caller: string, operation: string) {
    const info = `store idempotency\0${operation}\0${caller}`;
    const bytes = Buffer.from(hkdfSync('sha256', key, '', info, 96));
    this.id = bytes.toString('base64url', 0, 32);
    this.fingerprintKey = bytes.subarray(32, 64);
    this.sealKey = bytes.subarray(64);
  }

  /** The number for locks: 63 bits of the id, as decimal text. */
  get lockId(): string {
    return (Buffer.from(this.id, 'base64url').readBigUInt64BE() >> 1n).toString();
  }

  /** Equal inputs have the same fingerprint, even if their members are in another order. */
  fingerprintOf(input: unknown): string {
    return createHmac('sha256', this.fingerprintKey).update(canonical(input)).digest('base64url');
  }

  seal(value: unknown): string {
    return toRecord(seal(this.sealKey, serialize(value), ''));
  }

  /**
   * An object of a class is returned as a plain object.
   *
   * @throws Error when the text was changed, or sealed with another key
   */
  open(text: string): unknown {
    return deserialize(open(this.sealKey, ofRecord(text), ''));
  }
}

function canonical(input: unknown): string {
  return JSON.stringify(input, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
