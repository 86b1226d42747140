import { isMap, isScalar, isSeq, type LineCounter, type Node } from 'yaml';
import { WrongUsage } from './failure.js';

/** Gathers the faults of a mapping, so that they are reported together. */
export class MappingFaults {
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

/** A node of the mapping, with its path. A value that does not have the expected type is a fault. */
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

  /** The place of this node for messages, such as `mapping.yaml, line 7, fields.price`. */
  get place(): string {
    return `${this.faults.place(this.at)}, ${this.path}`;
  }

  fault(message: string): void {
    this.faults.add(this.at, this.path === '' ? `it ${message}.` : `${this.path} ${message}.`);
  }

  /** The members by name. A member that is not in `known` is a fault. A missing member of `needed` is also a fault. */
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
      else member.fault(`is not known here. The known names are: ${known.join(', ')}`);
    }
    for (const name of needed) if (!Object.hasOwn(found, name)) this.fault(`must have ${name}`);
    return found;
  }

  /** The text of the node. A number, `true` or `false` is returned as it is written in the file. */
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
