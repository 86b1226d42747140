import { readFileSync } from 'node:fs';

// The documents are in the top folder of the project, beside src and dist.
const top = new URL('../../../', import.meta.url);

/** The bytes of the document. As a text, the document would take twice the memory. */
export const OPENAPI_YAML = readFileSync(new URL('openapi.yaml', top));

export const SCHEMA_GRAPHQL = readFileSync(new URL('schema.graphql', top), 'utf8');
