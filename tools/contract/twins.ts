import { isScalar, visit, type Document, type Node, type YAMLMap } from 'yaml';

/** Members that differ between twins. */
const OWN: ReadonlySet<string> = new Set(['operationId', 'x-same-as', 'x-graphql', 'x-untied']);

/** A member of an operation with `x-same-as`, as it follows from its twin: the operation of the other version. */
export interface TwinMember {
  readonly own: YAMLMap;
  readonly name: string;
  readonly value: Node;
}

/**
 * All that an operation with `x-same-as` takes from its twin. References are changed to the version of the operation:
 * `Product` becomes `ProductV2`. A reference stays as it is if this version has no component or operation of its own.
 *
 * @param operations by `operationId`
 */
export function twinMembers(document: Document, operations: ReadonlyMap<string, YAMLMap>): TwinMember[] {
  return [...operations].flatMap(([id, own]) => {
    const twin = String(own.get('x-same-as'));
    const suffix = id.startsWith(twin) ? id.slice(twin.length) : '';
    return (operations.get(twin)?.items ?? []).flatMap(({ key, value }) => {
      const name = String(isScalar(key) ? key.value : key);
      if (OWN.has(name)) return [];
      return [{ own, name, value: renamed(document, operations, value as Node, suffix) }];
    });
  });
}

function renamed(
  document: Document,
  operations: ReadonlyMap<string, YAMLMap>,
  value: Node,
  suffix: string,
): Node {
  const copy = value.clone() as Node;
  visit(copy, {
    Pair(_, { key, value: target }) {
      if (!isScalar(key) || !isScalar(target) || typeof target.value !== 'string') return;
      const name = target.value + suffix;
      const isThere =
        key.value === '$ref'
          ? document.hasIn(name.slice(2).split('/'))
          : key.value === 'operationId' && operations.has(name);
      if (isThere) target.value = name;
    },
  });
  return copy;
}
