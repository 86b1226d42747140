import {
  isInputObjectType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
} from 'graphql';
import type { Sdl } from '../graphql/schema.ts';
import { member, members, textOf, type Node } from '../json.ts';
import { camelCase } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import { Shapes } from '../openapi/shapes.ts';
import type { Dto, Member } from '../shape.ts';

/** A member or parameter of REST and its tie. */
export interface Pair {
  readonly member: Member;
  /** `Product.price`, `Query.products.page`. */
  readonly coordinate: string;
  readonly target:
    | { readonly kind: 'field'; readonly node: GraphQLField<unknown, unknown> }
    | { readonly kind: 'input'; readonly node: GraphQLArgument | GraphQLInputField };
}

type Target = Pair['target'];

/** Finds `Type.field`, `Type.field.argument` and `InputType.field`. */
export function lookUp(sdl: Sdl, coordinate: string): Target | undefined {
  const [typeName = '', name = '', argument] = coordinate.split('.');
  const type = sdl.schema.getType(typeName);
  if (isInputObjectType(type)) {
    const node = Object.hasOwn(type.getFields(), name) ? type.getFields()[name] : undefined;
    return node === undefined ? undefined : { kind: 'input', node };
  }
  const field =
    isObjectType(type) && Object.hasOwn(type.getFields(), name) ? type.getFields()[name] : undefined;
  if (field === undefined) return undefined;
  if (argument === undefined) return { kind: 'field', node: field };
  const node = field.args.find((each) => each.name === argument);
  return node === undefined ? undefined : { kind: 'input', node };
}

/** Every pair that the two contracts tie. A tie to a coordinate that does not exist is a fault. */
export function collectPairs(document: Document, rest: Rest, sdl: Sdl): Pair[] {
  const pair = (owner: string | null, each: Member): Pair[] => {
    if (each.tie === false || (owner === null && each.tie === undefined)) return [];
    const coordinate = typeof each.tie === 'string' ? each.tie : `${owner}.${camelCase(each.name)}`;
    const target = lookUp(sdl, coordinate);
    if (target !== undefined) return [{ member: each, coordinate, target }];
    sdlMissing(document, each, coordinate);
    return [];
  };
  const ofOperations = rest.operations.flatMap((operation) => {
    const owner = tieOf(operation);
    const own = [operation.path, operation.query].flatMap((parameters) => parameters?.dto.members ?? []);
    if (owner !== null && lookUp(sdl, owner)?.kind !== 'field') {
      document.fault(operation.node, `x-graphql: there is no field ${owner} in schema.graphql`);
      return [];
    }
    return own.flatMap((each) => pair(owner, each));
  });
  return [
    ...ofOperations,
    ...tiedSchemas(document, rest, sdl).flatMap(({ owner, dto }) =>
      dto.members.flatMap((each) => pair(owner, each)),
    ),
  ];
}

function sdlMissing(document: Document, { name, shape }: Member, coordinate: string): void {
  const text = `${name} is tied to ${coordinate}, which is not in schema.graphql; write x-graphql: false if it is only here`;
  document.faultAt(shape.place, text);
}

export function tieOf(operation: Operation): string | null {
  return textOf(member(operation.node, 'x-graphql')) ?? null;
}

/** The component schemas that are tied as a whole (`owner`), or have tied members. */
function tiedSchemas(document: Document, rest: Rest, sdl: Sdl): { owner: string | null; dto: Dto }[] {
  const answers = new Shapes(document, 'answer');
  const requests = new Shapes(document, 'request');
  return members(member(member(document.root, 'components'), 'schemas')).flatMap(([name, node]) => {
    const owner = textOf(member(node, 'x-graphql')) ?? null;
    if (owner === null && !hasTiedMember(node)) return [];
    if (owner !== null && !isOwner(sdl, owner)) {
      document.fault(node, `x-graphql: there is no ${owner} in schema.graphql`);
      return [];
    }
    const type: GraphQLNamedType | undefined = sdl.schema.getType(owner ?? '');
    const isInput = owner === null ? rest.dtos.has(name) : !isObjectType(type);
    const shapes = isInput ? requests : answers;
    const dto = shapes.dtos.get(shapes.of([node], name)?.dto ?? '');
    if (dto === undefined) document.fault(node, 'x-graphql: only an object with named members can be tied');
    return dto === undefined ? [] : [{ owner, dto }];
  });
}

function isOwner(sdl: Sdl, owner: string): boolean {
  const type = sdl.schema.getType(owner);
  return isObjectType(type) || isInputObjectType(type) || lookUp(sdl, owner)?.kind === 'field';
}

function hasTiedMember(node: Node): boolean {
  return members(member(node, 'properties')).some(
    ([, property]) => textOf(member(property, 'x-graphql')) !== undefined,
  );
}
