import { getNamedType, getNullableType, isListType, isObjectType, isRequiredArgument } from 'graphql';
import type { EnumValues } from '../graphql/inputs.ts';
import { directive, placeOf, type Sdl } from '../graphql/schema.ts';
import { member, members, nameOf, textOf } from '../json.ts';
import { camelCase } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import type { Rest } from '../openapi/model.ts';
import type { Shape } from '../shape.ts';
import { accessOf } from './access.ts';
import { collectPairs, inputsOf, tiedOperations, type TiedOperation } from './collect.ts';
import { compare } from './compare.ts';
import { tieEnums } from './enums.ts';
import { Exceptions } from './exceptions.ts';
import { connectionOf, namesOf, typeTiedTo } from './names.ts';
import { refuseUnneeded } from './unneeded.ts';
import { refuseUntied } from './untied.ts';

export interface Ties {
  readonly enums: EnumValues;
  /** The members of REST that an argument (`Query.products.page`) is tied to. */
  readonly inputs: ReadonlyMap<string, readonly Shape[]>;
  /** The entity of an SDL type. */
  readonly entities: ReadonlyMap<string, string>;
}

/**
 * Finds the ties between the contracts. Adds a fault for each disagreement, and for each part of schema.graphql that
 * has neither a tie nor `@untied`.
 */
export function tie(document: Document, rest: Rest, sdl: Sdl): Ties {
  const exceptions = new Exceptions(document);
  const operations = tiedOperations(document, rest, sdl);
  const pairs = collectPairs(document, rest, sdl, operations);
  const enums = tieEnums(document, pairs);
  const inputs = new Map<string, Shape[]>();
  for (const pair of pairs) {
    compare(document, sdl, pair, enums, exceptions);
    if (pair.target.kind === 'input') {
      inputs.set(pair.coordinate, [...(inputs.get(pair.coordinate) ?? []), pair.member.shape]);
    }
  }
  for (const tied of operations) {
    compareAnswer(document, sdl, tied, exceptions);
    compareAccess(document, rest, sdl, tied, exceptions);
    checkArguments(document, rest, tied);
  }
  const entities = entitiesOf(document, sdl);
  refuseUntied(sdl, pairs, operations);
  refuseUnneeded(document, rest, sdl, operations);
  exceptions.refuseUnused(rest.operations);
  return { enums, inputs, entities };
}

/** An operation and its field must answer with the same entity: both with one, or both with a list of the same kind. */
function compareAnswer(
  document: Document,
  sdl: Sdl,
  { operation, coordinate, target: { node } }: TiedOperation,
  exceptions: Exceptions,
): void {
  const { answer } = operation;
  if (answer.entitySchema === null) return;
  const fault = (here: string): void => {
    if (exceptions.allows(operation, 'answer')) return;
    const there = `${String(node.type)} at ${placeOf(node.astNode, coordinate)}`;
    const hint = exceptions.hint(operation, 'answer');
    document.fault(operation.node, `the answer is ${here} here, but ${there}${hint}`);
  };
  const connection = connectionOf(node);
  const type = typeTiedTo(namesOf(sdl), answer.entitySchema, nameOf(answer.entitySchema));
  if (type !== (connection?.item ?? getNamedType(node.type).name)) fault(type ?? 'tied to nothing');
  const kind = connection === null ? (isListType(getNullableType(node.type)) ? 'page' : 'entity') : 'slice';
  if (answer.shape !== kind) fault(KINDS[answer.shape] ?? answer.shape);
}

const KINDS: Readonly<Record<string, string>> = {
  entity: 'one',
  page: 'a list',
  slice: 'a list with cursors',
  export: 'an export',
};

/** An operation and a field that are tied must be open to the same callers. */
function compareAccess(
  document: Document,
  rest: Rest,
  sdl: Sdl,
  { operation, coordinate, target: { node } }: TiedOperation,
  exceptions: Exceptions,
): void {
  const { isPublic, scopes, owner } = accessOf(rest, namesOf(sdl), operation, coordinate);
  const [here, other] = [access(isPublic, scopes, owner), accessOfField(node)];
  if (here === other || exceptions.allows(operation, 'access')) return;
  const hint = exceptions.hint(operation, 'access');
  const there = placeOf(node.astNode, coordinate);
  document.fault(operation.node, `the access is ${here} here, but ${other} at ${there}${hint}`);
}

function accessOfField(field: Parameters<typeof directive>[0]): string {
  const auth = directive(field, 'auth');
  const scopes: unknown[] = Array.isArray(auth?.['scopes']) ? auth['scopes'] : [];
  const alternatives = scopes.map((scope) => [String(scope)]);
  const owner = auth?.['owner'];
  return access(
    directive(field, 'public') !== undefined,
    alternatives,
    typeof owner === 'string' ? owner : null,
  );
}

function access(
  isPublic: boolean,
  alternatives: readonly (readonly string[])[],
  owner: string | null,
): string {
  if (isPublic) return 'public';
  const names = alternatives.map((scopes) => scopes.join(' and ') || 'any credential').toSorted();
  const owners = owner === null ? [] : [`the owner by ${owner}`];
  return [...new Set(names), ...owners].join(' or ') || 'nobody';
}

/**
 * An argument that GraphQL requires must have a counterpart in REST. Otherwise the field would need a value that the
 * operation does not need.
 */
function checkArguments(document: Document, rest: Rest, tied: TiedOperation): void {
  const { operation, coordinate, target } = tied;
  const given = inputsOf(rest, tied).map(({ name, tie: own }) => own || camelCase(name));
  for (const argument of target.node.args.filter(isRequiredArgument)) {
    const names = [argument.name, `${coordinate}.${argument.name}`];
    if (names.some((name) => given.includes(name))) continue;
    const there = placeOf(argument.astNode, `${coordinate}.${argument.name}`);
    document.fault(
      operation.node,
      `no parameter or member here gives ${argument.name}, which is required at ${there}`,
    );
  }
}

function entitiesOf(document: Document, sdl: Sdl): Map<string, string> {
  const entities = new Map<string, string>();
  for (const [name, node] of members(member(member(document.root, 'components'), 'schemas'))) {
    const entity = textOf(member(node, 'x-entity'));
    const type = typeTiedTo(namesOf(sdl), node, name);
    if (entity === undefined || type === null) continue;
    if (!isObjectType(sdl.schema.getType(type))) {
      document.fault(node, `x-graphql: an entity must be tied to an object type, not ${type}`);
    } else if ((entities.get(type) ?? entity) !== entity) {
      document.fault(
        node,
        `the type ${type} stands for ${entity} here and for ${String(entities.get(type))} elsewhere`,
      );
    }
    entities.set(type, entity);
  }
  return entities;
}
