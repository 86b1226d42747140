import { Column, Entity } from 'typeorm';
import { flag, id, instant, secret, text, version } from '../../engine/database/columns.js';
import type { Scope } from '../../generated/operations.js';

export type GrantType = 'client_credentials' | 'authorization_code' | 'refresh_token';

/** A program that gets tokens from the authorization server. In a column with a list, spaces separate the items. */
@Entity('oauth_clients')
export class Client {
  @Column(id())
  id!: number;

  /** The `client_id` that the program sends. It is public. */
  @Column(text({ name: 'client_id' }))
  clientId!: string;

  @Column(text())
  name!: string;

  /** SHA-256 of the secret, in hexadecimal; null for a public client. */
  @Column(secret({ name: 'secret_hash', nullable: true }))
  secretHash!: string | null;

  /** The hash of the secret before the last rotation. It is valid until `previousUntil`. */
  @Column(secret({ name: 'previous_hash', nullable: true }))
  previousHash!: string | null;

  @Column(instant({ name: 'previous_until', nullable: true }))
  previousUntil!: Date | null;

  @Column(text({ name: 'redirect_uris' }))
  redirectUris!: string;

  @Column(text({ name: 'grant_types' }))
  grantTypes!: string;

  @Column(text())
  scopes!: string;

  @Column(flag({ name: 'may_introspect' }))
  mayIntrospect!: boolean;

  @Column(version())
  version!: number;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  @Column(instant({ name: 'revoked_at', nullable: true }))
  revokedAt!: Date | null;
}

/**
 * A client together with its secret. The secret exists only until the answer is sent, except in the sealed result of a
 * request with an `Idempotency-Key`.
 */
export interface IssuedClient {
  readonly client: Client;
  /** Null for a public client. */
  readonly secret: string | null;
  readonly version: number;
}

export function listOf<T extends string>(joined: string): T[] {
  return joined.split(' ').filter((item) => item !== '') as T[];
}

export function scopesOf({ scopes }: Client): Scope[] {
  return listOf(scopes);
}

/** The data of a new client; see `requireSound`. */
export interface NewClient {
  readonly name: string;
  /** Whether the client gets a secret. */
  readonly isConfidential: boolean;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  /** All scopes that its tokens can have. */
  readonly scopes: readonly Scope[];
  readonly mayIntrospect: boolean;
}
