import { isMap, Scalar, type Document, type YAMLMap } from 'yaml';
import { snakeCase, withoutVersion } from '../names.ts';
import { flowList } from './nodes.ts';
import type { ShortForm } from './whole.ts';

/** The summary that follows from the `operationId`: `listTeas` → List teas, `getTea` → Get one tea. */
export function ofSummary(id: string, operation: YAMLMap): ShortForm[] {
  if (operation.has('summary') || operation.has('x-same-as')) return [];
  const [verb = '', ...nouns] = snakeCase(withoutVersion(id)).split('_');
  const noun = nouns.join(' ');
  const article = { list: '', get: 'one ' }[verb] ?? (/^[aeiou]/.test(noun) ? 'an ' : 'a ');
  const summary = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${article}${noun}`;
  const replace = (): void => operation.set('summary', new Scalar(summary));
  return [{ node: operation, text: `${id} has no summary`, replace }];
}

/**
 * The condition of an operation on one row. A GET can be answered with 304. A change names the version that the client
 * has read. A DELETE names this version too, if the path has a PUT or PATCH.
 */
export function ofOneRow(document: Document, path: string, method: string, operation: YAMLMap): ShortForm[] {
  const isOfRow = /^\/api\/v\d+\/[\w-]+\/\{id\}$/.test(path);
  if (!isOfRow || operation.has('parameters') || operation.has('x-same-as')) return [];
  const item = document.getIn(['paths', path]);
  const canChange = isMap(item) && (item.has('put') || item.has('patch'));
  const condition = method === 'get' ? 'If-None-Match' : canChange ? 'If-Match' : null;
  if (condition === null) return [];
  const replace = (): void => operation.set('parameters', flowList([condition]));
  return [{ node: operation, text: `${String(operation.get('operationId'))} has no condition`, replace }];
}
