/**
 * The form of a text for searches: without case and accents. Stored names and searched texts both get this form. The
 * service computes this form, because `lower()` gives different results on the two databases. The result is in upper
 * case for two reasons: the lower case of the Greek sigma depends on the next letter, and in lower case `ß` and `ss`
 * are different. The text is put in lower case first, because the upper case of the capital `ẞ` is `ẞ` itself.
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
 * The form of several texts of a row, one in each line. A searched text has no line feed, so it is found only within
 * one line.
 */
export function searchTextOf(...texts: readonly string[]): string {
  return texts.map(searchText).join('\n');
}

/**
 * The text that is searched for in stored texts. A text that consists only of accents is left as it is. Without its
 * accents it would be empty, and an empty text is found everywhere.
 */
export function soughtText(text: string): string {
  const trimmed = text.trim();
  return searchText(trimmed) || trimmed;
}

/** A pattern for `LIKE … ESCAPE '\'` that finds the text anywhere in a stored text. */
export function containing(text: string): string {
  return `%${soughtText(text).replace(/[\\%_]/g, '\\$&')}%`;
}
