import { Column, Entity } from 'typeorm';
import { reference, text } from '../../engine/database/columns.js';

/** A link that an import has made: from a row of another system to our row. */
@Entity('external_ids')
export class ExternalId {
  @Column(text({ primary: true }))
  source!: string;

  /** The table of our row. */
  @Column(text({ primary: true }))
  kind!: string;

  @Column(text({ name: 'external_id', primary: true }))
  externalId!: string;

  /** This id stays when our row is deleted, so that the next import does not create the row again. */
  @Column(reference({ name: 'entity_id' }))
  entityId!: number;

  /**
   * A hash of the row at its last import. If the row has the same hash in the next import, there is nothing to do.
   */
  @Column(text())
  fingerprint!: string;
}
