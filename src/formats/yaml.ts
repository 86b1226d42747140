import { stringify } from 'yaml';
import type { Format } from './format.js';

/**
 * Every text is quoted, so that no reader, of YAML 1.1 or 1.2, takes `yes`, `012` or `1e3` for something else; of names
 * those that would be mistaken.
 */
export const yaml: Format = {
  name: 'yaml',
  mediaType: 'application/yaml',
  headers: {},
  compile: () => (value) =>
    stringify(value, {
      schema: 'core',
      compat: 'yaml-1.1',
      defaultStringType: 'QUOTE_DOUBLE',
      defaultKeyType: 'PLAIN',
      lineWidth: 0,
      aliasDuplicateObjects: false,
    }),
  problem: null,
};
