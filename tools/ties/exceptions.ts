import { members, member, type Node } from '../json.ts';
import type { Document } from '../openapi/document.ts';
import { isReason } from '../openapi/keywords.ts';
import type { Operation } from '../openapi/model.ts';

/**
 * The intended differences between an operation and its field. `x-differs` of the operation has the name of each
 * difference, such as `limit.default` or `answer`, and its reason. An exception without a difference is a fault.
 */
export class Exceptions {
  readonly #document: Document;
  readonly #used = new Set<string>();

  constructor(document: Document) {
    this.#document = document;
  }

  /** Whether the contract allows a difference. */
  allows(operation: Operation, name: string): boolean {
    const node = member(member(operation.node, 'x-differs'), name);
    if (node !== undefined) this.#used.add(node.at);
    return node !== undefined;
  }

  /** The text that would allow the difference, for the end of a fault. */
  hint({ id }: Operation, name: string): string {
    return `; if both are right, write x-differs: { ${name}: The reason. } into ${id}`;
  }

  refuseUnused(operations: readonly Operation[]): void {
    for (const operation of operations) {
      const written = members(member(operation.node, 'x-differs'));
      for (const [name, node] of written) this.#check(name, node);
    }
  }

  #check(name: string, node: Node): void {
    if (!this.#used.has(node.at))
      this.#document.fault(node, `x-differs names ${name}, which does not differ; remove it`);
    if (!isReason(node.value))
      this.#document.fault(
        node,
        `x-differs must give the reason for ${name} as a sentence: The list has pages.`,
      );
  }
}
