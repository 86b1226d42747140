import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  type ASTNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import { SCALARS } from './scalars.ts';
import { namesIn } from './fields.ts';
import { isReservedType } from '../names.ts';
import { directive, type Sdl } from './schema.ts';

interface Described {
  readonly description?: string | null | undefined;
  readonly astNode?: ASTNode | null | undefined;
}

/**
 * Statuses of REST that descriptions must not name. 500 is not among them, because descriptions also name it as a
 * bound. The descriptions of the root types are not judged, because they name the statuses of handshakes.
 */
const STATUS = /(?<![\d,.])(?:304|4[0-2]\d|50[1-4])\b(?![,.]\d| (?:characters|items|rows)\b)/;

/** Checks rules of this service that the GraphQL specification does not require. */
export function lint(sdl: Sdl, scopes: readonly string[]): void {
  const checkDescription = (owner: Described, name: string): void => {
    const text = owner.description ?? '';
    if (text.trim() === '') sdl.fault(owner.astNode, name, 'has no description');
    const [status] = isRootType(sdl.schema, name) ? [] : (STATUS.exec(text) ?? []);
    if (status !== undefined) {
      sdl.fault(
        owner.astNode,
        name,
        `the description names the status ${status}, which GraphQL does not have. Name the code, such as \`NOT_FOUND\`, or ` +
          'say that the field is null. If openapi.yaml has the same description, change it there too',
      );
    }
  };
  for (const type of Object.values(sdl.schema.getTypeMap()).filter((each) => !isIntrospectionType(each))) {
    if (isSpecifiedScalarType(type)) continue;
    checkDescription(type, type.name);
    if (isReservedType(type.name))
      sdl.fault(type.astNode, type.name, `the name ${type.name} is reserved; call it something else`);
    if (isScalarType(type) && SCALARS[type.name] === undefined) {
      sdl.fault(
        type.astNode,
        type.name,
        `the scalar is not known. The known scalars are ${Object.keys(SCALARS).join(', ')}`,
      );
    }
    if (isEnumType(type))
      for (const value of type.getValues()) checkDescription(value, `${type.name}.${value.name}`);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields()))
        checkDescription(field, `${type.name}.${field.name}`);
    }
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        const name = `${type.name}.${field.name}`;
        checkDescription(field, name);
        for (const argument of field.args) checkDescription(argument, `${name}(${argument.name}:)`);
        lintField(sdl, type, field, name, scopes);
      }
    }
  }
  for (const each of sdl.schema.getDirectives().filter((one) => !isSpecifiedDirective(one))) {
    checkDescription(each, `@${each.name}`);
    for (const argument of each.args) checkDescription(argument, `@${each.name}(${argument.name}:)`);
  }
}

function isRootType(schema: GraphQLSchema, name: string): boolean {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].some(
    (root) => root?.name === name,
  );
}

function lintField(
  sdl: Sdl,
  owner: GraphQLNamedType,
  field: GraphQLField<unknown, unknown>,
  name: string,
  scopes: readonly string[],
): void {
  const fault = (text: string): void => sdl.fault(field.astNode, name, text);
  const { schema } = sdl;
  const auth = directive(field, 'auth');
  const isPublic = directive(field, 'public') !== undefined;
  const isRoot = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(
    owner as never,
  );
  if (isRoot && (auth === undefined) === !isPublic)
    fault('a root field needs exactly one of @auth and @public');
  if (!isRoot && auth !== undefined && isPublic) fault('@auth and @public contradict each other');
  if (auth !== undefined && isNonNullType(field.type)) fault('@auth is on a field that is not nullable');
  if (owner === schema.getMutationType() && isNonNullType(field.type))
    fault('a field of Mutation must be nullable');
  const asked = auth?.['scopes'];
  for (const scope of Array.isArray(asked) ? (asked as unknown[]) : []) {
    if (!scopes.includes(String(scope)))
      fault(`the scope ${String(scope)} is not listed in x-scopes of openapi.yaml`);
  }
  const owns = auth?.['owner'];
  if (auth !== undefined && !(Array.isArray(asked) && asked.length > 0) && owns === undefined)
    fault('@auth requires nothing: name a scope or an owner, or write @public');
  if (typeof owns === 'string' && !isOwner(owns, field, owner)) {
    fault(`the owner must be args.<argument>, parent.<field> or row.<field>, not ${owns}`);
  }
  lintList(field, isSizedAbove(schema, owner, field), fault);
}

/**
 * Whether the schema has the member that names the owner: an argument, a field of the parent object, or a field of the
 * returned rows.
 */
function isOwner(owns: string, field: GraphQLField<unknown, unknown>, parent: GraphQLNamedType): boolean {
  const [, place, name = ''] = /^(args|parent|row)\.(\w+)$/.exec(owns) ?? [];
  if (place === 'args') return field.args.some((argument) => argument.name === name);
  const types = place === 'parent' ? [parent] : rowTypes(field);
  return place !== undefined && types.some((type) => Object.hasOwn(fieldsIn(type), name));
}

function rowTypes(field: GraphQLField<unknown, unknown>): GraphQLNamedType[] {
  const type = getNamedType(field.type);
  const sized = sizedFields(field).flatMap((name) => fieldsIn(type)[name] ?? []);
  return sized.length > 0 ? sized.map((each) => getNamedType(each.type)) : [type];
}

function sizedFields(field: GraphQLField<unknown, unknown>): readonly string[] {
  return namesIn(directive(field, 'listSize')?.['sizedFields']);
}

function fieldsIn(type: GraphQLNamedType): Readonly<Record<string, GraphQLField<unknown, unknown>>> {
  return isObjectType(type) ? type.getFields() : {};
}

/** Whether every field that returns the type `owner` gives the size of this list in its `@listSize(sizedFields:)`. */
function isSizedAbove(
  schema: GraphQLSchema,
  owner: GraphQLNamedType,
  { name }: GraphQLField<unknown, unknown>,
): boolean {
  const returning = Object.values(schema.getTypeMap())
    .flatMap((type) => Object.values(fieldsIn(type)))
    .filter((field) => getNamedType(field.type) === owner);
  return returning.length > 0 && returning.every((field) => sizedFields(field).includes(name));
}

function lintList(
  field: GraphQLField<unknown, unknown>,
  isSized: boolean,
  fault: (text: string) => void,
): void {
  const size = directive(field, 'listSize');
  const isList = isListType(getNullableType(field.type));
  const sized = sizedFields(field);
  if (size === undefined) {
    if (isList && !isSized) fault('a list needs @listSize');
    return;
  }
  if (!isList && sized.length === 0)
    fault('@listSize is on a field that is not a list and has no sizedFields');
  const arguments_ = namesIn(size['slicingArguments']);
  if (arguments_.length === 0 && size['assumedSize'] === undefined)
    fault('@listSize needs slicingArguments or assumedSize');
  for (const name of arguments_) {
    const argument = field.args.find((each) => each.name === name);
    if (argument === undefined) fault(`the slicing argument ${name} is not an argument`);
    else if (String(getNullableType(argument.type)) !== 'Int')
      fault(`the slicing argument ${name} is not an Int`);
    else if (isContradiction(size['assumedSize'], argument.defaultValue))
      fault(`assumedSize must be ${String(argument.defaultValue)}, the default of ${name}`);
  }
  for (const name of sized) {
    const list = fieldsIn(getNamedType(field.type))[name];
    if (list === undefined || !isListType(getNullableType(list.type)))
      fault(`the sized field ${name} is not a list`);
  }
}

function isContradiction(value: unknown, fallback: unknown): boolean {
  return value !== undefined && fallback !== undefined && value !== fallback;
}
