import { parse } from 'yaml';
import { exampleOf } from './examples.ts';
import { withDerivedMethods } from './derived-methods.ts';
import type { Node, Operation, Parameter, Schema, Way } from './model.ts';
import { related, type Linked } from './relations.ts';
import { withUnlisted } from './unlisted.ts';

export type { Documented, Node, Operation, Parameter, Schema } from './model.ts';

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

/** Reads openapi.yaml without the code that generates the service. */
export function readOpenApi(text: string): readonly Operation[] {
  return operationsIn(readDocument(text));
}

/** The operations of a document that `readDocument` returned. */
export function operationsIn(document: Node): readonly Operation[] {
  const linked = Object.entries(document['paths'] as Record<string, Node>).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => operationOf(document, path, item, method)),
  );
  const operations = related(linked);
  const responses = operations.flatMap((operation) => [...operation.responses.values()]);
  const names = responses.flatMap(({ headers }) => [...headers.keys()].map((name) => name.toLowerCase()));
  const named = new Set(names);
  return operations.map((operation) => ({ ...operation, named }));
}

/** The document that was read last. Reading takes long, and many callers read the same text. */
let last: { readonly text: string; readonly document: Node } | null = null;

/**
 * The document as a tree, with two additions that openapi.yaml does not list: the methods HEAD and OPTIONS,
 * and the statuses of `default`. Each reference is replaced by its target. All references to one target get
 * the same object. All callers with the same text may get the same tree, so nobody may change it.
 *
 * @param parsed the text as `yaml` parses it, if the caller has it already
 */
export function readDocument(text: string, parsed?: Node): Node {
  if (last?.text === text) return last.document;
  const root = withUnlisted(withDerivedMethods(parsed ?? (parse(text) as Node)));
  const document = dereferenced(root, root, new Map()) as Node;
  last = { text, document };
  return document;
}

function operationOf(document: Node, path: string, item: Node, method: string): Linked {
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
  if (success === undefined) throw new Error(`${String(node['operationId'])} has no success response.`);
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
      example: parameter['example'] ?? exampleOf(parameter['schema'] as Schema),
    })),
    body: body ? { isRequired: body['required'] === true, media: contentOf(body) } : null,
    ways: ways.length === 0 ? null : ways,
    owner: (node['x-owner'] as string | undefined) ?? null,
    reach: node['x-reach'] ?? {},
    success,
    responses,
    conflicts: (node['x-conflicts'] ?? []) as readonly string[],
    tie: (node['x-graphql'] as string | undefined) ?? null,
    version: (item['x-version'] as string | undefined) ?? null,
    self: selfOf((node['responses'] as Record<string, Node>)[success]),
  };
}

function selfOf(response: Node | undefined): Linked['self'] {
  const { self } = (response?.['links'] ?? {}) as Record<string, { operationId: string; parameters: object }>;
  if (self === undefined) return null;
  const [pointer = ''] = Object.values(self.parameters) as string[];
  return { operation: self.operationId, id: pointer.replace('$response.body#/', '').split('/') };
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
  const found = done.get(reference);
  const beside = Object.entries(node).filter(([name]) => name !== '$ref');
  return beside.length === 0 ? found : { allOf: [found], ...Object.fromEntries(beside) };
}
