import { member, members, type Node } from '../json.ts';
import type { Document } from './document.ts';
import type { Rest } from './model.ts';

/**
 * Refuses a wrong `x-shown-once`. The answer that shows a new row may have members that later answers about this row do
 * not have. These members, and no others, must have `x-shown-once: true`. The pages show a button to copy such a
 * member. No test notices a missing button.
 */
export function checkShownOnce(document: Document, { operations }: Rest): void {
  for (const { id, answer } of operations) {
    const later = operations.find((operation) => operation.id === answer.locationOf);
    if (answer.schema === null || later === undefined || later.answer.schema === null) continue;
    const shown = new Set(membersOf(document, later.answer.schema).map(([name]) => name));
    for (const [name, node] of membersOf(document, answer.schema)) {
      const isOnce = document.placesOf(node).some((part) => member(part, 'x-shown-once')?.value === true);
      if (isOnce && shown.has(name))
        document.fault(node, `${later.id} shows ${name} too, so remove x-shown-once`);
      if (!isOnce && !shown.has(name))
        document.fault(node, `${id} shows ${name}, and ${later.id} does not; write x-shown-once: true`);
    }
  }
}

function membersOf(document: Document, schema: Node): (readonly [string, Node])[] {
  return document.placesOf(schema).flatMap((part) => members(member(part, 'properties')));
}
