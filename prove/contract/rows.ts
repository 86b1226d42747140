import { readFileSync } from 'node:fs';
import { readOpenApi, type Operation } from '../../testkit/contract/document.ts';
import { GoodRequests, type PathValues, type Send } from '../../testkit/contract/good-requests.ts';
import { flat } from '../../testkit/contract/schemas.ts';
import { bodyOf } from '../../testkit/contract/relations.ts';

/** A row of the service, which a request can name. */
export interface Row {
  readonly id: number;
}

/** The operations of the built service. They make the rows, even if the proof judges another contract (`--openapi`). */
const OPERATIONS = readOpenApi(readFileSync('openapi.yaml', 'utf8'));

/**
 * The operation of REST that is tied to this field: by its `x-graphql`, or else because it has the name of the
 * mutation. Null if there is none.
 */
export function operationTiedTo(field: string): Operation | null {
  return OPERATIONS.find(({ id, tie }) => (tie ?? `Mutation.${id}`) === field) ?? null;
}

/** The list of REST with the same name as a field: `listProducts` for `Query.products`. */
function listLike({ name }: { readonly name: string }): Operation | undefined {
  return OPERATIONS.find(({ id }) => id.toLowerCase() === `list${name.toLowerCase()}`);
}

/**
 * The number of rows that the pages of a field can reach. It is the same as for the list of REST with the same name,
 * with one exception: a field that is not sorted by id always has the bound of a filtered list. This function
 * recognizes such a field by its description, which does not say "With a filter".
 */
export function reachOf(field: {
  readonly name: string;
  readonly description: string;
}): Pick<Operation, 'reach'> | undefined {
  const list = listLike(field);
  const { filtered } = list?.reach ?? {};
  return filtered === undefined || field.description.includes('With a filter')
    ? list
    : { reach: { all: filtered } };
}

/** The entity with the name of a type of the SDL; undefined if no operation makes rows of such an entity. */
export function entityOf(type: string): string | undefined {
  return OPERATIONS.map(({ makes }) => makes?.entity).find((entity) => entity === type);
}

/** The rows that requests are about, by their entity. */
export class Rows {
  readonly #stable = new Map<string, Promise<Row>>();
  readonly #requests: GoodRequests;

  constructor(send: Send) {
    const referred = async (entity: string): Promise<number> => (await this.row(entity, false)).id;
    this.#requests = new GoodRequests(OPERATIONS, send, referred);
  }

  /**
   * A row of this entity. If `isFresh`, it is a new row, which no other request names, so that a request may change it.
   * Otherwise, it is a row that many requests name, so that no request may change it.
   */
  row(entity: string, isFresh: boolean): Promise<Row> {
    if (isFresh) return this.#requests.make(entity);
    const made = this.#stable.get(entity) ?? this.#requests.make(entity);
    this.#stable.set(entity, made);
    return made;
  }

  /**
   * A fresh row of a user. It is made with the required members and its owner only, so that this user may do everything
   * with the row.
   */
  async rowOf(entity: string, owner: Row): Promise<Row> {
    const maker = this.#requests.makerOf(entity);
    const place = /^body\.(.+)/.exec(maker.owner ?? '')?.[1];
    const given = place === undefined ? {} : { [place]: owner.id };
    const members = [...(flat(bodyOf(maker) ?? {}).required ?? []), ...Object.keys(given)];
    const body = Object.entries((await this.#requests.body(maker, given)) ?? {});
    return this.#requests.makeBy(maker, Object.fromEntries(body.filter(([name]) => members.includes(name))));
  }

  /** The values of these members in a fresh row. */
  async taken(entity: string, names: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const maker = this.#requests.makerOf(entity);
    const body = (await this.#requests.body(maker)) as Record<string, unknown>;
    await this.#requests.makeBy(maker, body);
    return Object.fromEntries(names.map((name) => [name, body[name]]));
  }

  /**
   * The id of a new row at a path with these parameters. If the path that makes rows of the entity has no parameters,
   * the result is the id of `row`.
   */
  async below(entity: string, values: PathValues, isFresh: boolean): Promise<number> {
    const isNested = this.#requests.makerOf(entity).path.includes('{');
    return isNested ? this.#requests.idIn(entity, values) : (await this.row(entity, isFresh)).id;
  }

  /**
   * Makes a fresh row that refers to the given row. After that, a deletion of the given row must be refused with this
   * code.
   */
  makeReferrer(code: string, { id }: Row): Promise<void> {
    return this.#requests.makeReferrer(code, id);
  }
}
