import { resolved, type Node } from './references.ts';

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];
const OF_EVERY_REFUSAL = ['X-Request-Id'];

/**
 * The statuses that `default` of an operation stands for, and the headers of each. Any other status that an operation
 * does not list breaks the contract. The description of the response `Error` in openapi.yaml names the same statuses.
 */
export const UNLISTED: Readonly<Record<number, readonly string[]>> = {
  408: OF_EVERY_REFUSAL,
  414: ['RateLimit-Policy', 'RateLimit', ...OF_EVERY_REFUSAL],
  431: OF_EVERY_REFUSAL,
};

/**
 * The contract with the statuses of `default` written out in each operation.
 *
 * @param document openapi.yaml as it was parsed
 */
export function withUnlisted<T extends Node>(document: T): T {
  const paths = Object.entries(document['paths'] as Record<string, Node>).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => [
        name,
        METHODS.includes(name) ? writtenOut(document, value as Node) : value,
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as unknown };
}

function writtenOut(document: Node, operation: Node): Node {
  const { default: unlisted, ...listed } = operation['responses'] as Record<string, Node>;
  if (unlisted === undefined) return operation;
  const response = resolved(document, unlisted);
  const headers = Object.entries(response['headers'] as Node);
  const responses = Object.entries(UNLISTED).map(([status, names]) => [
    status,
    { ...response, headers: Object.fromEntries(headers.filter(([name]) => names.includes(name))) },
  ]);
  return { ...operation, responses: { ...listed, ...(Object.fromEntries(responses) as object) } };
}
