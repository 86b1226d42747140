import { Column, Entity } from 'typeorm';
import { reference, text } from '../../engine/database/columns.js';

/** The memory of imports: what a row of another system has become here. */
@Entity('external_ids')
export class ExternalId {
  @Column(text({ primary: true }))
  source!: string;

  /** The table of our row. */
  @Column(text({ primary: true }))
  kind!: string;

  @Column(text({ name: 'external_id', primary: true }))
  externalId!: string;

  /** Stays when our row is deleted. */
  @Column(reference({ name: 'entity_id' }))
  entityId!: number;

  /** A hash of the row as it was imported last; the same one again means that there is nothing to do. */
  @Column(text())
  fingerprint!: string;
}
