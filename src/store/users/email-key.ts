/**
 * The key by which two e-mail addresses are compared. It ignores case and the encoding of letters with accents. The
 * service computes the key, because `lower()` gives different results on the two databases. The text is put in lower
 * case, then in upper case, then in lower case again, because the capital `ẞ` becomes `ß` first, then `SS`, then `ss`.
 *
 * @param email already trimmed
 */
export function emailKey(email: string): string {
  return email.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
