/**
 * The database in the settings cannot be used. The message names the database, the reason, and what the operator has to
 * do.
 */
export class DatabaseSettingsError extends Error {
  override readonly name = 'DatabaseSettingsError';
}
