import { Column, Entity } from 'typeorm';
import { id, instant, text } from '../database/columns.js';

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
}
