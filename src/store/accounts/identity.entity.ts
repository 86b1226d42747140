import { Column, Entity } from 'typeorm';
import { id, instant, reference, text, version } from '../../engine/database/columns.js';
import type { PlainRow } from '../../generated/plain.js';

/** The link between a user and the subject by which an outside issuer knows the user. */
@Entity('identities')
export class Identity implements PlainRow<'v2', 'Identity'> {
  @Column(id())
  id!: number;

  @Column(text())
  issuer!: string;

  @Column(text())
  subject!: string;

  @Column(reference({ name: 'user_id' }))
  userId!: number;

  @Column(version())
  version!: number;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;
}
