import { Column, Entity } from 'typeorm';
import { id, instant, text, version } from '../database/columns.js';

declare module '../generated/contract.js' {
  interface Entities {
    User: User;
  }
}

@Entity('users')
export class User {
  @Column(id())
  id!: number;

  @Column(text())
  name!: string;

  /** As it was written; see `emailKey` for what tells two apart. */
  @Column(text())
  email!: string;

  /** What makes an e-mail address unique (see `emailKey`); never read. */
  @Column(text({ name: 'email_key', select: false }))
  emailKey?: string;

  @Column(version())
  version!: number;

  @Column(instant({ name: 'created_at' }))
  createdAt!: Date;

  @Column(instant({ name: 'updated_at' }))
  updatedAt!: Date;
}
