import {
  isInputObjectType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';
import type { Sdl } from '../graphql/schema.ts';

export type Target =
  | { readonly kind: 'field'; readonly node: GraphQLField<unknown, unknown> }
  | { readonly kind: 'input'; readonly node: GraphQLArgument | GraphQLInputField };

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
