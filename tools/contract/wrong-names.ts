import { isScalar, type Document, type Node } from 'yaml';
import { listOf } from './lists.ts';
import { pairsOf, textOf } from './nodes.ts';
import { rowOf } from './short-bodies.ts';
import type { ShortForm } from './whole.ts';

/** An example of each short form, by the kind of the component that it names. */
const EXAMPLES = {
  parameters: 'parameters: [Page, Limit]',
  requestBodies: 'requestBody: ProductCreate',
  responses: "'404': NotFound",
  schemas: 'schema: Product',
} as const;
type Kind = keyof typeof EXAMPLES;

/** A short form with a name that no component has. */
export interface WrongName {
  readonly node: Node;
  readonly text: string;
}

/**
 * The names in short forms that stand for nothing. A name that follows from `Tea` is not wrong: the name of a list
 * (`TeaList`, `TeaPage`), or of a body if `Tea` has `x-entity` (`TeaCreate`). `TeaPage` may follow from `TeaV2` too.
 */
export function wrongNames(document: Document, forms: readonly ShortForm[]): WrongName[] {
  return forms.flatMap(({ node, names = {} }): WrongName[] => {
    const kinds = Object.keys(names) as Kind[];
    const [first] = kinds;
    const name = first && names[first];
    if (first === undefined || name === undefined) return [];
    const known = kinds.flatMap((kind) =>
      pairsOf(document.getIn(['components', kind])).map(({ key }) => textOf(key)),
    );
    if (known.includes(name) || (kinds.includes('schemas') && follows(document, name, known))) return [];
    const near = known.toSorted((a, b) => distance(a, name) - distance(b, name))[0];
    const places = kinds.map((kind) => `components.${kind}`).join(' or ');
    const hint = near === undefined ? '' : ` The nearest name is ${near}.`;
    const form = isScalar(node) ? EXAMPLES[first] : 'x-part-of: Product';
    return [{ node, text: `${name} is no name in ${places}.${hint} An example: ${form}` }];
  });
}

/** Whether the schema of this name follows from a schema that is there. */
function follows(document: Document, name: string, known: readonly string[]): boolean {
  return listOf(name).items.some((item) => known.includes(item)) || rowOf(document, name) !== null;
}

/** The number of letters that are added, left out or changed between two names. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
