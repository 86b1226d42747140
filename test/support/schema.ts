import { parse } from 'yaml';
import { OPENAPI_YAML } from '../../src/contract/documents.js';

export type Node = Record<string, unknown>;

/** The keywords that say what a value looks like. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export const DOCUMENT = parse(OPENAPI_YAML) as Node & {
  paths: Record<string, Node>;
};

/** What a reference leads to; anything else is itself. */
export function resolve(node: object): object {
  const reference = (node as { $ref?: string }).$ref;
  if (reference === undefined) return node;
  return resolve(
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, step) => (at as Node)[step], DOCUMENT) as object,
  );
}
