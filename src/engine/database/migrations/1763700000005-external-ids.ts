import { reference, text } from '../columns.js';
import { NewTables } from '../create-table.js';

/** Maps rows of another system to our rows. The fingerprint is made from the other system's row at the last import. */
export class ExternalIds1763700000005 extends NewTables {
  readonly tables = {
    external_ids: {
      source: text({ primary: true }),
      kind: text({ primary: true }),
      external_id: text({ primary: true }),
      // There is no foreign key, so this entry stays when our row is deleted. Without the entry, the next import
      // would restore the deleted row.
      entity_id: reference(),
      fingerprint: text(),
    },
  };
}
