import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccessConfig } from '../config/slices.js';
import { Unauthenticated } from '../errors/errors.js';
import { CredentialChanges } from './credential-changes.js';
import type { Caller } from './caller.js';
import type { Principal } from './principal.js';

const MOST_KEPT = 20_000;

export interface Proven {
  readonly principal: Principal;
  /** The time at which the credential expires, in milliseconds since 1970; absent if the credential does not expire. */
  readonly until?: number;
  /** The time for which the service uses this result without another check; absent if there is no limit. */
  readonly keptMs?: number;
}

/**
 * A function that checks a credential. After a change of stored facts about credentials, it is called again, with the
 * caller that presents the credential then. The function holds no secret, because it reads the credential from the
 * headers of the caller.
 *
 * @throws Unauthenticated when the credential is not valid
 */
export type Proof = (caller: Caller) => Promise<Proven>;

/**
 * The name of a credential in the cache: a hash of the credential with a random key of this process. So nobody can
 * compute the name outside of this process.
 */
export type CredentialName = string & { readonly credential: true };

interface Entry {
  readonly value: unknown;
  /** `CredentialChanges.number` when the value was read; null if the value does not depend on stored data. */
  readonly number: number | null;
  /** As in `Proven`; `Infinity` if the credential does not expire. */
  readonly until: number;
  /**
   * The entry is used until `performance.now()` has this value. The system clock is not used, because it may be set
   * back.
   */
  readonly keptUntil: number;
  /**
   * The value of `performance.now()` at which the credential expires: the earliest value that a check has computed. If
   * the system clock is set back after this check, the credential still expires at this value.
   */
  readonly lastsUntil: number;
  readonly prove: Proof | null;
  /** False if the credential was refused after it had been valid. Then only `lastsUntil` is still used. */
  readonly isGood: boolean;
}

/**
 * All that this process remembers about credentials:
 *
 * - the principals of valid credentials (`recall`)
 * - the credentials that were valid at an earlier check (`wasGood`)
 * - the passwords that were right (`isNoted`)
 * - facts about the subjects of tokens (`fact`)
 *
 * All entries together have one limit (`MOST_KEPT`). A value that was read from the database is valid until
 * `CredentialChanges.number` changes.
 *
 * The cache knows a credential only by a hash with a random key of this process. So the cache holds no secret, except
 * the key of the administrator, which the settings hold too.
 */
@Injectable()
export class CredentialCache {
  /** The oldest entries come first. */
  private readonly entries = new Map<string, Entry>();
  private readonly key = randomBytes(32).toString('base64');
  /**
   * Maps `STORE_ADMIN_KEY` itself to its name, so that this key is not hashed for each request. The settings hold the
   * key anyway.
   */
  private readonly ofAdminKey: ReadonlyMap<unknown, CredentialName>;

  constructor(
    private readonly changes: CredentialChanges,
    { adminKey }: AccessConfig,
  ) {
    this.ofAdminKey = new Map(adminKey === null ? [] : [[adminKey, this.hashed(inApiKeyHeader(adminKey))]]);
  }

  /** Computes the name of a credential. This takes about a microsecond, so it is done only once for a request. */
  nameOf({ authorization, 'x-api-key': key }: Caller['headers']): CredentialName {
    if (authorization !== undefined) return this.hashed(`Authorization ${authorization}`);
    return this.ofAdminKey.get(key) ?? this.hashed(inApiKeyHeader(String(key)));
  }

  /**
   * Returns the principal of a known credential: at once if the remembered facts are known to be valid, otherwise as a
   * promise. Returns null if the credential is not known.
   */
  recall(name: CredentialName, caller: Caller): Principal | Promise<Principal> | null {
    const entry = this.entries.get(name);
    if (entry === undefined || isOver(entry)) return null;
    const isSame = entry.number === null || (this.changes.isFresh() && entry.number === this.changes.number);
    return isSame ? (entry.value as Principal) : this.renewed(name, entry, caller);
  }

  /**
   * Remembers a credential, and returns its principal.
   *
   * @param proof a function, if the result depends on stored facts; otherwise the result itself. `keep` calls the
   *   function, and `recall` calls it again when the stored facts have changed.
   * @throws Unauthenticated when the credential has expired, even if the system clock was set back afterwards
   * @throws Unavailable when it cannot be determined whether the remembered facts are still valid
   */
  async keep(name: CredentialName, proof: Proven | Proof, caller: Caller): Promise<Principal> {
    if (typeof proof === 'function') return this.proven(name, proof, caller);
    this.remember(name, proof, null, null);
    return proof.principal;
  }

  /** The number of the stored facts about credentials, as far as this process knows. */
  get number(): number {
    return this.changes.number;
  }

  /**
   * The number of the stored facts about credentials in the database now. Facts that are remembered with an earlier
   * number are not used any more.
   *
   * @throws Unavailable when the number cannot be read
   */
  async currentNumber(): Promise<number> {
    await this.changes.ensureFresh(true);
    return this.changes.number;
  }

  /** Whether it is known at once that no stored fact about credentials has changed since this number. */
  isUnchangedSince(number: number): boolean {
    return this.changes.isFresh() && this.changes.number === number;
  }

  /**
   * Whether the credential was valid at an earlier check, and `forget` was not called since then. The credential may
   * have ended. A caller that sends such a credential is not guessing.
   */
  wasGood(name: CredentialName): boolean {
    return this.entries.get(name)?.isGood === true;
  }

  /**
   * Forgets a credential that was refused. If the credential has an end, the end is kept, because the clock may be set
   * back.
   */
  forget(name: CredentialName): void {
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    if (entry.lastsUntil === Infinity) this.entries.delete(name);
    else this.set(name, { ...entry, value: null, keptUntil: -Infinity, prove: null, isGood: false });
  }

  /**
   * Returns a fact about the subject of a token. The fact is looked up once, and again after a change of facts about
   * credentials. Only a `Proof` may call this method, because `CredentialChanges` is always fresh when a `Proof`
   * begins.
   *
   * @param what the name of the kind of fact; two kinds must not have the same name
   */
  async fact<V>(what: string, subject: string, find: () => Promise<V>): Promise<V> {
    const name = `${what}: ${subject}`;
    const { number } = this.changes;
    const known = this.entries.get(name);
    if (known?.number === number) return known.value as V;
    const value = await find();
    // A value that was read during a change may be outdated, and is not kept.
    if (this.changes.number === number) this.set(name, { ...FOREVER, value, number, prove: null });
    return value;
  }

  /**
   * Whether `note` was called with these texts, and the time `keptMs` of that call is not over. The texts may be
   * secret, because only their hash is kept.
   */
  isNoted(texts: readonly string[]): boolean {
    const entry = this.entries.get(this.hashed(JSON.stringify(texts)));
    return entry !== undefined && !isOver(entry);
  }

  note(texts: readonly string[], keptMs: number): void {
    const keptUntil = performance.now() + keptMs;
    this.set(this.hashed(JSON.stringify(texts)), {
      ...FOREVER,
      value: true,
      number: null,
      keptUntil,
      prove: null,
    });
  }

  private async renewed(name: CredentialName, entry: Entry, caller: Caller): Promise<Principal> {
    await this.changes.ensureFresh();
    if (entry.number === this.changes.number) return entry.value as Principal;
    // If the proof fails, this entry stays. It tells `wasGood` that the credential was valid, but `recall` no longer
    // returns its principal.
    this.set(name, { ...entry, keptUntil: -Infinity });
    return this.proven(name, entry.prove as Proof, caller);
  }

  private async proven(name: CredentialName, prove: Proof, caller: Caller): Promise<Principal> {
    await this.changes.ensureFresh();
    // The number is read before the proof. So a change during the proof is noticed at the next request.
    const { number } = this.changes;
    const proven = await prove(caller);
    this.remember(name, proven, number, prove);
    return proven.principal;
  }

  private remember(
    name: CredentialName,
    { principal, until = Infinity, keptMs = Infinity }: Proven,
    number: number | null,
    prove: Proof | null,
  ): void {
    const now = performance.now();
    // The earliest of all computed values is kept. So a credential that has expired does not become valid again, even
    // if the strategy read a clock that was set back.
    const lastsUntil = Math.min(this.entries.get(name)?.lastsUntil ?? Infinity, now + until - Date.now());
    if (lastsUntil <= now) throw new Unauthenticated('The credential has expired.');
    const keptUntil = now + keptMs;
    this.set(name, { value: principal, number, until, keptUntil, lastsUntil, prove, isGood: true });
  }

  private set(name: string, entry: Entry): void {
    this.entries.delete(name);
    this.entries.set(name, entry);
    if (this.entries.size <= MOST_KEPT) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      break;
    }
  }

  // HMAC is not used, because it takes five times as long. HMAC would also prevent length extension. This attack is not
  // possible here, because it needs a hash, and these hashes never leave the process.
  private hashed(text: string): CredentialName {
    return hash('sha256', this.key + text, 'base64') as CredentialName;
  }
}

/**
 * The name of the header is part of the hashed text. So an API key in `Authorization` is not mistaken for the same key
 * in `X-API-Key`, where it would be valid.
 */
function inApiKeyHeader(key: string): string {
  return `X-API-Key ${key}`;
}

const FOREVER = { until: Infinity, keptUntil: Infinity, lastsUntil: Infinity, isGood: true };

function isOver({ until, keptUntil, lastsUntil }: Entry): boolean {
  return Math.min(keptUntil, lastsUntil) <= performance.now() || until <= Date.now();
}
