import { Injectable } from '@nestjs/common';
import { Kind, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';
import { Cursors } from '../contract/cursors.js';
import type { Piece } from '../database/slices.js';
import { ValidationFailed, type Fault } from '../errors/errors.js';
import type { Position, Slice } from '../../generated/contract.js';
import type { GraphqlContext } from './context.js';

const DEFAULT_SIZE = 20;

/** The requested part of a list, in the terms of the GraphQL Cursor Connections Specification. */
export interface Paging {
  readonly first?: number | undefined;
  readonly after?: string | undefined;
  readonly last?: number | undefined;
  readonly before?: string | undefined;
}

/** Makes connections from the slices of a list. */
@Injectable()
export class Connections {
  constructor(private readonly cursors: Cursors) {}

  /**
   * @param sought the other validated arguments that decide the content of the list
   * @throws ValidationFailed for arguments that contradict each other
   * @throws CursorInvalid for a text that is not a cursor of this list
   */
  async of<E>(
    paging: Paging,
    sought: object,
    { reach }: Pick<GraphqlContext, 'reach'>,
    info: Pick<GraphQLResolveInfo, 'fieldName' | 'fieldNodes' | 'fragments'>,
    read: (piece: Piece) => Promise<Slice<E>>,
  ): Promise<Connection<E>> {
    requireOneWay(paging);
    const list = nameOf(info.fieldName, reach.onlyOf, sought);
    const slice = await read({
      position: this.positionOf(paging, list),
      limit: paging.last ?? paging.first ?? DEFAULT_SIZE,
      isWithoutTotal: !selects(info, 'totalCount'),
    });
    return new Connection(slice, (row) =>
      this.cursors.write({ isBackwards: false, key: slice.keyOf(row) }, list),
    );
  }

  /** A cursor names the place of a row, so it can be used in both directions. */
  private positionOf({ after, last, before }: Paging, list: string): Position | null {
    const isBackwards = last !== undefined;
    const cursor = isBackwards ? before : after;
    if (cursor === undefined) return isBackwards ? { isBackwards, key: null } : null;
    const place = { pointer: isBackwards ? '#/before' : '#/after' };
    return { ...this.cursors.read(cursor, list, place), isBackwards };
  }
}

/** A connection whose parts are made only when they are selected. */
export class Connection<E> {
  constructor(
    private readonly slice: Slice<E>,
    private readonly cursorOf: (row: E) => string,
  ) {}

  get nodes(): readonly E[] {
    return this.slice.items;
  }

  get edges(): readonly Edge<E>[] {
    return this.slice.items.map((node) => new Edge(node, this.cursorOf));
  }

  get totalCount(): number | null {
    return this.slice.total;
  }

  get pageInfo() {
    const { cursorOf } = this;
    const { items, next, previous } = this.slice;
    const [first, last] = [items[0], items.at(-1)];
    return {
      hasNextPage: next !== null,
      hasPreviousPage: previous !== null,
      get startCursor() {
        return first === undefined ? null : cursorOf(first);
      },
      get endCursor() {
        return last === undefined ? null : cursorOf(last);
      },
    };
  }
}

class Edge<E> {
  constructor(
    readonly node: E,
    private readonly cursorOf: (row: E) => string,
  ) {}

  get cursor(): string {
    return this.cursorOf(this.node);
  }
}

/** @throws ValidationFailed */
function requireOneWay({ first, after, last, before }: Paging): void {
  const faults: Fault[] = [];
  const refuse = (argument: string, detail: string): void => {
    faults.push({ pointer: `#/${argument}`, code: 'CONFLICT', detail });
  };
  if (first !== undefined && last !== undefined) {
    refuse(
      'last',
      'must not be used with "first": ask for items from the beginning ("first") or from the end ("last")',
    );
  }
  if (after !== undefined && last !== undefined) {
    refuse('after', 'must not be used with "last": use it with "first"');
  }
  if (before !== undefined && (last === undefined || first !== undefined)) {
    refuse('before', 'must be used with "last", and without "first"');
  }
  if (faults.length > 0) throw new ValidationFailed(faults);
}

/** The name of a list, for `Cursors`. It does not depend on the order of the arguments. */
function nameOf(field: string, onlyOf: number | null, sought: object): string {
  const given = Object.entries(sought).filter(([, value]) => value !== undefined);
  return JSON.stringify([field, onlyOf, given.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/**
 * Whether a field is selected inside another field. A selection with a condition (`@skip`, `@include`) counts too. The
 * search is short, because an earlier check has limited the number of selections.
 */
function selects(
  { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>,
  name: string,
): boolean {
  const isIn = (selectionSet: SelectionSetNode | undefined): boolean =>
    (selectionSet?.selections ?? []).some((selection) =>
      selection.kind === Kind.FIELD
        ? selection.name.value === name
        : isIn(
            selection.kind === Kind.INLINE_FRAGMENT
              ? selection.selectionSet
              : fragments[selection.name.value]?.selectionSet,
          ),
    );
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet));
}
