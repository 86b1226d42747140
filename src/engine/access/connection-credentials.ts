import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Unauthenticated } from '../errors/errors.js';
import { Credentials } from './credentials.js';
import type { Caller } from './caller.js';
import { ANONYMOUS, rightsOf, type Principal } from './principal.js';

const SECOND_MS = 1_000;
/** The maximum number of credentials that one sweep checks. The next sweeps check the other credentials. */
const MOST_AT_ONCE = 100;

/**
 * The credentials of connections that stay open. The service sends data on a connection only if its credential was
 * checked within the last second. The check may use facts that are up to a second old (see `CredentialChanges`). One
 * check serves all connections that use the credential from the same address, and all events of a second. When a
 * credential ends, the connections that use it are closed within three seconds, even if there are no events. The
 * closing takes longer if more than 100 credentials wait for a check.
 */
@Injectable()
export class ConnectionCredentials implements OnModuleDestroy {
  private readonly kept = new Map<string, Kept>();
  /**
   * The number of the present second. Thousands of connections read it at each event, and reading it is cheaper than
   * reading the system time.
   */
  private readonly clock: Clock = { second: 0 };
  private readonly timer = setInterval(() => this.sweep(), SECOND_MS).unref();

  constructor(private readonly credentials: Credentials) {}

  get count(): number {
    return this.kept.size;
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /**
   * @param ended is called at most once: when the credential is no longer valid, or when its rights have changed
   * @throws the same errors as `Credentials.principalOf`
   */
  async hold(caller: Caller, ended: (error: Error) => void): Promise<CredentialHandle> {
    const principal = await this.credentials.principalOf(caller);
    if (principal === ANONYMOUS) return { principal, credential: NONE, release: () => {} };
    const { authorization, 'x-api-key': key } = caller.headers;
    const rights = rightsOf(principal);
    // The name contains the rights. So if they change, only the connections with the earlier rights end.
    const name = JSON.stringify([authorization, key, caller.ip, rights]);
    const kept =
      this.kept.get(name) ??
      new Kept(principal, rights, this.clock, () => this.credentials.principalOf(caller));
    this.kept.set(name, kept);
    kept.holders.add(ended);
    return {
      principal,
      credential: kept,
      release: () => {
        kept.holders.delete(ended);
        if (kept.holders.size === 0 && this.kept.get(name) === kept) this.kept.delete(name);
      },
    };
  }

  private sweep(): void {
    this.lookAtSome();
    this.clock.second += 1;
  }

  private lookAtSome(): void {
    const stale = this.kept.entries().filter(([, kept]) => !kept.isFresh);
    // The array is made first. Otherwise the loop would visit again the credentials that it moves.
    for (const [name, kept] of stale.take(MOST_AT_ONCE).toArray()) {
      // The credential moves to the end of the map, so that all credentials get their turn.
      this.kept.delete(name);
      this.kept.set(name, kept);
      kept.confirm().catch(() => undefined);
    }
  }
}

export interface CredentialHandle {
  readonly principal: Principal;
  /** The same object for all connections with this credential and the same rights from the same address. */
  readonly credential: HeldCredential;
  release(): void;
}

export interface HeldCredential {
  /** Whether the credential was checked in the present second. If so, `confirm` is not needed. */
  readonly isFresh: boolean;
  /**
   * @throws Unauthenticated when the credential has ended, or when its rights have changed
   * @throws the same errors as `Credentials.principalOf`
   */
  confirm(): Promise<void>;
}

const NONE: HeldCredential = { isFresh: true, confirm: async () => {} };

interface Clock {
  /** The number of sweeps so far. There is one sweep each second. */
  second: number;
}

class Kept implements HeldCredential {
  readonly holders = new Set<(error: Error) => void>();
  private checkedIn: number;
  private checking: Promise<void> | null = null;

  constructor(
    private readonly principal: Principal,
    private readonly rights: string,
    private readonly clock: Clock,
    private readonly look: () => Principal | Promise<Principal>,
  ) {
    this.checkedIn = clock.second;
  }

  get isFresh(): boolean {
    return this.checkedIn === this.clock.second && !this.hasExpired;
  }

  private get hasExpired(): boolean {
    const { expiresAt } = this.principal;
    return expiresAt !== null && expiresAt.getTime() <= Date.now();
  }

  confirm(): Promise<void> {
    this.checking ??= this.lookAgain().finally(() => (this.checking = null));
    return this.checking;
  }

  private async lookAgain(): Promise<void> {
    try {
      const { second } = this.clock;
      const principal = await this.look();
      // Subscribers with the same rights share the results of a subscription. So a running subscription cannot continue
      // with other rights.
      if (rightsOf(principal) !== this.rights) {
        throw new Unauthenticated('The rights of the credential have changed. Connect again.');
      }
      this.checkedIn = second;
    } catch (error) {
      if (error instanceof Unauthenticated) {
        for (const ended of this.holders) ended(error);
        this.holders.clear();
      }
      throw error;
    }
  }
}
