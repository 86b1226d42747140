import { createRequire } from 'node:module';
import type { Format } from './format.js';

const require = createRequire(import.meta.url);
/** The library is loaded for the first answer in this format, because its many files would delay the start. */
const library = (): typeof import('yaml') => require('yaml') as typeof import('yaml');

/** Parsers do not keep these characters unchanged: in YAML 1.1 they are line breaks, or they are not allowed. */
const ESCAPED = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/**
 * Every text is quoted, so that no parser of YAML 1.1 or 1.2 reads `yes`, `012` or `1e3` as another type. Names are
 * quoted only where a parser could misread them.
 */
export const yaml: Format = {
  name: 'yaml',
  mediaType: 'application/yaml',
  headers: {},
  compile: () => (value) =>
    library()
      .stringify(value, {
        schema: 'core',
        compat: 'yaml-1.1',
        defaultStringType: 'QUOTE_DOUBLE',
        defaultKeyType: 'PLAIN',
        lineWidth: 0,
        aliasDuplicateObjects: false,
      })
      .replaceAll(ESCAPED, escaped),
  problem: null,
};

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
