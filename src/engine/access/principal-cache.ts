import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { CredentialChanges } from './credential-changes.js';
import type { Principal } from './principal.js';

const MOST_KEPT = 10_000;

export interface Proven {
  readonly principal: Principal;
  /** The end of its validity if nothing changes, in milliseconds since 1970. */
  readonly until: number;
  /** For how long it is used without another check; forever if absent. */
  readonly keptMs?: number;
}

/**
 * Proves the credential again after a change.
 *
 * @throws Unauthenticated when it is no longer valid
 */
export type Proof = () => Promise<Proven>;

interface Kept extends Proven {
  /** On the clock of `performance`, because the system clock may be set back. */
  readonly keptUntil: number;
  readonly prove: Proof;
  readonly number: number;
}

/**
 * Remembers the principals of proven credentials, under a hash that cannot be computed outside of this process, since
 * some credentials are passwords. An entry is valid until a fact about credentials changes; then it is proven again.
 */
@Injectable()
export class PrincipalCache {
  private readonly kept = new Map<string, Kept>();
  /** Credentials that were valid at their last check, even if they have ended since. */
  private readonly good = new Set<string>();
  private readonly key = randomBytes(32).toString('base64');

  constructor(private readonly changes: CredentialChanges) {}

  /** Returns synchronously when the credential is known and nothing has changed; null when it is not known. */
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
   * Proves and remembers a credential.
   *
   * @throws Unavailable when it cannot be determined whether the remembered facts are still valid
   */
  keep(headers: IncomingHttpHeaders, prove: Proof): Promise<Principal> {
    return this.proven(this.nameOf(headers), prove);
  }

  /** Whether it was valid at its last check, so that another check is not a guess. */
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
    // The number is read first, so that a change in between is noticed the next time.
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

  // HMAC is not used, because it takes five times as long. It would also prevent length extension, which does not
  // matter for a hash that never leaves the process.
  private nameOf({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string {
    // An API key in Authorization is not a credential, even if it is valid in its own header.
    const credential =
      authorization === undefined ? `X-API-Key ${String(key)}` : `Authorization ${authorization}`;
    return hash('sha256', this.key + credential, 'base64');
  }
}
