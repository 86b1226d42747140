import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  print,
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
} from 'graphql';

/**
 * The parts of the SDL that clients rely on, without descriptions, by their coordinates. For example, the entry
 * `Query.products(limit:)` has the text `Int = 20 @constraint(…)`.
 */
export type SdlForm = Readonly<Record<string, string>>;

export function sdlForm(sdl: string): SdlForm {
  const types = Object.values(buildSchema(sdl).getTypeMap());
  const own = types.filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type));
  return Object.fromEntries(own.flatMap(linesOf).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Changes that may break an existing client: a removed or changed part, a new value of an enum, or a new required input
 * of an existing part. Other new parts break no client.
 */
export function sdlBreaks(before: SdlForm, now: SdlForm): string[] {
  const changed = Object.entries(before).flatMap(([name, text]) => {
    const other = now[name];
    if (other === text) return [];
    return [other === undefined ? `${name} is gone` : `${name}: ${text} became ${other}`];
  });
  const demanded = Object.entries(now).filter(
    ([name, text]) => !(name in before) && /^\S*!(?! = )/.test(text) && isInputOf(before, name),
  );
  return [...changed, ...demanded.map(([name, text]) => `${name} is new, and must be given: ${text}`)];
}

/** Whether the coordinate is an argument of an existing field, or a field of an existing input type. */
function isInputOf(before: SdlForm, name: string): boolean {
  const field = /^(.+)\(\w+:\)$/.exec(name)?.[1];
  const type = name.split('.')[0] ?? '';
  return field === undefined ? before[type] === 'input' : field in before;
}

function linesOf(type: GraphQLNamedType): [string, string][] {
  const { name } = type;
  if (isScalarType(type)) return [[name, `scalar${directives(type.astNode?.directives)}`]];
  if (isEnumType(type)) {
    const values = type.getValues().map((value) => value.name);
    return [[name, `enum ${values.toSorted().join(' ')}`]];
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return [
      [name, 'input'],
      ...fields.map((field) => [`${name}.${field.name}`, inputOf(field)] as [string, string]),
    ];
  }
  if (!isObjectType(type)) return [[name, type.astNode?.kind ?? '']];
  const fields = Object.values(type.getFields()).flatMap((field): [string, string][] => {
    const place = `${name}.${field.name}`;
    const own = `${String(field.type)}${directives(field.astNode?.directives)}`;
    return [
      [place, own],
      ...field.args.map((each): [string, string] => [`${place}(${each.name}:)`, inputOf(each)]),
    ];
  });
  return [[name, 'type'], ...fields];
}

function inputOf({ type, astNode }: GraphQLArgument | GraphQLInputField): string {
  const value = astNode?.defaultValue;
  const fallback = value && value.kind !== Kind.NULL ? ` = ${print(value)}` : '';
  return `${String(type)}${fallback}${directives(astNode?.directives)}`;
}

/**
 * Directives sorted by name, with sorted arguments. `@untied` is left out, because it is only an explanation.
 */
function directives(list: readonly ConstDirectiveNode[] = []): string {
  return byName(list.filter(({ name }) => name.value !== 'untied'))
    .map(({ name, arguments: given = [] }) => {
      const shown = byName(given).map((node) => print(node));
      return ` @${name.value}${shown.length > 0 ? `(${shown.join(', ')})` : ''}`;
    })
    .join('');
}

function byName<T extends { readonly name: { readonly value: string } }>(nodes: readonly T[]): T[] {
  return nodes.toSorted((a, b) => (a.name.value < b.name.value ? -1 : 1));
}
