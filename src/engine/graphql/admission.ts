import { Lexer, Source, TokenKind } from 'graphql';
import { GraphqlLimitExceeded } from '../errors/errors.js';

/**
 * The maximum size in bytes of a message with an operation. This bound has room for the variables, and for the longest
 * text, with three bytes in UTF-8 for each character.
 */
export const MAX_MESSAGE_BYTES = 262_144;

/**
 * The maximum number of characters of a text. `MAX_TOKENS` is not enough, because comments and blanks are no tokens,
 * and each string is one token, whatever its length. A text of these could fill the memory.
 */
const MAX_TEXT_LENGTH = 65_536;
/** Bounds the lines, because graphql-js finds the line of each error by counting from the beginning of the text. */
const MAX_LINES = 4_000;
const MAX_TOKENS = 2_000;
/**
 * The maximum number of brackets of all kinds that are open at one place. The parser, the validation rules and the
 * execution are all recursive, with at least one call for each bracket.
 */
const MAX_NESTING = 128;
const MAX_VALUES = 2_000;
const MAX_CHARACTERS = 65_536;
const MAX_LEVELS = 32;

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Reads a text token by token, in one loop, before any recursive function reads it.
 *
 * @throws GraphqlLimitExceeded
 */
export function requireReadable(text: string): void {
  requireAtMost('length', text.length, MAX_TEXT_LENGTH);
  requireAtMost('number of lines', text.split(/\r\n|\r|\n/).length, MAX_LINES);
  const { tokens, nesting } = sizeOf(text);
  requireAtMost('number of tokens', tokens, MAX_TOKENS);
  requireAtMost('nesting', nesting, MAX_NESTING);
}

/** Counts up to the first syntax error, because the parser stops there too. */
function sizeOf(text: string): { readonly tokens: number; readonly nesting: number } {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let open = 0;
  let nesting = 0;
  try {
    for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
      tokens += 1;
      if (OPENING.has(kind)) nesting = Math.max(nesting, (open += 1));
      else if (CLOSING.has(kind)) open -= 1;
    }
  } catch {
    // The parser reports the syntax error.
  }
  return { tokens, nesting };
}

/**
 * Counts the content of the variables or the extensions of an operation, in one loop, before any recursive function
 * reads them or prints them into an error.
 *
 * @throws GraphqlLimitExceeded
 */
export function requireSmall(name: 'variables' | 'extensions', given: unknown): void {
  if (given == null) return;
  let values = 0;
  let characters = 0;
  let levels = 0;
  const open: { readonly value: unknown; readonly level: number }[] = [{ value: given, level: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, level } = next;
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (typeof value !== 'object' || value === null) continue;
    levels = Math.max(levels, level);
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      if (!isList) characters += key.length;
      open.push({ value: (value as Record<string, unknown>)[key], level: level + 1 });
    }
  }
  // The enclosing object itself does not count.
  requireAtMost(`number of values in the ${name}`, values - 1, MAX_VALUES);
  requireAtMost(`number of characters in the ${name}`, characters, MAX_CHARACTERS);
  requireAtMost(`depth of the ${name}`, levels, MAX_LEVELS);
}

/** @throws GraphqlLimitExceeded naming the limit, the value and the bound */
export function requireAtMost(what: string, value: number, bound: number, advice = ''): void {
  if (value > bound) {
    throw new GraphqlLimitExceeded(
      `The ${what} of this operation is ${value}; it may be at most ${bound}.${advice}`,
    );
  }
}
