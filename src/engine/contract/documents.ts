import { readFileSync } from 'node:fs';

// They stand at the top of the project, beside src and dist alike.
const top = new URL('../../../', import.meta.url);

export const OPENAPI_YAML = readFileSync(new URL('openapi.yaml', top), 'utf8');

export const SCHEMA_GRAPHQL = readFileSync(new URL('schema.graphql', top), 'utf8');
