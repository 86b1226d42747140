import { isObject, items, member, members, textOf, texts, type Node } from '../json.ts';
import type { Document } from './document.ts';

/**
 * Refuses parts of the contract that the service does not read, or that have no meaning. No test would notice a mistake
 * in such parts.
 */
export function checkPromises(document: Document): void {
  checkHeaderNames(document);
  checkMessages(document);
  checkDefaultsInAnswers(document);
  checkMoney(document);
  checkTables(document);
  checkEntities(document);
}

/** The service sets a header by its name, so the header must not refer to a component with another name. */
function checkHeaderNames(document: Document): void {
  for (const response of responsesOf(document)) {
    for (const [name, header] of members(member(response, 'headers'))) {
      const other = /^#\/components\/headers\/(.+)$/.exec(textOf(member(header, '$ref')) ?? '')?.[1];
      if (other !== undefined && other !== name)
        document.fault(
          header,
          `the header ${name} refers to ${other}; write $ref: '#/components/headers/${name}'`,
        );
    }
  }
}

/**
 * A message (`x-message`) explains one pattern. The same message at two patterns is a fault. Two messages for the same
 * pattern are also a fault.
 */
function checkMessages(document: Document): void {
  const messages = new Map<string, Node>();
  const patterns = new Map<string, Node>();
  const compare = (known: Map<string, Node>, key: string, node: Node, name: string, text: string): void => {
    const first = known.get(key);
    if (first === undefined) known.set(key, node);
    else if (member(first, name)?.value !== member(node, name)?.value)
      document.fault(node, `${text} at ${document.place(first)}`);
  };
  const walk = (node: Node): void => {
    const [pattern, message] = [textOf(member(node, 'pattern')), textOf(member(node, 'x-message'))];
    if (pattern !== undefined && message !== undefined) {
      compare(messages, message, node, 'pattern', 'x-message belongs to another pattern');
      compare(patterns, pattern, node, 'x-message', 'the same pattern has another x-message');
    }
    for (const [name, inner] of members(node)) if (!/^examples?$/.test(name)) walk(inner);
    for (const inner of items(node)) walk(inner);
  };
  walk(document.root);
}

/**
 * A default is the value of a member that a client leaves out. In an answer no client leaves out a member, so a
 * default there is a fault.
 */
function checkDefaultsInAnswers(document: Document): void {
  const seen = new Set<string>();
  const walk = (schema: Node): void => {
    if (seen.has(schema.at) || !isObject(schema.value)) return;
    seen.add(schema.at);
    const own = member(schema, 'default');
    if (own !== undefined)
      document.fault(own, 'a default in an answer has no meaning; write it in a schema of a request only');
    const target = document.find(textOf(member(schema, '$ref')) ?? '');
    if (target !== undefined) walk(target);
    for (const name of ['allOf', 'anyOf', 'oneOf'])
      for (const part of items(member(schema, name))) walk(part);
    const inner = member(schema, 'items');
    if (inner !== undefined) walk(inner);
    for (const [, each] of members(member(schema, 'properties'))) walk(each);
  };
  for (const response of responsesOf(document)) {
    for (const kind of ['content', 'headers']) {
      for (const [, node] of members(member(response, kind))) {
        const schema = member(document.find(textOf(member(node, '$ref')) ?? '') ?? node, 'schema');
        if (schema !== undefined) walk(schema);
      }
    }
  }
}

/** Pages show money in a form of its own, so each component schema of money must have `x-money`. */
function checkMoney(document: Document): void {
  for (const [, schema] of members(member(member(document.root, 'components'), 'schemas'))) {
    const names = members(member(schema, 'properties')).map(([name]) => name);
    const isMoney = member(schema, 'multipleOf')?.value === 0.01 || names.join() === 'amount,currency';
    if (isMoney && member(schema, 'x-money')?.value !== true)
      document.fault(schema, 'this is money, but does not say so; write x-money: true');
  }
}

/** CSV is a table, so only an answer with a list has this format. */
function checkTables(document: Document): void {
  for (const response of responsesOf(document)) {
    const table = member(member(response, 'content'), 'text/csv');
    const schema = table && follow(document, member(table, 'schema'));
    if (schema === undefined || isList(schema)) continue;
    if (!isList(follow(document, member(member(schema, 'properties'), 'data'))))
      document.fault(
        table as Node,
        'only a list has the format text/csv, and this answer is not a list; remove text/csv',
      );
  }
}

/**
 * An entity has all of its members, except those with `x-since`. An optional member could be missing in every answer,
 * and no type would notice it.
 */
function checkEntities(document: Document): void {
  for (const [, schema] of members(member(member(document.root, 'components'), 'schemas'))) {
    if (member(schema, 'x-entity') === undefined) continue;
    const required = texts(member(schema, 'required'));
    for (const [name, property] of members(member(schema, 'properties'))) {
      if (required.includes(name) || member(property, 'x-since') !== undefined) continue;
      document.fault(
        property,
        `an entity has all of its members, so ${name} must be required; allow null if a row may have no value`,
      );
    }
  }
}

function isList(schema: Node | undefined): boolean {
  return textOf(member(schema, 'type')) === 'array';
}

function follow(document: Document, node: Node | undefined): Node | undefined {
  return document.find(textOf(member(node, '$ref')) ?? '') ?? node;
}

/** The responses of all operations, and those in `components`. */
function responsesOf(document: Document): Node[] {
  const shared = members(member(member(document.root, 'components'), 'responses'));
  const own = members(member(document.root, 'paths'))
    .flatMap(([, path]) => members(path))
    .flatMap(([, operation]) => members(member(operation, 'responses')));
  return [...shared, ...own].map(([, node]) => node);
}
