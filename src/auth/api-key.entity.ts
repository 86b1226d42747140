import { Column, Entity } from 'typeorm';
import { id, instant, reference, text } from '../database/columns.js';

@Entity('api_keys')
export class ApiKey {
  @Column(id())
  id!: number;

  @Column(text())
  name!: string;

  /** SHA-256 of the secret, in hexadecimal; the secret itself is stored nowhere. */
  @Column(text({ name: 'secret_hash' }))
  secretHash!: string;

  /** Separated by blanks. */
  @Column(text())
  scopes!: string;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  /** Whose key it is; null for that of a client. */
  @Column(reference({ name: 'user_id', nullable: true }))
  userId!: number | null;
}
