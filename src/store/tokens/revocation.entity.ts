import { Column, Entity } from 'typeorm';
import { id, instant, reference, text } from '../../engine/database/columns.js';

@Entity('revocations')
export class Revocation {
  @Column(id())
  id!: number;

  /** The holder of the tokens; see `holderOf`. */
  @Column(text())
  holder!: string;

  @Column(instant({ name: 'not_before' }))
  notBefore!: Date;

  /** The number of the change; see `CredentialChanges`. */
  @Column(reference())
  changed!: number;
}
