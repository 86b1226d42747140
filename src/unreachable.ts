import { withoutPassword, type Config } from './config.js';
import { DatabaseSettingsError } from './database/data-source.js';
import { faultOf } from './database/faults.js';

/** Says in words that the database could not be reached; any other error stays what it is. */
export function explainUnreachable({ databaseUrl }: Config, error: unknown): unknown {
  if (error instanceof DatabaseSettingsError || faultOf(error).kind !== 'unavailable') return error;
  return new DatabaseSettingsError(
    `The database ${withoutPassword(databaseUrl)} cannot be reached (${reasonOf(error)}). ` +
      'See that it runs and takes connections from here, or set STORE_DATABASE_URL to another one.',
    { cause: error },
  );
}

/** What a name of several addresses failed of has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
