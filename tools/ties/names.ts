import { getNamedType, isInputObjectType, isObjectType, type GraphQLField } from 'graphql';
import { namesIn } from '../graphql/fields.ts';
import { directive, type Sdl } from '../graphql/schema.ts';
import { member, textOf, type Node } from '../json.ts';
import { withoutVersion } from '../names.ts';
import type { Operation } from '../openapi/model.ts';
import { lookUp } from './look-up.ts';

/*
 * A part of openapi.yaml is tied to the part of the SDL with the same name. A version at the end of a name does not
 * count: `ProductV2` is tied to `Product`. `x-graphql` ties a part to another name. `x-untied`, or `@untied` in the
 * SDL, says why a part has no counterpart.
 */

/** The parts of the SDL to which a part of openapi.yaml can be tied by its name alone. */
export interface Names {
  readonly hasType: (name: string) => boolean;
  /** @param coordinate such as `Query.product` */
  readonly hasField: (coordinate: string) => boolean;
}

export function namesOf(sdl: Sdl): Names {
  const all = allNamesOf(sdl);
  return {
    hasType: (name) => all.hasType(name) && !isUntiedInSdl(sdl.schema.getType(name) ?? {}),
    hasField: (coordinate) => all.hasField(coordinate) && !isUntiedInSdl(lookUp(sdl, coordinate)?.node ?? {}),
  };
}

/** The parts that `namesOf` knows, and the parts with `@untied`. */
export function allNamesOf(sdl: Sdl): Names {
  return {
    hasType: (name) => {
      const type = sdl.schema.getType(name);
      return isObjectType(type) || isInputObjectType(type);
    },
    hasField: (coordinate) => lookUp(sdl, coordinate)?.kind === 'field',
  };
}

/** The type of the SDL that a component schema is tied to; null for none. */
export function typeTiedTo(names: Names, schema: Node, name: string): string | null {
  const written = textOf(member(schema, 'x-graphql'));
  if (written !== undefined || isUntied(schema)) return written ?? null;
  const type = withoutVersion(name);
  return names.hasType(type) ? type : null;
}

/** The field of the SDL that an operation is tied to (`Query.products`); null for none. */
export function fieldTiedTo(names: Names, { id, node, answer }: Operation): string | null {
  const written = textOf(member(node, 'x-graphql'));
  if (written !== undefined || isUntied(node)) return written ?? null;
  const name = withoutVersion(id);
  const [, verb, Noun = ''] = /^(get|list)([A-Z].*)$/.exec(name) ?? [];
  const noun = Noun.charAt(0).toLowerCase() + Noun.slice(1);
  const field = answer.shape === 'slice' ? `${noun}Connection` : noun;
  const coordinate = verb === undefined ? `Mutation.${name}` : `Query.${field}`;
  return names.hasField(coordinate) ? coordinate : null;
}

function isUntied(node: Node): boolean {
  return member(node, 'x-untied') !== undefined;
}

export function isUntiedInSdl(owner: Parameters<typeof directive>[0]): boolean {
  return directive(owner, 'untied') !== undefined;
}

/** A field with a connection, as in the GraphQL Cursor Connections Specification. */
export interface Connection {
  /** The arguments that give the number of items (`first`, `last`). */
  readonly sizes: readonly string[];
  /** The name of the type of the items. */
  readonly item: string;
}

export function connectionOf(field: GraphQLField<unknown, unknown>): Connection | null {
  const size = directive(field, 'listSize');
  const type = getNamedType(field.type);
  if (!isObjectType(type) || !namesIn(size?.['sizedFields']).includes('edges')) return null;
  const edge = getNamedType(type.getFields()['edges']?.type ?? field.type);
  const node = isObjectType(edge) ? edge.getFields()['node'] : undefined;
  return node === undefined
    ? null
    : { sizes: namesIn(size?.['slicingArguments']), item: getNamedType(node.type).name };
}
