import { resolved, type Node } from './references.ts';

/** The refusals that every OPTIONS request can get, by status. */
const REFUSALS: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  429: 'TooManyRequests',
  500: 'InternalError',
  default: 'Error',
};

const ALLOW = {
  description: 'The methods of this path (RFC 9110, section 10.2.1).',
  schema: { type: 'string', maxLength: 200, pattern: '^[A-Z]' },
};

/**
 * Adds the operations that the contract does not list: `HEAD` for every `GET`, and `OPTIONS` for every path of the API.
 * Examples of their operationIds are `HEAD listProducts` and `OPTIONS /api/v1/products`. The rules are those that the
 * introduction of openapi.yaml describes. This file shares no code with the service.
 *
 * @param document openapi.yaml as it was parsed
 */
export function withDerivedMethods<T extends Node>(document: T): T {
  const paths = Object.entries(document['paths'] as Record<string, Node>).map(([path, item]) => [
    path,
    { ...item, ...(item['get'] !== undefined && { head: headOf(document, item['get'] as Node) }) },
  ]);
  for (const [path, item] of paths as [string, Record<string, unknown>][]) {
    if (isOfTheApi(path, item)) item['options'] = optionsOf(path, item);
  }
  return { ...document, paths: Object.fromEntries(paths) as unknown };
}

function isOfTheApi(path: string, item: Node): boolean {
  return path.startsWith('/api/') || item['x-version'] !== undefined;
}

function headOf(document: Node, get: Node): Node {
  const { requestBody: _, ...same } = get;
  const responses = Object.entries(get['responses'] as Record<string, Node>).map(([status, response]) => {
    if (!status.startsWith('2')) return [status, response];
    const { content: __, links: ___, ...shown } = resolved(document, response);
    return [status, shown];
  });
  return {
    ...same,
    operationId: `HEAD ${String(get['operationId'])}`,
    responses: Object.fromEntries(responses) as unknown,
  };
}

function optionsOf(path: string, item: Node): Node {
  const names = ['RateLimit-Policy', 'RateLimit', 'X-Request-Id'];
  if (item['patch'] !== undefined) names.push('Accept-Patch');
  const isFirst = path.startsWith('/api/v1') || item['x-version'] === 'v1';
  const refusals = { ...REFUSALS, ...(isFirst && { 410: 'VersionGone' }) };
  return {
    operationId: `OPTIONS ${path}`,
    description: 'Lists the methods of this path in `Allow`.',
    security: [],
    responses: {
      204: {
        description: 'The methods are in `Allow`.',
        headers: {
          Allow: ALLOW,
          ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        },
      },
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, name]) => [
          status,
          { $ref: `#/components/responses/${name}` },
        ]),
      ),
    },
  };
}
