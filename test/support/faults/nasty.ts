import * as fc from 'fast-check';

/** Texts that some parser misreads or loses. */
const PARTS = [
  ']]>', '<![CDATA[', '<!--', '-->', '</name>', '<script>alert(1)</script>', '&amp;', '&#13;', '&', '<', '>', '"', "'",
  'yes', 'no', 'on', 'off', 'y', 'n', 'null', '~', 'true', 'FALSE', '012', '0o14', '0x1F', '1e3', '1_000', '1:20', '.inf',
  '.nan', '-0', '2026-11-21', '2026-11-21T08:44:54Z', '9007199254740993', '=1+1', "'=1", "''", '+1', '-1', '@SUM(A1)',
  '=cmd|/c calc', ' ', '  ', '\t', '\n', '\r', '\r\n', ',', ';', '""', '- a', '? a', ': ', ' #', '#', '&a', '*a', '!!str',
  '%YAML 1.1', '---', '...', '|', '>-', '[', '{', '<<', '=', '😀', '👩‍👩‍👧‍👦', 'é', 'e\u0301', '\u202Eabc', '\u2066x\u2069', '\u200F',
  '\u2028', '\u2029', '\uFEFF', '\u00A0', '\uFFFE', '\uFFFF', '\uFFFD', '\u{10FFFF}', '\u{1F3F4}\u{E0067}', '__proto__',
]; // prettier-ignore

/**
 * Every character except the surrogates. The unit `binary` of fast-check has the same characters, but fast-check then
 * makes a table of a million characters for each arbitrary.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: 0x10_ff_ff - 0x800 })
  .map((index) => String.fromCodePoint(index < 0xd8_00 ? index : index + 0x800));

/** Unicode texts. Most of them consist of `PARTS`. Lone surrogates are left out. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PARTS) },
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }).map((parts) => parts.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
);

export const nastyNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.01, 0.1, 1e-7, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e21, 1.5e300, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.integer(),
);
