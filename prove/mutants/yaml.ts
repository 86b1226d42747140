import {
  isCollection,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Edit } from './edit.ts';

/** A member of an object in a YAML text. */
export interface Site {
  readonly key: string;
  readonly value: Node;
  readonly map: YAMLMap;
  readonly index: number;
  /** The keys and indexes from the root to the member itself. */
  readonly path: readonly string[];
}

/** Explanations and examples: no client relies on them. */
const WORDS = new Set(['description', 'summary', 'title', 'example', 'examples', 'info', 'tags', 'servers']);

/** A YAML text with the places of its members. Each edit changes one place, and the text stays well-formed. */
export class Yaml {
  readonly text: string;
  readonly root: YAMLMap;
  /** Every member outside of explanations and examples. */
  readonly sites: readonly Site[];

  constructor(text: string) {
    this.text = text;
    const { contents } = parseDocument(text);
    if (!isMap(contents)) throw new Error('openapi.yaml is not an object.');
    this.root = contents;
    this.sites = sitesOf(contents, []);
  }

  replaced(node: Node, text: string): Edit {
    const { start, end } = rangeOf(node);
    return { start, end, text };
  }

  removed(collection: YAMLMap | YAMLSeq, index: number): Edit {
    const { start, end } = itemRange(collection, index);
    if (collection.flow === true) {
      if (index < collection.items.length - 1)
        return { start, end: itemRange(collection, index + 1).start, text: '' };
      if (index > 0) return { start: itemRange(collection, index - 1).end, end, text: '' };
      return { start, end, text: '' };
    }
    // The member may be after the `- ` of a list item, and the `- ` must stay. So the text is removed from the member
    // to the next member, and not from the beginning of the line.
    if (index < collection.items.length - 1 && !isSeq(collection))
      return { start, end: itemRange(collection, index + 1).start, text: '' };
    const line = this.text.lastIndexOf('\n', start) + 1;
    const next = this.text.indexOf('\n', this.text.slice(0, end).trimEnd().length) + 1;
    return { start: line, end: next === 0 ? this.text.length : next, text: '' };
  }

  /** Adds a member (`key: value`) or an item in front of the others. */
  inserted(collection: YAMLMap | YAMLSeq, text: string): Edit {
    if (collection.items.length === 0) {
      const { start } = rangeOf(collection);
      return { start: start + 1, end: start + 1, text };
    }
    const { start } = itemRange(collection, 0);
    if (collection.flow === true) return { start, end: start, text: `${text}, ` };
    const column = start - this.text.lastIndexOf('\n', start - 1) - 1;
    const indent = isSeq(collection) ? `${' '.repeat(column - 2)}- ` : ' '.repeat(column);
    return { start, end: start, text: `${text}\n${indent}` };
  }
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The value of a scalar; undefined for anything else. */
export function valueOf(node: unknown): unknown {
  return isScalar(node) ? node.value : undefined;
}

export function textOf(node: unknown): string | undefined {
  const value = valueOf(node);
  return typeof value === 'string' ? value : undefined;
}

function rangeOf(node: Node): { readonly start: number; readonly end: number } {
  const [start, end] = node.range as [number, number, number];
  return { start, end };
}

function itemRange(collection: YAMLMap | YAMLSeq, index: number): { start: number; end: number } {
  const item = collection.items[index];
  if (!isMap(collection)) return rangeOf(item as Node);
  const { key, value } = item as { key: Scalar; value: Node };
  return { start: rangeOf(key).start, end: rangeOf(value).end };
}

function sitesOf(node: unknown, path: readonly string[]): Site[] {
  if (isSeq(node)) return node.items.flatMap((item, index) => sitesOf(item, [...path, String(index)]));
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }, index): Site[] => {
    const name = String(valueOf(key));
    // Directly below `properties`, a word such as `description` is the name of a member.
    if (WORDS.has(name) && path.at(-1) !== 'properties') return [];
    const own = [...path, name];
    const site = { key: name, value: value as Node, map: node, index, path: own };
    return [site, ...(isCollection(value) ? sitesOf(value, own) : [])];
  });
}
