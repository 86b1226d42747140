import {
  isCollection,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import type { Faults } from '../faults.ts';
import { items, member, textOf, unescapePointer, type Json, type Node } from '../json.ts';

const FILE = 'openapi.yaml';

interface Parsed {
  readonly text: string;
  readonly tree: ReturnType<typeof parseDocument>;
  readonly lines: LineCounter;
}

/**
 * The text that was parsed last. Parsing takes about as long as all checks, and tests check the same text many times.
 */
let last: Parsed | null = null;

function parsed(text: string): Parsed {
  if (last?.text === text) return last;
  const lines = new LineCounter();
  last = { text, tree: parseDocument(text, { lineCounter: lines, prettyErrors: false }), lines };
  return last;
}

/** The parsed contract. It follows references, and finds the line of a value. */
export class Document {
  readonly root: Node;
  readonly #faults: Faults;
  readonly #parsed: Parsed['tree'];
  readonly #lines: LineCounter;
  /** The nodes that were found, by reference. Many places refer to the same node. */
  readonly #found = new Map<string, Node | undefined>();

  /** @throws ContractError when YAML has an error or a warning, or there is an alias. Then nothing else is checked */
  constructor(text: string, faults: Faults) {
    this.#faults = faults;
    ({ tree: this.#parsed, lines: this.#lines } = parsed(text));
    const { errors, warnings } = this.#parsed;
    // After a fault of the syntax, everything that follows may look wrong too. So only the first such fault is
    // reported.
    const broken = errors.find(({ code }) => code !== 'DUPLICATE_KEY');
    for (const fault of broken ? [broken] : [...errors, ...warnings]) {
      const { line, col } = this.#lines.linePos(fault.pos[0]);
      faults.add(`${FILE}:${line}:${col}`, fault.message);
    }
    visit(this.#parsed, {
      Alias: (_, { range }) =>
        faults.add(
          `${FILE}:${this.#lines.linePos(range?.[0] ?? 0).line}`,
          'YAML aliases are not supported; use $ref',
        ),
    });
    faults.throwIfAny();
    this.root = { value: this.#parsed.toJS() as Json, at: '' };
  }

  /** Adds a fault. It returns undefined, so that a caller that cannot continue can write `return document.fault(…)`. */
  fault(at: string | Node, text: string): undefined {
    this.#faults.add(this.place(at), text);
    return undefined;
  }

  /** Adds a fault for a caller that has only the place. */
  faultAt(place: string, text: string): void {
    this.#faults.add(place, text);
  }

  /**
   * The file, the line of the key of a value, and the pointer. A missing member has the line of its nearest ancestor.
   */
  place(at: string | Node): string {
    const pointer = typeof at === 'string' ? at : at.at;
    const parts = pointer.split('/').slice(1).map(unescapePointer);
    let current: unknown = this.#parsed.contents;
    let offset = 0;
    for (const part of parts) {
      const found = isCollection(current) ? pairOf(current, part) : undefined;
      if (found === undefined) break;
      offset = found.offset;
      current = found.value;
    }
    return `${FILE}:${this.#lines.linePos(offset).line} #${pointer}`;
  }

  /** A schema, the schema that its `$ref` leads to, and the parts of the `allOf` of that schema. */
  placesOf(node: Node | undefined): Node[] {
    const target = node === undefined ? undefined : this.follow(node);
    if (node === undefined || target === undefined) return [];
    return [node, target, ...items(member(target, 'allOf')).flatMap((part) => this.placesOf(part))];
  }

  /**
   * Follows `$ref` until a node has none, and returns this node. If a reference leads nowhere, or the references form a
   * circle, it adds a fault and returns undefined.
   */
  follow(start: Node): Node | undefined {
    const seen = new Set<string>();
    let node = start;
    for (;;) {
      const reference = textOf(member(node, '$ref'));
      if (reference === undefined) return node;
      if (seen.has(node.at)) {
        this.fault(
          start,
          `the reference is circular: ${[...seen, node.at].map((at) => `#${at}`).join(' → ')}`,
        );
        return undefined;
      }
      seen.add(node.at);
      const next = this.find(reference);
      if (next === undefined) {
        this.fault(
          node,
          `the reference ${reference} leads nowhere; a reference must be to a place in this file`,
        );
        return undefined;
      }
      node = next;
    }
  }

  /** The node at `#/a/b`. */
  find(reference: string): Node | undefined {
    if (!reference.startsWith('#/')) return undefined;
    if (this.#found.has(reference)) return this.#found.get(reference);
    let node: Node | undefined = this.root;
    for (const part of reference.slice(2).split('/')) {
      const name = unescapePointer(decodePart(part));
      node = Array.isArray(node?.value) ? itemOf(node, name) : member(node, name);
    }
    this.#found.set(reference, node);
    return node;
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function itemOf(node: Node, index: string): Node | undefined {
  const value = /^\d+$/.test(index) ? (node.value as readonly Json[])[Number(index)] : undefined;
  return value === undefined ? undefined : { value, at: `${node.at}/${index}` };
}

/** The line of the key is more useful than the line of its value, which may begin further down. */
function pairOf(collection: YAMLMap | YAMLSeq, part: string): { value: unknown; offset: number } | undefined {
  if (isSeq(collection)) {
    const value = collection.items[Number(part)];
    return isNode(value) ? { value, offset: value.range?.[0] ?? 0 } : undefined;
  }
  const pair = collection.items.find(({ key }) => isScalar(key) && String(key.value) === part);
  return isScalar(pair?.key) ? { value: pair.value, offset: pair.key.range?.[0] ?? 0 } : undefined;
}
