import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  type ASTNode,
  type ConstDirectiveNode,
  type GraphQLNamedType,
} from 'graphql';
import { directive, type Sdl } from '../graphql/schema.ts';
import { snakeCase } from '../names.ts';
import { isReason } from '../openapi/keywords.ts';
import type { Pair, TiedOperation } from './collect.ts';
import { connectionOf, isUntiedInSdl } from './names.ts';

/**
 * The fields of a connection, of its edges and of its `PageInfo`. The GraphQL Cursor Connections Specification names
 * all of them, except `nodes` and `totalCount`.
 */
const OF_CONNECTIONS = new Set(
  'edges nodes pageInfo totalCount cursor node hasNextPage hasPreviousPage startCursor endCursor'.split(' '),
);

type Owner = {
  readonly astNode?: (ASTNode & { readonly directives?: readonly ConstDirectiveNode[] }) | null | undefined;
};

/**
 * Refuses every field, argument, input and enum of the SDL that nothing in openapi.yaml is tied to, unless `@untied`
 * gives the reason. The fields of connections need no tie. The function also refuses an `@untied` part that contains a
 * tied part.
 */
export function refuseUntied(sdl: Sdl, pairs: readonly Pair[], operations: readonly TiedOperation[]): void {
  const tied = new Set([
    ...pairs.map(({ coordinate }) => coordinate),
    ...operations.map(({ coordinate }) => coordinate),
    ...pairs.map(({ target }) => getNamedType(target.node.type).name),
  ]);
  const types = Object.values(sdl.schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
  const connections = typesOfConnections(types);
  refuseUnneededInSdl(sdl, types, connections);
  const { schema } = sdl;
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const check = (owner: Owner, name: string, remedy: string): boolean => {
    if (isUntiedInSdl(owner)) {
      const inside = [...tied].find((each) => each === name || each.startsWith(`${name}.`));
      if (inside !== undefined)
        sdl.fault(owner.astNode, name, `is @untied, but openapi.yaml is tied to ${inside}`);
      if (!isReason(directive(owner, 'untied')?.['reason']))
        sdl.fault(
          owner.astNode,
          name,
          '@untied must give its reason as a sentence: "REST has pages instead."',
        );
      return false;
    }
    if (!tied.has(name)) {
      sdl.fault(
        owner.astNode,
        name,
        `is tied to nothing in openapi.yaml; ${remedy}, or write @untied(reason: "REST has …") here`,
      );
    }
    return true;
  };
  for (const type of types) {
    if (isEnumType(type)) check(type, type.name, `use it for a member or parameter that is tied`);
    if (isUntiedInSdl(type)) {
      if (!isEnumType(type)) check(type, type.name, '');
    } else if (isInputObjectType(type)) {
      for (const { name, astNode } of Object.values(type.getFields()))
        check({ astNode }, `${type.name}.${name}`, memberOf(name, type.name));
    } else if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        const name = `${type.name}.${field.name}`;
        if (isOfConnection(connections, type.name, field.name)) continue;
        const isRoot = roots.includes(type);
        const remedy = isRoot ? operationFor(field.name) : memberOf(field.name, type.name);
        const isTied = check(field, name, remedy);
        for (const { name: argument, astNode } of isTied ? field.args : [])
          check({ astNode }, `${name}.${argument}`, `give the operation a parameter ${snakeCase(argument)}`);
      }
    }
  }
}

/**
 * Refuses `@untied` in the places that do not need it: inside of an untied part, and at the fields of a connection.
 * Also refuses arguments of the fields of a connection.
 */
function refuseUnneededInSdl(
  sdl: Sdl,
  types: readonly GraphQLNamedType[],
  connections: ReadonlySet<string>,
): void {
  const refuse = (owner: Owner, name: string, reason: string): void => {
    if (isUntiedInSdl(owner))
      sdl.fault(owner.astNode, name, `@untied is not needed, because ${reason}; remove it`);
  };
  for (const type of types.filter((each) => isObjectType(each) || isInputObjectType(each))) {
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`;
      const given = 'args' in field ? field.args : [];
      if (isUntiedInSdl(type)) refuse(field, name, `${type.name} is @untied`);
      else if (isOfConnection(connections, type.name, field.name)) {
        refuse(field, name, 'every connection has this field');
        for (const { name: argument, astNode } of given)
          sdl.fault(astNode, `${name}.${argument}`, 'a field of a connection has no arguments; remove it');
      }
      for (const argument of given)
        if (isUntiedInSdl(type) || isUntiedInSdl(field))
          refuse(
            argument,
            `${name}.${argument.name}`,
            `${isUntiedInSdl(type) ? type.name : name} is @untied`,
          );
    }
  }
}

function isOfConnection(connections: ReadonlySet<string>, type: string, field: string): boolean {
  return connections.has(type) && OF_CONNECTIONS.has(field);
}

function memberOf(name: string, type: string): string {
  return `give the schema of ${type} a member ${snakeCase(name)}`;
}

function operationFor(name: string): string {
  return `write x-graphql into the operation that does the same, give that operation the name ${name}`;
}

function typesOfConnections(types: readonly GraphQLNamedType[]): ReadonlySet<string> {
  const fields = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()));
  const connections = fields
    .filter((field) => connectionOf(field) !== null)
    .map(({ type }) => getNamedType(type));
  const inner = connections
    .filter(isObjectType)
    .flatMap((type) => ['edges', 'pageInfo'].map((name) => type.getFields()[name]))
    .flatMap((field) => (field === undefined ? [] : [getNamedType(field.type).name]));
  return new Set([...connections.map(({ name }) => name), ...inner]);
}
