import { isMap, isScalar, isSeq, Scalar, type Document, type YAMLMap } from 'yaml';
import { METHODS } from '../openapi/model.ts';
import { flowList, pairsOf, textOf } from './nodes.ts';
import { schemaPlaces } from './schema-names.ts';
import { shortenTexts } from './short-schemas.ts';
import { linkTo, wholeBody, wholeResponse } from './whole.ts';

/**
 * Replaces parts of a document by their short forms (`short.ts`). Some parts stay although they have a short form, such
 * as summaries. A test completes the result, and must get the original document.
 */
export function shorten(document: Document): void {
  for (const { key, value } of pairsOf(document.get('paths'))) {
    if (isMap(value)) shortenPath(document, textOf(key), value);
  }
  for (const { key, value } of pairsOf(document.get('paths'))) {
    if (isMap(value)) shortenSame(document, textOf(key), value);
  }
  shortenTexts(document);
  for (const { pair } of schemaPlaces(document)) {
    const name = nameOf('schemas', pair.value);
    if (name !== null) pair.value = new Scalar(name);
  }
}

function shortenPath(document: Document, path: string, item: YAMLMap): void {
  if (item.get('x-alias') === path.replace('/v1', '')) item.delete('x-alias');
  shortenParameters(item);
  for (const { key, value: node } of pairsOf(item)) {
    if (!METHODS.some((each) => each === textOf(key)) || !isMap(node)) continue;
    const tag = /^\/api\/v\d+\/([\w-]+)/.exec(path)?.[1];
    if (tag !== undefined && isSame(node.get('tags'), flowList([tag]))) node.delete('tags');
    const read = document.getIn(['paths', `${path}/{id}`, 'get', 'operationId']);
    const links = ['responses', '201', 'links'];
    if (
      typeof read === 'string' &&
      textOf(key) === 'post' &&
      isSame(node.getIn(links), { self: linkTo(read) })
    )
      node.deleteIn(links);
    shortenParameters(node);
    shortenBody(document, node);
    shortenResponses(document, node);
  }
}

/** Shortens a path that has the same operations as the path of version 1, and nothing else. */
function shortenSame(document: Document, path: string, item: YAMLMap): void {
  const version = /^\/api\/(v\d+)\//.exec(path)?.[1];
  const other = path.replace(`/${version}/`, '/v1/');
  const first = document.getIn(['paths', other]);
  if (version === undefined || other === path || !isMap(first)) return;
  const taken = pairsOf(first).flatMap(({ key, value }): (readonly [string, unknown])[] => {
    const name = textOf(key);
    if (name === 'parameters') return [[name, value]];
    if (!METHODS.some((each) => each === name) || !isMap(value)) return [];
    const id = String(value.get('operationId'));
    return [[name, { operationId: id + version.toUpperCase(), 'x-same-as': id }]];
  });
  if (!isSame(item, Object.fromEntries(taken))) return;
  item.items = [document.createPair('x-same-as', other)];
  item.flow = true;
}

function shortenParameters(owner: YAMLMap): void {
  const list = owner.get('parameters');
  if (!isSeq(list)) return;
  list.items = list.items.map((item) => {
    const name = nameOf('parameters', item);
    return name === null ? item : new Scalar(name);
  });
  if (list.items.every((item) => isScalar(item))) list.flow = true;
}

function shortenBody(document: Document, operation: YAMLMap): void {
  const body = operation.get('requestBody');
  if (!isMap(body)) return;
  const name = nameOf('requestBodies', body) ?? schemaIn(body);
  if (name !== null && isSame(body, wholeBody(document, name)))
    operation.set('requestBody', new Scalar(name));
}

function shortenResponses(document: Document, operation: YAMLMap): void {
  for (const pair of pairsOf(operation.get('responses'))) {
    const { value } = pair;
    if (!isMap(value)) continue;
    const words = value.items.length === 1 ? value.get('description') : undefined;
    const text = nameOf('responses', value) ?? schemaIn(value) ?? (typeof words === 'string' ? words : null);
    if (text !== null && isSame(value, wholeResponse(document, text))) pair.value = new Scalar(text);
  }
}

/** The name in a reference that has no other members. */
function nameOf(kind: string, node: unknown): string | null {
  if (!isMap(node) || node.items.length !== 1) return null;
  const [, place, name] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(String(node.get('$ref'))) ?? [];
  return place === kind && name !== undefined ? name : null;
}

/** The name of the schema of JSON in a body. */
function schemaIn(body: YAMLMap): string | null {
  return nameOf('schemas', body.getIn(['content', 'application/json', 'schema']));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
