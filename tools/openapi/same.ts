import type { Dto } from '../shape.ts';
import type { Document } from './document.ts';
import type { Operation } from './model.ts';

/**
 * `x-same-as` names the operation of another version that does the same, of the same callers, with the same input, and
 * shows it otherwise: one handler serves both. What they do not agree on is a fault.
 */
export function checkSame(document: Document, operations: readonly Operation[]): void {
  for (const operation of operations) {
    if (operation.sameAs === null) continue;
    const other = operations.find(({ id }) => id === operation.sameAs);
    if (other === undefined || other.sameAs !== null) {
      document.fault(
        operation.node,
        `x-same-as must name an operation with a handler, not ${operation.sameAs}`,
      );
      continue;
    }
    for (const [what, own] of Object.entries(sidesOf(operation))) {
      if (own !== sidesOf(other)[what])
        document.fault(operation.node, `${what} is not that of ${other.id}, which it is to be the same as`);
    }
  }
}

function sidesOf({
  method,
  security,
  owner,
  path,
  query,
  headers,
  body,
  answer,
}: Operation): Record<string, string> {
  return {
    'the method': method,
    'the security': JSON.stringify(security),
    'x-owner': String(owner),
    'the path': names(path?.dto),
    'the query': names(query?.dto),
    'the list of headers': names(headers?.dto),
    'the body': String(body?.dto),
    'the status': String(answer.status),
    'the entity': `${answer.entity} ${answer.shape}`,
  };
}

function names(dto: Dto | undefined): string {
  return (dto?.members ?? []).map(({ name }) => name).join();
}
