import { text } from '../columns.js';
import { NewTables } from '../create-table.js';

/** Settings of the data, not of a process, such as the currency of the prices. */
export class Settings1763700000002 extends NewTables {
  readonly tables = { settings: { name: text({ unique: true }), value: text() } };
}
