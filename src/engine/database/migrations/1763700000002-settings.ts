import { text } from '../columns.js';
import { NewTables } from '../create-table.js';

/**
 * Settings that belong to the data, such as the currency of the prices. A process has other settings, which come from
 * the environment.
 */
export class Settings1763700000002 extends NewTables {
  readonly tables = { settings: { name: text({ unique: true }), value: text() } };
}
