import { Column, Entity } from 'typeorm';
import { OwnsRecords } from '../../engine/idempotency/record-owner.js';
import { id, instant, text, version } from '../../engine/database/columns.js';
import type { PlainRow } from '../../generated/plain.js';

@Entity('users')
@OwnsRecords('users')
export class User implements PlainRow<'v1', 'User'>, PlainRow<'v2', 'User'> {
  @Column(id())
  id!: number;

  @Column(text())
  name!: string;

  /** The address as the user wrote it; see `emailKey` for how two addresses are compared. */
  @Column(text())
  email!: string;

  /**
   * The key that makes an e-mail address unique (see `emailKey`). The column is only compared, and never read into an
   * entity.
   */
  @Column(text({ name: 'email_key', select: false }))
  emailKey?: string;

  /**
   * The name and the address in the form in which `q` is compared with them (see `searchTextOf`). The column is only
   * searched, and never read into an entity.
   */
  @Column(text({ name: 'search_text', select: false }))
  searchText?: string;

  /**
   * A PHC string of argon2id; null for a user without a password. The column is never read into an entity. Some
   * statements of `UsersRepository` read it.
   */
  @Column(text({ name: 'password_hash', nullable: true, select: false }))
  passwordHash?: string | null;

  @Column(version())
  version!: number;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  @Column(instant({ name: 'updated_at' }))
  updatedAt!: Date;
}
