import {
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLArgument,
} from 'graphql';
import { className } from '../names.ts';
import type { Dto, Shape } from '../shape.ts';
import { inputDto, type EnumValues } from './inputs.ts';
import { directive, type Sdl } from './schema.ts';

/** The arguments of `@listSize`. */
export interface ListSize {
  readonly assumedSize: number | null;
  readonly slicingArguments: readonly string[];
  /** Empty when the field itself is the list. */
  readonly sizedFields: readonly string[];
}

/** The entry of a field in `src/generated/fields.ts`: its type, access, costs, list sizes and arguments. */
export interface Field {
  readonly type: string;
  readonly field: string;
  readonly access: 'public' | { readonly scopes: readonly string[]; readonly owner: string | null } | null;
  readonly cost: number;
  /** The weights of the arguments that have one. */
  readonly costs: Readonly<Record<string, number>>;
  readonly list: ListSize | null;
  /** The name of the class of the arguments. */
  readonly args: string | null;
}

/** Every field of every object type, in the order of the schema. */
export function fieldsOf({ schema }: Sdl): Field[] {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  return types
    .filter((type) => !isIntrospectionType(type))
    .flatMap((type) => Object.values(type.getFields()).map((field) => fieldOf(type.name, field)));
}

function argsName(type: string, field: string): string {
  return `${className(type)}${className(field)}Args`;
}

function fieldOf(type: string, field: GraphQLField<unknown, unknown>): Field {
  const auth = directive(field, 'auth');
  const size = directive(field, 'listSize');
  const scopes = auth?.['scopes'];
  const weight = directive(field, 'cost')?.['weight'];
  return {
    type,
    field: field.name,
    access:
      auth === undefined
        ? directive(field, 'public') === undefined
          ? null
          : 'public'
        : { scopes: Array.isArray(scopes) ? scopes.map(String) : [], owner: text(auth['owner']) },
    cost: weight === undefined ? (isCompositeType(getNamedType(field.type)) ? 1 : 0) : Number(weight),
    costs: Object.fromEntries(
      field.args.flatMap((argument) => {
        const own = weightOf(argument);
        return own === 0 ? [] : [[argument.name, own]];
      }),
    ),
    list:
      size === undefined
        ? null
        : {
            assumedSize: size['assumedSize'] === undefined ? null : Number(size['assumedSize']),
            slicingArguments: namesIn(size['slicingArguments']),
            sizedFields: namesIn(size['sizedFields']),
          },
    args: field.args.length === 0 ? null : argsName(type, field.name),
  };
}

/** The cost of giving an argument. */
export function weightOf(argument: GraphQLArgument | GraphQLInputField): number {
  return Number(directive(argument, 'cost')?.['weight'] ?? 0);
}

/** The names in the value of an argument. The SDL allows `"a"` instead of `["a"]` for a list of one item. */
export function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(String) : [];
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function withMessages(shape: Shape, twin: Shape): Shape {
  const items = shape.items && twin.items ? withMessages(shape.items, twin.items) : shape.items;
  return { ...shape, items, messages: new Map([...shape.messages, ...twin.messages]) };
}

/**
 * The classes of arguments and input types. An argument or input field accepts null only if its type is nullable and
 * every member of REST that is tied to it accepts null. The argument or input field also has the messages of these
 * members. An argument accepts null only in a mutation. In other fields, null means that the argument is not given.
 *
 * @param tied the members of REST that each argument is tied to, by `Type.field.argument` or `InputType.field`
 */
export function inputDtos(sdl: Sdl, enums: EnumValues, tied: ReadonlyMap<string, readonly Shape[]>): Dto[] {
  const dtos: Dto[] = [];
  const add = (
    name: string,
    of: string,
    description: string,
    inputs: readonly (GraphQLArgument | GraphQLInputField)[],
    isNullable = true,
  ): void => {
    const dto = inputDto(sdl, { name, of, description, inputs }, enums);
    const members = dto.members.map((member) => {
      const twins = tied.get(`${of}.${member.name}`) ?? [];
      const nullable = isNullable && member.shape.nullable && twins.every((twin) => twin.nullable);
      return { ...member, shape: { ...twins.reduce(withMessages, member.shape), nullable } };
    });
    dtos.push({ ...dto, members });
  };
  for (const type of Object.values(sdl.schema.getTypeMap()).filter((each) => !isIntrospectionType(each))) {
    if (isInputObjectType(type))
      add(type.name, type.name, type.description ?? '', Object.values(type.getFields()));
    if (!isObjectType(type)) continue;
    for (const { name, args } of Object.values(type.getFields())) {
      const of = `${type.name}.${name}`;
      const isChange = type === sdl.schema.getMutationType();
      if (args.length > 0) add(argsName(type.name, name), of, `The arguments of \`${of}\`.`, args, isChange);
    }
  }
  return dtos;
}
