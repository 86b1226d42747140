import type { IncomingHttpHeaders } from 'node:http';
import type { Credentials } from '../access/credentials.js';
import type {
  HeldCredential,
  ConnectionCredentials,
  CredentialHandle,
} from '../access/connection-credentials.js';
import type { Caller } from '../access/caller.js';
import type { Principal } from '../access/principal.js';
import { requireTaken, type RateLimits } from '../rate-limits/rate-limits.js';
import type { Place } from '../rate-limits/places.js';
import type { OperationCaller } from './context.js';
import { credentialOf } from './handshake.js';

/** The caller at the other end of a WebSocket. */
export class Peer {
  private credential: IncomingHttpHeaders = {};
  private handle: CredentialHandle | null = null;
  private principal: Principal | null = null;

  constructor(
    private readonly handshake: Caller,
    private readonly credentials: Credentials,
    private readonly held: ConnectionCredentials,
    private readonly limits: RateLimits,
    private readonly place: Place,
  ) {}

  /** The name of the caller, for the log. */
  get name(): string | undefined {
    return this.principal?.name;
  }

  get isKnown(): boolean {
    return this.principal !== null;
  }

  /**
   * @param payload the payload of `connection_init`
   * @param ended is called when the credential is no longer valid, or when its rights have changed
   * @throws MalformedRequest for several credentials
   * @throws the same errors as `Credentials.principalOf`
   */
  async introduce(payload: Readonly<Record<string, unknown>>, ended: (error: Error) => void): Promise<void> {
    this.credential = credentialOf(payload, this.handshake.headers);
    this.handle = await this.held.hold({ ...this.handshake, headers: this.credential }, ended);
    this.principal = this.handle.principal;
  }

  /**
   * Moves the count of the handshake, and the place of the socket (see `Places`), from the address to the caller. The
   * handshake was counted for the address, because the caller was not known yet. Does nothing for an anonymous caller.
   *
   * @throws RateLimited, Unavailable
   */
  async count(): Promise<void> {
    if (!this.principal || this.principal.kind === 'anonymous') return;
    this.limits.giveBack(this.limits.ofAddress(this.handshake.ip));
    const subject = this.limits.of(this.principal, this.handshake.ip);
    requireTaken(await this.limits.take(subject));
    this.place.moveTo(subject);
  }

  /**
   * Determines the caller at each operation, as at each HTTP request, because a caller has no rights after its
   * credential has ended.
   *
   * @throws the same errors as `Credentials.principalOf`
   */
  async identify(): Promise<OperationCaller> {
    const { ip } = this.handshake;
    const caller = { headers: this.credential, ip };
    const principal = await this.credentials.principalOf(caller);
    this.principal = principal;
    return {
      principal,
      ip,
      subject: this.limits.of(principal, ip),
      confirm: () => this.credentials.confirmNow(caller, principal),
    };
  }

  /** The credential. If it is not fresh, it has to be confirmed before anything is sent. Null before `introduce`. */
  get heldCredential(): HeldCredential | null {
    return this.handle?.credential ?? null;
  }

  leave(): void {
    this.handle?.release();
  }
}
