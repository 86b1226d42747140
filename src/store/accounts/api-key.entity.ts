import { Column, Entity } from 'typeorm';
import { id, instant, reference, secret, text, version } from '../../engine/database/columns.js';

@Entity('api_keys')
export class ApiKey {
  @Column(id())
  id!: number;

  @Column(text())
  name!: string;

  /** SHA-256 of the secret, in hexadecimal; this table does not have the secret itself. */
  @Column(secret({ name: 'secret_hash' }))
  secretHash!: string;

  /** The scopes, with spaces between them. */
  @Column(text())
  scopes!: string;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  /** The user that the key belongs to; null for the key of a client. */
  @Column(reference({ name: 'user_id', nullable: true }))
  userId!: number | null;

  @Column(version())
  version!: number;

  @Column(instant({ name: 'expires_at', nullable: true }))
  expiresAt!: Date | null;

  @Column(instant({ name: 'revoked_at', nullable: true }))
  revokedAt!: Date | null;

  /** The time of the last stored use. The uses of the next 90 seconds may be left out; see `KeyUses`. */
  @Column(instant({ name: 'last_used_at', nullable: true }))
  lastUsedAt!: Date | null;

  /** The hash of the secret before the last rotation. It is valid until `previousUntil`. */
  @Column(secret({ name: 'previous_hash', nullable: true }))
  previousHash!: string | null;

  @Column(instant({ name: 'previous_until', nullable: true }))
  previousUntil!: Date | null;
}

/**
 * A key together with the text that its holder sends. The text exists only until the answer is sent, except in the
 * sealed result of a request with an `Idempotency-Key`.
 */
export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  readonly key: string;
  readonly version: number;
}
