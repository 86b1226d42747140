import type { Format } from './format.js';

export const json: Format = {
  name: 'json',
  mediaType: 'application/json',
  headers: {},
  compile: () => (value) => JSON.stringify(value),
  problem: { mediaType: 'application/problem+json', encode: (problem) => JSON.stringify(problem) },
};
