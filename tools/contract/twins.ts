import { isScalar, Scalar, visit, type Document, type Node, type YAMLMap } from 'yaml';
import { descriptionWithCursors } from './short.ts';

/** Members that may differ between twins, and `x-about`, which the generator takes from the twin. */
const OWN: ReadonlySet<string> = new Set(['operationId', 'x-same-as', 'x-graphql', 'x-untied', 'x-about']);

/** Members that are only words for readers. They are always the same as in the twin. */
const WORDS: ReadonlySet<string> = new Set(['summary', 'description', 'tags']);

/** A member of an operation, as it follows from the operation of the other version. */
export interface TwinMember {
  readonly own: YAMLMap;
  readonly name: string;
  readonly value: Node;
}

/**
 * All that an operation with `x-same-as` takes from its twin. References are changed to the version of the operation:
 * `Product` becomes `ProductV2`. A reference stays as it is if no component or operation has the changed name.
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

/** Whether the operation lacks the member, or has words in it that differ from the words of its twin. */
export function isToCopy({ own, name, value }: TwinMember): boolean {
  return !own.has(name) || (WORDS.has(name) && String(own.get(name, true)) !== String(value));
}

/**
 * The words of each list of version 2 without `x-same-as`, as they follow from the list of version 1. An author may
 * have written other words.
 */
export function wordsOfLists(operations: ReadonlyMap<string, YAMLMap>): TwinMember[] {
  return [...operations].flatMap(([id, own]) => {
    const first = operations.get(id.replace(/V2$/, ''));
    if (first === undefined || first === own || !id.startsWith('list') || own.has('x-same-as')) return [];
    const [summary, description] = ['summary', 'description'].map((name) => String(first.get(name)));
    return [
      { own, name: 'summary', value: new Scalar(summary) },
      { own, name: 'description', value: new Scalar(descriptionWithCursors(description ?? '')) },
    ];
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
