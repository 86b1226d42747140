import { id, instant, text, version } from '../columns.js';
import { NewTables } from '../create-table.js';

export class Users1763700000003 extends NewTables {
  readonly tables = {
    users: {
      id: id(),
      name: text(),
      email: text(),
      email_key: text({ unique: true }),
      version: version(),
      created_at: instant(),
      updated_at: instant(),
    },
  };
  override readonly counted = ['users'];
}
