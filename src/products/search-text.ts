/**
 * The form in which names are stored for searching, and searched for: without case and accents. It is computed here
 * because the databases do not agree on `lower()`.
 */
export function searchText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFKC');
}

/** A pattern for `LIKE … ESCAPE '\'` that finds the text anywhere. */
export function containing(text: string): string {
  return `%${searchText(text.trim()).replace(/[\\%_]/g, '\\$&')}%`;
}
