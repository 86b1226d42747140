const SECRET_NAME = /pass|pwd|secret|token/i;

/** The address of a database without its secrets in the user part and the query. */
export function shownUrl(url: string): string {
  return (
    url
      .replace(/([?&])([^?=&#]*)=[^&#]*/g, (parameter, mark: string, name: string) =>
        isSecret(name) ? `${mark}${name}=(hidden)` : parameter,
      )
      // A password may itself contain an @, so only the last @ ends the password.
      .replace(/^([^:]*:\/\/[^:/@]*):.*@/, '$1@')
  );
}

/** The name is decoded, because drivers decode names too. */
function isSecret(name: string): boolean {
  try {
    return SECRET_NAME.test(decodeURIComponent(name));
  } catch {
    return true;
  }
}
