import { parse } from 'yaml';
import { withDerivedMethods } from './derived-methods.ts';
import { withUnlisted } from './unlisted.ts';

/** A schema of JSON Schema 2020-12 without references. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly readOnly?: boolean;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly example: unknown;
}

export interface Documented {
  readonly headers: ReadonlyMap<string, Schema>;
  readonly content: ReadonlyMap<string, Schema>;
}

/** One of the alternatives of access: the scheme of a credential, and the scopes that it must have. */
export interface Way {
  readonly scheme: string;
  readonly scopes: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The whole path: `/api/v1/products/{id}`. */
  readonly path: string;
  /** The path, and its short form if there is one. */
  readonly paths: readonly string[];
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly isRequired: boolean; readonly media: ReadonlyMap<string, Schema> } | null;
  /** Null when no credential is needed. */
  readonly ways: readonly Way[] | null;
  readonly owner: string | null;
  readonly success: number;
  readonly responses: ReadonlyMap<number, Documented>;
  /** All headers that any answer documents, in lower case. */
  readonly named: ReadonlySet<string>;
}

export type Node = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

/** Reads openapi.yaml without the code that generates the service. */
export function readOpenApi(text: string): readonly Operation[] {
  const document = readDocument(text);
  const operations = Object.entries(document['paths'] as Record<string, Node>).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => operationOf(document, path, item, method)),
  );
  const responses = operations.flatMap((operation) => [...operation.responses.values()]);
  const names = responses.flatMap(({ headers }) => [...headers.keys()].map((name) => name.toLowerCase()));
  const named = new Set(names);
  return operations.map((operation) => ({ ...operation, named }));
}

/**
 * The document as a tree, with HEAD and OPTIONS, which it does not list, and with the statuses of `default`. The target of a reference replaces it, as the
 * same object at every place.
 */
export function readDocument(text: string): Node {
  const root = withUnlisted(withDerivedMethods(parse(text) as Node));
  return dereferenced(root, root, new Map()) as Node;
}

function operationOf(document: Node, path: string, item: Node, method: string): Omit<Operation, 'named'> {
  const node = item[method] as Node;
  const alias = item['x-alias'] as string | undefined;
  const paths = [path, ...(alias === undefined ? [] : [alias])];
  const parameters = [...((item['parameters'] ?? []) as Node[]), ...((node['parameters'] ?? []) as Node[])];
  const body = node['requestBody'] as Node | undefined;
  const security = (node['security'] ?? document['security'] ?? []) as Record<string, string[]>[];
  const ways = security.flatMap((entry) =>
    Object.entries(entry).map(([scheme, scopes]): Way => ({ scheme, scopes })),
  );
  const responses = new Map(
    Object.entries(node['responses'] as Record<string, Node>).map(([status, response]) => [
      Number(status),
      { headers: new Map(headersOf(response)), content: contentOf(response) },
    ]),
  );
  const success = [...responses.keys()].find((status) => status >= 200 && status < 300);
  if (success === undefined) throw new Error(`${String(node['operationId'])} has no answer of success.`);
  return {
    id: node['operationId'] as string,
    method: method.toUpperCase(),
    path,
    paths,
    description: (node['description'] ?? '') as string,
    parameters: parameters.map((parameter) => ({
      name: parameter['name'] as string,
      in: parameter['in'] as Parameter['in'],
      required: parameter['required'] === true,
      schema: parameter['schema'] as Schema,
      example: parameter['example'],
    })),
    body: body ? { isRequired: body['required'] === true, media: contentOf(body) } : null,
    ways: ways.length === 0 ? null : ways,
    owner: (node['x-owner'] as string | undefined) ?? null,
    success,
    responses,
  };
}

function headersOf(response: Node | undefined): (readonly [string, Schema])[] {
  const headers = (response?.['headers'] ?? {}) as Record<string, { schema: Schema }>;
  return Object.entries(headers).map(([name, { schema }]) => [name, schema]);
}

function contentOf(node: Node): ReadonlyMap<string, Schema> {
  const content = (node['content'] ?? {}) as Record<string, { schema: Schema }>;
  return new Map(Object.entries(content).map(([type, { schema }]) => [type, schema]));
}

function dereferenced(root: Node, node: unknown, done: Map<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((each) => dereferenced(root, each, done));
  if (typeof node !== 'object' || node === null) return node;
  const reference = (node as Node)['$ref'];
  if (typeof reference !== 'string') {
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => [
        name,
        /^examples?$/.test(name) ? value : dereferenced(root, value, done),
      ]),
    );
  }
  if (!done.has(reference)) {
    const steps = reference.slice(2).split('/');
    const target = steps.reduce<unknown>((at, step) => (at as Node | undefined)?.[step], root);
    if (target === undefined) throw new Error(`openapi.yaml has nothing at ${reference}.`);
    done.set(reference, dereferenced(root, target, done));
  }
  return done.get(reference);
}
