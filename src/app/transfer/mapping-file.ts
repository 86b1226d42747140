import { readFile } from 'node:fs/promises';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { WrongUsage } from './failure.js';
import type { Kind } from './members.js';
import { ITEM_MEMBERS, MEMBERS } from './members.js';
import type { Items, Mapping, Named } from './mapping.js';
import { rulesFrom } from './mapping-rules.js';

export const SOURCE = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Reads a mapping and checks all of it, whatever the data is: keys that are not known, wrong types, members that are
 * missing.
 *
 * @param source instead of the one that the mapping names
 * @throws WrongUsage that names the file, the line and the key of each fault
 */
export async function readMapping(file: string, kind: Kind, source: string | undefined): Promise<Mapping> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`The mapping ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return parseMapping(file, text, kind, source);
}

export function parseMapping(file: string, text: string, kind: Kind, source?: string): Mapping {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', version: '1.2' });
  const faults = new MappingFaults(file, lines);
  // Where a bracket is missing all that follows is wrong as well.
  const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  for (const { message, pos } of broken ? [broken] : document.errors) {
    faults.add(pos[0], (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '.'));
  }
  faults.throwIfAny();
  const mapping = mappingFrom(new MappingNode(document.contents, '', faults), kind, source);
  faults.throwIfAny();
  return mapping;
}

function mappingFrom(top: MappingNode, kind: Kind, source: string | undefined): Mapping {
  const keys = ['source', 'absent', 'delimiter', 'fields', ...(kind === 'orders' ? ['items'] : [])];
  const { source: named, absent, delimiter, fields, items } = top.members(keys, ['fields']);
  const name = source ?? named?.text() ?? '';
  if (named === undefined && source === undefined) {
    top.fault('must name the source of the data, as in «source: northwind», or give --source');
  } else if (!SOURCE.test(name)) {
    (named ?? top).fault('must be a name of small letters, digits, dots and dashes, at most 64');
  }
  const mark = delimiter?.text() ?? ',';
  if (mark.length !== 1 || mark === '"') delimiter?.fault('must be one character, such as ";"');
  const columns: Named[] = [];
  const itemColumns: Named[] = [];
  return {
    source: name,
    fields: fields === undefined ? {} : rulesFrom(fields, MEMBERS[kind], columns),
    items: items === undefined ? null : itemsFrom(items, itemColumns),
    absent: absent?.texts() ?? [''],
    delimiter: mark,
    columns,
    itemColumns,
    isOwn: false,
  };
}

/** `order_id` stands in a file of lines, `list` says where the lines are in NDJSON: one of them is given. */
function itemsFrom(node: MappingNode, columns: Named[]): Items {
  const { list, fields } = node.members(['list', 'fields'], ['fields']);
  const { order_id: orderId, ...others } = ITEM_MEMBERS;
  const members = list === undefined && orderId !== undefined ? { order_id: orderId, ...others } : others;
  return {
    list: list?.text() ?? 'items',
    fields: fields === undefined ? {} : rulesFrom(fields, members, columns),
  };
}

/** Gathers what is wrong with a mapping, to be told all at once. */
class MappingFaults {
  readonly #found: { offset: number; text: string }[] = [];

  constructor(
    private readonly file: string,
    private readonly lines: LineCounter,
  ) {}

  place(offset: number): string {
    return `${this.file}, line ${this.lines.linePos(offset).line}`;
  }

  add(offset: number, message: string): void {
    this.#found.push({ offset, text: `${this.place(offset)}: ${message}` });
  }

  throwIfAny(): void {
    if (this.#found.length === 0) return;
    const inOrder = this.#found.toSorted((left, right) => left.offset - right.offset);
    throw new WrongUsage(inOrder.map(({ text }) => text).join('\n'));
  }
}

/** A place in the mapping, with its path, for reading it strictly. */
export class MappingNode {
  constructor(
    private readonly node: unknown,
    readonly path: string,
    private readonly faults: MappingFaults,
    private readonly offset = 0,
  ) {}

  get isScalar(): boolean {
    return isScalar(this.node);
  }

  get isList(): boolean {
    return isSeq(this.node);
  }

  /** For messages about it later: `mapping.yaml, line 7, fields.price`. */
  get place(): string {
    return `${this.faults.place(this.at)}, ${this.path}`;
  }

  fault(message: string): void {
    this.faults.add(this.at, this.path === '' ? `it ${message}.` : `${this.path} ${message}.`);
  }

  /** The members by name; what is none of `known` or lacks one of `needed` is a fault. */
  members(known: readonly string[], needed: readonly string[] = []): Partial<Record<string, MappingNode>> {
    if (!isMap(this.node)) {
      this.fault(`must be a mapping with ${known.join(', ')}`);
      return {};
    }
    const found: Record<string, MappingNode> = {};
    for (const { key, value } of this.node.items) {
      const name = isScalar(key) ? String(key.value) : '?';
      const offset = (key as Node | null)?.range?.[0] ?? this.at;
      const member = new MappingNode(
        value,
        this.path === '' ? name : `${this.path}.${name}`,
        this.faults,
        offset,
      );
      if (known.includes(name)) found[name] = member;
      else member.fault(`is not known here. There are: ${known.join(', ')}`);
    }
    for (const name of needed) if (!Object.hasOwn(found, name)) this.fault(`must have ${name}`);
    return found;
  }

  /** Numbers and flags as they are written. */
  text(): string {
    if (isScalar(this.node) && typeof this.node.value === 'string') return this.node.value;
    if (isScalar(this.node) && this.node.source !== undefined && this.node.value !== null) {
      return this.node.source;
    }
    this.fault('must be a text');
    return '';
  }

  flag(): boolean {
    if (isScalar(this.node) && typeof this.node.value === 'boolean') return this.node.value;
    this.fault('must be true or false');
    return false;
  }

  texts(): string[] {
    if (isScalar(this.node)) return [this.text()];
    return this.list().map((item) => item.text());
  }

  list(): MappingNode[] {
    if (isSeq(this.node)) {
      return this.node.items.map(
        (item, index) => new MappingNode(item, `${this.path}[${index}]`, this.faults, this.at),
      );
    }
    this.fault('must be a list');
    return [];
  }

  private get at(): number {
    return this.offset === 0 ? ((this.node as Node | null)?.range?.[0] ?? 0) : this.offset;
  }
}
