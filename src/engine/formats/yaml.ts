import { createRequire } from 'node:module';
import type { Format } from './format.js';

/** Loaded with the first answer in this format: it is 72 files that no start should wait for. */
const require = createRequire(import.meta.url);
const library = (): typeof import('yaml') => require('yaml') as typeof import('yaml');

/** No reader keeps these as they are: of version 1.1 they are ends of lines or nothing that may be written. */
const ESCAPED = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/**
 * Every text is quoted, so that no reader, of YAML 1.1 or 1.2, takes `yes`, `012` or `1e3` for something else; of names
 * those that would be mistaken.
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
