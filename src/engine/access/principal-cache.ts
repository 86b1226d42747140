import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { CredentialChanges } from './credential-changes.js';
import type { Principal } from './principal.js';

const MOST_KEPT = 10_000;

export interface Proven {
  readonly principal: Principal;
  /** Until when it is good if nothing changes, in milliseconds since 1970. */
  readonly until: number;
  /** For how long that is believed without looking again; for ever if absent. */
  readonly keptMs?: number;
}

/** Finds out once more who somebody is, after a change. @throws Unauthenticated when nobody any more */
export type Proof = () => Promise<Proven>;

interface Kept extends Proven {
  /** On the clock of `performance`: that of the world may be set back. */
  readonly keptUntil: number;
  readonly prove: Proof;
  readonly number: number;
}

/**
 * Remembers who was proven by which credential, under a hash that nobody can compute outside of this process, since there
 * are passwords among them. It holds as long as nothing changes that credentials hang on; then it is proven again.
 */
@Injectable()
export class PrincipalCache {
  private readonly kept = new Map<string, Kept>();
  /** Credentials that were good when they were last looked at, whatever became of them since. */
  private readonly good = new Set<string>();
  private readonly key = randomBytes(32).toString('base64');

  constructor(private readonly changes: CredentialChanges) {}

  /** At once when it is known and nothing has changed; null when it is not known. */
  recall(headers: IncomingHttpHeaders): Principal | Promise<Principal> | null {
    const name = this.nameOf(headers);
    const kept = this.kept.get(name);
    if (kept === undefined) return null;
    if (kept.until <= Date.now() || kept.keptUntil <= performance.now()) {
      this.kept.delete(name);
      return null;
    }
    const isSame = this.changes.isFresh() && kept.number === this.changes.number;
    return isSame ? kept.principal : this.renewed(name, kept);
  }

  /**
   * Proves and remembers it.
   *
   * @throws Unavailable when it cannot be known whether it is still so
   */
  keep(headers: IncomingHttpHeaders, prove: Proof): Promise<Principal> {
    return this.proven(this.nameOf(headers), prove);
  }

  /** Whether it was good when it was last looked at, so that looking again is not guessing. */
  wasGood(headers: IncomingHttpHeaders): boolean {
    return this.good.has(this.nameOf(headers));
  }

  noteGood(headers: IncomingHttpHeaders): void {
    const name = this.nameOf(headers);
    this.good.delete(name);
    this.good.add(name);
    if (this.good.size > MOST_KEPT) this.good.delete(this.good.values().next().value as string);
  }

  forgetGood(headers: IncomingHttpHeaders): void {
    this.good.delete(this.nameOf(headers));
  }

  private async renewed(name: string, kept: Kept): Promise<Principal> {
    await this.changes.ensureFresh();
    if (kept.number === this.changes.number) return kept.principal;
    this.kept.delete(name);
    return this.proven(name, kept.prove);
  }

  private async proven(name: string, prove: Proof): Promise<Principal> {
    await this.changes.ensureFresh();
    // First, because a change in between has to be seen next time.
    const { number } = this.changes;
    const proven = await prove();
    const keptUntil = performance.now() + (proven.keptMs ?? Number.POSITIVE_INFINITY);
    this.kept.delete(name);
    this.kept.set(name, { ...proven, keptUntil, prove, number });
    if (this.kept.size > MOST_KEPT) {
      for (const oldest of this.kept.keys()) {
        this.kept.delete(oldest);
        break;
      }
    }
    return proven.principal;
  }

  // Not HMAC, which costs five times as much: what it guards against besides, longer texts of the same beginning, is no
  // matter where nobody sees the hash.
  private nameOf({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string {
    // A key that comes as Authorization is no credential, however good it is in its own header.
    const credential =
      authorization === undefined ? `X-API-Key ${String(key)}` : `Authorization ${authorization}`;
    return hash('sha256', this.key + credential, 'base64');
  }
}
