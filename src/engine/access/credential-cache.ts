import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CredentialChanges } from './credential-changes.js';
import type { Caller } from './caller.js';
import type { Principal } from './principal.js';

const MOST_KEPT = 20_000;

export interface Proven {
  readonly principal: Principal;
  /** When the credential ends if nothing changes, in milliseconds since 1970; absent if it never ends. */
  readonly until?: number;
  /** For how long the result is used without another check; forever if this is absent. */
  readonly keptMs?: number;
}

/**
 * Proves a credential, and proves it again after a change, with the caller of that moment. It holds no secret, because
 * the credential is in the headers of the caller.
 *
 * @throws Unauthenticated when the credential is not valid, or is no longer valid
 */
export type Proof = (caller: Caller) => Promise<Proven>;

/** The name of an entry. It cannot be computed outside of this process. */
export type CredentialName = string & { readonly credential: true };

interface Entry {
  readonly value: unknown;
  /** The number of `CredentialChanges` that the value belongs to; null if it depends on nothing that is stored. */
  readonly number: number | null;
  readonly until: number;
  /** On the clock of `performance`, because the system clock may be set back. */
  readonly keptUntil: number;
  readonly prove: Proof | null;
}

/**
 * All that this process remembers about credentials: the principals of proven credentials, the credentials that were
 * valid at their last check, the passwords that were right, and facts about the subjects of tokens. It has one limit,
 * and one source of changes (`CredentialChanges`). Data that was read from the database is valid until the number
 * changes.
 *
 * A credential is known by a hash with a key of this process. So no secret is kept.
 */
@Injectable()
export class CredentialCache {
  /** The oldest ones come first. */
  private readonly entries = new Map<string, Entry>();
  private readonly key = randomBytes(32).toString('base64');

  constructor(private readonly changes: CredentialChanges) {}

  /** Takes about a microsecond, so it is done once for a request. */
  nameOf({ authorization, 'x-api-key': key }: Caller['headers']): CredentialName {
    // An API key in Authorization is not a credential, even if it is valid in its own header.
    return this.hashed(
      authorization === undefined ? `X-API-Key ${String(key)}` : `Authorization ${authorization}`,
    );
  }

  /** Returns synchronously when the credential is known and nothing has changed; null when it is not known. */
  recall(name: CredentialName, caller: Caller): Principal | Promise<Principal> | null {
    const entry = this.entries.get(name);
    if (entry === undefined || isOver(entry)) return null;
    const isSame = entry.number === null || (this.changes.isFresh() && entry.number === this.changes.number);
    return isSame ? (entry.value as Principal) : this.renewed(name, entry, caller);
  }

  /**
   * Remembers a credential that is proven, or proves and remembers it.
   *
   * @param proof what is proven already, or, if it depends on stored facts, a function that is called here and again
   *   after each change
   * @throws Unavailable when it cannot be determined whether the remembered facts are still valid
   */
  async keep(name: CredentialName, proof: Proven | Proof, caller: Caller): Promise<Principal> {
    if (typeof proof === 'function') return this.proven(name, proof, caller);
    this.remember(name, proof, null, null);
    return proof.principal;
  }

  /**
   * Whether the credential was valid at its last check, even if it has ended since. To check such a credential again is
   * not a guess.
   */
  wasGood(name: CredentialName): boolean {
    return this.entries.has(name);
  }

  forget(name: CredentialName): void {
    this.entries.delete(name);
  }

  /**
   * A fact about the subject of a credential. It is looked up once until a fact about credentials changes. `changes`
   * must be fresh. They are always fresh when a principal is requested.
   *
   * @param what a name that is different for each kind of fact
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

  /** Whether these texts were noted, and not too long ago. The texts may be secret. */
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
    // If the proof fails, the credential counts as one that was valid, but has no principal.
    this.set(name, { ...entry, keptUntil: -Infinity });
    return this.proven(name, entry.prove as Proof, caller);
  }

  private async proven(name: CredentialName, prove: Proof, caller: Caller): Promise<Principal> {
    await this.changes.ensureFresh();
    // The number is read first, so that a change in between is noticed the next time.
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
    this.set(name, { value: principal, number, until, keptUntil: performance.now() + keptMs, prove });
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

  // HMAC is not used, because it takes five times as long. It would also prevent length extension, which does not
  // matter for a hash that never leaves the process.
  private hashed(text: string): CredentialName {
    return hash('sha256', this.key + text, 'base64') as CredentialName;
  }
}

const FOREVER = { until: Infinity, keptUntil: Infinity };

function isOver({ until, keptUntil }: Entry): boolean {
  return keptUntil <= performance.now() || until <= Date.now();
}
