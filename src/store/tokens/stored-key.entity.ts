import { Column, Entity } from 'typeorm';
import { id, instant, secret, text, version } from '../../engine/database/columns.js';
import type { PlainRow } from '../../generated/plain.js';

/** The stored form of a `SigningKey`. */
@Entity('signing_keys')
export class StoredKey implements PlainRow<'v2', 'StoredKey'> {
  @Column(id())
  id!: number;

  @Column(text())
  kid!: string;

  /** PKCS #8, sealed; see `MasterKey`. */
  @Column(secret({ name: 'private_key' }))
  privateKey!: string;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  @Column(instant({ name: 'good_until', nullable: true }))
  goodUntil!: Date | null;

  /** A revoked key stays revoked, even if the clock is set back. */
  @Column(instant({ name: 'revoked_at', nullable: true }))
  revokedAt!: Date | null;

  @Column(version())
  version!: number;
}
