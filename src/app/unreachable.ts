import type { Config } from '../engine/config/config.js';
import { DatabaseSettingsError } from '../engine/database/settings-error.js';
import { faultOf, reasonOf } from '../engine/database/faults.js';
import { shownUrl } from '../engine/config/shown-url.js';

/** Turns the error of an unreachable database into a message that says what to do. Returns any other error as it is. */
export function explainUnreachable({ database }: Config, error: unknown): unknown {
  if (error instanceof DatabaseSettingsError || faultOf(error).kind !== 'unavailable') return error;
  return new DatabaseSettingsError(
    `The database ${shownUrl(database.url)} cannot be reached (${reasonOf(error)}). ` +
      'Check that it runs and accepts connections from here, or set STORE_DATABASE_URL to another database.',
    { cause: error },
  );
}
