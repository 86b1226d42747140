import { id, instant, text } from '../columns.js';
import { NewTables } from '../create-table.js';

export class ApiKeys1763700000001 extends NewTables {
  readonly tables = {
    api_keys: {
      id: id(),
      name: text(),
      secret_hash: text(),
      scopes: text(),
      created_at: instant(),
    },
  };
}
