import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CredentialChanges } from './credential-changes.js';
import type { Principal } from './principal.js';

const MOST_KEPT = 10_000;

export interface Proven {
  readonly principal: Principal;
  /** Until when it is good if nothing changes, in milliseconds since 1970. */
  readonly until: number;
}

/** Finds out once more who somebody is, after a change. @throws Unauthenticated when nobody any more */
export type Proof = () => Promise<Proven>;

interface Kept extends Proven {
  readonly prove: Proof;
  readonly number: number;
}

/**
 * Remembers who was proven by which credential, under its hash: one that nobody can guess, which a password is not. It
 * holds as long as nothing changes that credentials hang on; then it is proven again.
 */
@Injectable()
export class KeptPrincipals {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly changes: CredentialChanges) {}

  /** At once when it is known and nothing has changed; null when it is not known. */
  recall(credential: string): Principal | Promise<Principal> | null {
    const name = nameOf(credential);
    const kept = this.kept.get(name);
    if (kept === undefined) return null;
    if (kept.until <= Date.now()) {
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
  keep(credential: string, prove: Proof): Promise<Principal> {
    return this.proven(nameOf(credential), prove);
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
    const { principal, until } = await prove();
    this.kept.delete(name);
    this.kept.set(name, { principal, until, prove, number });
    if (this.kept.size > MOST_KEPT) {
      for (const oldest of this.kept.keys()) {
        this.kept.delete(oldest);
        break;
      }
    }
    return principal;
  }
}

function nameOf(credential: string): string {
  return hash('sha256', credential, 'base64');
}
