import { getNamedType, getNullableType, isListType, isObjectType, isRequiredArgument } from 'graphql';
import type { EnumValues } from '../graphql/inputs.ts';
import { directive, placeOf, type Sdl } from '../graphql/schema.ts';
import { member, members, textOf } from '../json.ts';
import { camelCase } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import type { Shape } from '../shape.ts';
import { accessOf } from './access.ts';
import { collectPairs, lookUp, tieOf } from './collect.ts';
import { compare } from './compare.ts';
import { tieEnums } from './enums.ts';

export interface Ties {
  readonly enums: EnumValues;
  /** The members of REST that an argument (`Query.products.page`) is tied to. */
  readonly inputs: ReadonlyMap<string, readonly Shape[]>;
  /** The entity of an SDL type. */
  readonly entities: ReadonlyMap<string, string>;
}

/** Finds the ties between the contracts, and adds a fault for each disagreement. */
export function tie(document: Document, rest: Rest, sdl: Sdl): Ties {
  const pairs = collectPairs(document, rest, sdl);
  const enums = tieEnums(document, pairs);
  const inputs = new Map<string, Shape[]>();
  for (const pair of pairs) {
    compare(document, sdl, pair, enums);
    if (pair.target.kind === 'input') {
      inputs.set(pair.coordinate, [...(inputs.get(pair.coordinate) ?? []), pair.member.shape]);
    }
  }
  for (const operation of rest.operations) {
    compareAnswer(document, sdl, operation);
    for (const coordinate of fieldsTiedTo(rest, operation))
      compareAccess(document, rest, sdl, operation, coordinate);
    checkArguments(document, rest, sdl, operation);
  }
  return { enums, inputs, entities: entitiesOf(document, sdl) };
}

/** A tied operation and field must answer with the same entity, and both with one or both with a list. */
function compareAnswer(document: Document, sdl: Sdl, operation: Operation): void {
  const coordinate = tieOf(operation);
  const target = coordinate === null ? undefined : lookUp(sdl, coordinate);
  const { answer } = operation;
  if (coordinate === null || target === undefined || answer.entitySchema === null) return;
  const type = textOf(member(answer.entitySchema, 'x-graphql'));
  const named = getNamedType(target.node.type).name;
  const there = `${String(target.node.type)} at ${placeOf(target.node.astNode, coordinate)}`;
  if (type !== named)
    document.fault(operation.node, `the answer is ${type ?? 'tied to nothing'} here, but ${there}`);
  const isList = isListType(getNullableType(target.node.type));
  if ((answer.shape === 'page') !== isList) {
    document.fault(
      operation.node,
      `the answer is ${answer.shape === 'page' ? 'a list' : 'one'} here, but ${there}`,
    );
  }
}

/** The operation itself and its body may each be tied to a field. */
function fieldsTiedTo(rest: Rest, operation: Operation): string[] {
  const ties = [tieOf(operation), rest.dtos.get(operation.body?.dto ?? '')?.tie ?? null];
  return [...new Set(ties.filter((coordinate) => coordinate !== null))];
}

/** An operation and a field that are tied must be open to the same callers. */
function compareAccess(
  document: Document,
  rest: Rest,
  sdl: Sdl,
  operation: Operation,
  coordinate: string,
): void {
  const target = lookUp(sdl, coordinate);
  if (target?.kind !== 'field') return;
  const { isPublic, scopes, owner } = accessOf(rest, operation, coordinate);
  const [here, other] = [access(isPublic, scopes, owner), accessOfField(target.node)];
  if (here === other) return;
  const there = placeOf(target.node.astNode, coordinate);
  document.fault(operation.node, `the access is ${here} here, but ${other} at ${there}`);
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

/** An argument that GraphQL requires must have a counterpart in REST, because otherwise it would have no meaning. */
function checkArguments(document: Document, rest: Rest, sdl: Sdl, operation: Operation): void {
  const dtos = [operation.path?.dto, operation.query?.dto, rest.dtos.get(operation.body?.dto ?? '')];
  for (const coordinate of [tieOf(operation), dtos[2]?.tie]) {
    const target = coordinate == null ? undefined : lookUp(sdl, coordinate);
    if (coordinate == null || target?.kind !== 'field') continue;
    const given = dtos
      .flatMap((dto) => dto?.members ?? [])
      .filter((each) => each.tie !== false)
      .map(({ name, tie: own }) => (typeof own === 'string' ? own : camelCase(name)));
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
}

function entitiesOf(document: Document, sdl: Sdl): Map<string, string> {
  const entities = new Map<string, string>();
  for (const [, node] of members(member(member(document.root, 'components'), 'schemas'))) {
    const entity = textOf(member(node, 'x-entity'));
    const type = textOf(member(node, 'x-graphql'));
    if (entity === undefined || type === undefined) continue;
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
