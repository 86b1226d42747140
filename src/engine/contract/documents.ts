import { readFileSync } from 'node:fs';

// The documents are in the top folder of the project, beside src and dist.
const top = new URL('../../../', import.meta.url);

export const OPENAPI_YAML = readFileSync(new URL('openapi.yaml', top), 'utf8');

export const SCHEMA_GRAPHQL = readFileSync(new URL('schema.graphql', top), 'utf8');
