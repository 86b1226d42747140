import { listIn, type Format } from './format.js';

/** One JSON text on each line. */
export const ndjson: Format = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  headers: {},
  compile: () => (value) => (listIn(value) ?? []).map(rowOf).join(''),
  rows: () => ({ head: '', row: rowOf }),
  problem: null,
};

function rowOf(item: unknown): string {
  return `${JSON.stringify(item)}\n`;
}
