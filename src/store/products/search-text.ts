/**
 * The form in which names are stored for searching, and searched for: without case and accents. It is computed here
 * because the databases do not agree on `lower()`. The result is in upper case, because lower case depends on the next
 * letter (the Greek sigma at the end of a word) and keeps `ß` apart from `ss`. The text is first put in lower case,
 * because the capital `ẞ` is its own upper case.
 */
export function searchText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFKC');
}

/**
 * A pattern for `LIKE … ESCAPE '\'` that finds the text anywhere in a name. A text that consists only of accents is
 * left as it is. Without its accents it would be empty, and an empty text is found in every name.
 */
export function containing(text: string): string {
  const trimmed = text.trim();
  return `%${(searchText(trimmed) || trimmed).replace(/[\\%_]/g, '\\$&')}%`;
}
