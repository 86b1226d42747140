import { isInputObjectType, isObjectType } from 'graphql';
import type { Sdl } from '../graphql/schema.ts';
import { member, members, textOf, type Node } from '../json.ts';
import { camelCase } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import { Shapes } from '../openapi/shapes.ts';
import type { Dto, Member } from '../shape.ts';
import { lookUp, type Target } from './look-up.ts';
import { connectionOf, fieldTiedTo, namesOf, typeTiedTo } from './names.ts';

/** A member or parameter of REST and its tie. */
export interface Pair {
  readonly member: Member;
  /** Such as `Product.price` or `Query.products.page`. */
  readonly coordinate: string;
  readonly target: Target;
  /** The operation that the parameter or the member of a body belongs to; null for other members. */
  readonly operation: Operation | null;
}

/** An operation and the field that it is tied to. */
export interface TiedOperation {
  readonly operation: Operation;
  readonly coordinate: string;
  readonly target: Target & { readonly kind: 'field' };
}

/** Every operation that is tied to a field. A tie to a field that does not exist is a fault. */
export function tiedOperations(document: Document, rest: Rest, sdl: Sdl): TiedOperation[] {
  const names = namesOf(sdl);
  return rest.operations.flatMap((operation) => {
    const coordinate = fieldTiedTo(names, operation);
    if (coordinate === null) return [];
    const target = lookUp(sdl, coordinate);
    if (target?.kind === 'field') return [{ operation, coordinate, target }];
    document.fault(operation.node, `x-graphql: there is no field ${coordinate} in schema.graphql`);
    return [];
  });
}

/** The inputs of an operation. A read-only member is no input, because a client may send it back, but not change it. */
export function inputsOf(
  rest: Rest,
  { operation: { path, query, body }, coordinate }: Pick<TiedOperation, 'operation' | 'coordinate'>,
): readonly Member[] {
  // The parent object of a field stands for the row that the path names.
  const isRoot = /^(Query|Mutation|Subscription)\./.test(coordinate);
  const dtos = [isRoot ? path?.dto : undefined, query?.dto, rest.dtos.get(body?.dto ?? '')];
  return dtos.flatMap((dto) => dto?.members ?? []).filter(({ shape }) => !shape.readOnly);
}

/** Every pair that the two contracts tie. A tie to a coordinate that does not exist is a fault. */
export function collectPairs(
  document: Document,
  rest: Rest,
  sdl: Sdl,
  operations: readonly TiedOperation[],
): Pair[] {
  const pair = (owner: string | null, each: Member, operation: Operation | null): Pair[] => {
    if (each.tie === false || (owner === null && each.tie === undefined)) return [];
    const coordinate = each.tie ?? `${owner}.${camelCase(each.name)}`;
    const target = lookUp(sdl, coordinate);
    if (target !== undefined) return [{ member: each, coordinate, target, operation }];
    sdlMissing(document, each, coordinate);
    return [];
  };
  const ofOperations = operations.flatMap((tied) =>
    inputsOf(rest, tied).flatMap((each) =>
      argumentsFor(each, tied).flatMap((argument) => {
        const tie = argument === null ? each.tie : `${tied.coordinate}.${argument}`;
        return pair(tied.coordinate, { ...each, tie }, tied.operation);
      }),
    ),
  );
  return [
    ...ofOperations,
    ...tiedSchemas(document, rest, sdl).flatMap(({ owner, dto }) =>
      dto.members.flatMap((each) => pair(owner, each, null)),
    ),
  ];
}

/**
 * The names of the arguments that a member of REST is tied to; null stands for the tie or the name that the member
 * itself has. For a connection, `cursor` is tied to `after` and `before`, and `limit` to `first` and `last`. Fields
 * that are not connections have no cursors.
 */
function argumentsFor({ name }: Member, { operation, target }: TiedOperation): readonly (string | null)[] {
  const connection = connectionOf(target.node);
  const isSlice = operation.answer.shape === 'slice';
  if (isSlice && name === 'cursor') return connection === null ? [] : ['after', 'before'];
  return isSlice && name === 'limit' && connection !== null ? connection.sizes : [null];
}

function sdlMissing(document: Document, { name, shape }: Member, coordinate: string): void {
  const text = `${name} is tied to ${coordinate}, which is not in schema.graphql; if it is only here, write x-untied: The reason.`;
  document.faultAt(shape.place, text);
}

/** The component schemas that are tied as a whole (`owner`), or have tied members. */
function tiedSchemas(document: Document, rest: Rest, sdl: Sdl): { owner: string | null; dto: Dto }[] {
  const names = namesOf(sdl);
  const answers = new Shapes(document, 'answer');
  const requests = new Shapes(document, 'request');
  const bodies = new Set(rest.operations.map(({ body }) => body?.dto));
  return members(member(member(document.root, 'components'), 'schemas')).flatMap(([name, node]) => {
    const owner = typeTiedTo(names, node, name);
    // The members of a body are arguments of the field that its operation is tied to.
    if (owner === null && (bodies.has(name) || !hasTiedMember(node))) return [];
    const type = owner === null ? undefined : sdl.schema.getType(owner);
    if (owner !== null && !isObjectType(type) && !isInputObjectType(type)) {
      document.fault(node, `x-graphql: there is no type ${owner} in schema.graphql`);
      return [];
    }
    const isInput = owner === null ? rest.dtos.has(name) : isInputObjectType(type);
    const shapes = isInput ? requests : answers;
    const dto = shapes.dtos.get(shapes.of([node], name)?.dto ?? '');
    if (dto === undefined) document.fault(node, 'x-graphql: only an object with named members can be tied');
    return dto === undefined ? [] : [{ owner, dto }];
  });
}

function hasTiedMember(node: Node): boolean {
  return members(member(node, 'properties')).some(
    ([, property]) => textOf(member(property, 'x-graphql')) !== undefined,
  );
}
