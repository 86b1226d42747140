/**
 * The key by which two e-mail addresses are compared. It ignores case, and how a letter with an accent is encoded. The
 * key is computed here because the databases do not agree on `lower()`. The case is changed down, up and down again,
 * because the capital `ẞ` becomes `ss` only by way of `ß`.
 *
 * @param email already trimmed
 */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
