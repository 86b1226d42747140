// Control characters, line separators, lone surrogates, and invisible format characters (they can reverse text).
// Joiners and non-joiners are allowed, because they only change the shapes of the letters beside them.
const CHARACTERS_TO_ESCAPE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Returns a value in a form that can be a part of a line of output. Characters that would move or hide something are
 * escaped as in JSON, such as `\u001b`.
 */
export function shown(value: string): string {
  return value.replaceAll(CHARACTERS_TO_ESCAPE, escaped);
}

export function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
