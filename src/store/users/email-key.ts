/**
 * What tells two e-mail addresses apart: neither case nor the way in which a letter is composed. It is computed here
 * because the databases do not agree on `lower()`. Down, up and down again: the capital `ẞ` only becomes `ss` by way of `ß`.
 *
 * @param email already trimmed
 */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
