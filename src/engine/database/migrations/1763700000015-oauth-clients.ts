import { flag, id, instant, text, version } from '../columns.js';
import { NewTables } from '../create-table.js';

export class OAuthClients1763700000015 extends NewTables {
  readonly tables = {
    oauth_clients: {
      id: id(),
      client_id: text({ unique: true }),
      name: text(),
      secret_hash: text({ nullable: true }),
      previous_hash: text({ nullable: true }),
      previous_until: instant({ nullable: true }),
      redirect_uris: text(),
      grant_types: text(),
      scopes: text(),
      may_introspect: flag(),
      version: version(),
      created_at: instant(),
      revoked_at: instant({ nullable: true }),
    },
  };
}
