import { member, texts } from '../json.ts';
import type { Dto } from '../shape.ts';
import type { Document } from './document.ts';
import type { Operation } from './model.ts';

/**
 * `x-same-as` names the operation of another version that does the same, for the same callers, with the same input.
 * Only the form of the answer differs. One handler serves both. Each difference in the list of `sidesOf` is a fault.
 * Members that a client may send back, but not change (`readOnly`), are not compared, because no handler gets them.
 */
export function checkSame(
  document: Document,
  operations: readonly Operation[],
  dtos: ReadonlyMap<string, Dto>,
): void {
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
    const sides = sidesOf(other, dtos);
    for (const [what, own] of Object.entries(sidesOf(operation, dtos))) {
      if (own !== sides[what]) document.fault(operation.node, `${what} must be the same as in ${other.id}`);
    }
  }
}

function sidesOf(
  { node, method, security, owner, cost, path, query, headers, body, answer }: Operation,
  dtos: ReadonlyMap<string, Dto>,
): Record<string, string> {
  return {
    'the method': method,
    'the security': JSON.stringify(security),
    'x-owner': String(owner),
    'x-conflicts': texts(member(node, 'x-conflicts')).toSorted().join(),
    'the path': names(path?.dto),
    'the query': names(query?.dto),
    'the list of headers': names(headers?.dto),
    'x-cost': JSON.stringify([cost, query?.costs]),
    'whether the body is required': String(body?.required),
    'x-max-body': String(body?.maxBytes),
    'the body': handedOf(dtos.get(body?.dto ?? '')),
    'the status': String(answer.status),
    'the entity': `${answer.entity} ${answer.shape}`,
  };
}

/** The part of a body that a handler gets, independent of the place where it is written. */
function handedOf(dto: Dto | undefined): string {
  const members = dto?.members.filter(({ shape }) => !shape.readOnly) ?? [];
  return JSON.stringify(
    [
      dto?.open,
      dto?.minProperties,
      dto?.maxProperties,
      members.map(({ name, required, shape, tie }) => [name, required, shape, tie === false]),
    ],
    (key, value: unknown) => (key === 'place' || key === 'description' ? undefined : value),
  );
}

function names(dto: Dto | undefined): string {
  return (dto?.members ?? []).map(({ name, tie }) => (tie === false ? `${name} (untied)` : name)).join();
}
