import { Column, Entity } from 'typeorm';
import { reference, text } from '../../engine/database/columns.js';

/** The memory of imports: it links a row of another system to our row. */
@Entity('external_ids')
export class ExternalId {
  @Column(text({ primary: true }))
  source!: string;

  /** The table of our row. */
  @Column(text({ primary: true }))
  kind!: string;

  @Column(text({ name: 'external_id', primary: true }))
  externalId!: string;

  /** It stays when our row is deleted. */
  @Column(reference({ name: 'entity_id' }))
  entityId!: number;

  /** A hash of the row as it was imported last. If it is the same again, there is nothing to do. */
  @Column(text())
  fingerprint!: string;
}
