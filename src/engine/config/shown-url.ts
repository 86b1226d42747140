const SECRET_NAME = /pass|pwd|secret|token/i;

/**
 * The beginning of a query. A password may itself contain a question mark, so only these parameters show where the
 * query begins.
 */
const QUERY = /\?(?:application_name|connect_timeout|options|sslmode|statement_timeout)=/;

/** The address of a database without its secrets in the user part and the query. */
export function shownUrl(url: string): string {
  const shown = url.replace(/([?&])([^?=&#]*)=[^&#]*/g, (parameter, mark: string, name: string) =>
    isSecret(name) ? `${mark}${name}=(hidden)` : parameter,
  );
  const query = shown.search(QUERY);
  const end = query === -1 ? shown.length : query;
  return withoutPassword(shown.slice(0, end)) + shown.slice(end);
}

/**
 * A password may itself contain any character, so only the last @ ends it. `new URL` is not used, because it ends the
 * password at a `/` or a `?`, and may take its first digits as a port. The shown address would then contain the rest of
 * the password.
 */
function withoutPassword(address: string): string {
  return address.replace(/^([^:]*:\/\/[^:]*):.*@/s, '$1@');
}

/** The name is decoded, because drivers decode names too. */
function isSecret(name: string): boolean {
  try {
    return SECRET_NAME.test(decodeURIComponent(name));
  } catch {
    return true;
  }
}
