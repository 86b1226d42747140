import { member, nameOf, textOf, type Node } from '../json.ts';
import { camelCase } from '../names.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import { typeTiedTo, type Names } from './names.ts';

/** The callers that an operation admits. */
export interface Access {
  readonly isPublic: boolean;
  /** Alternatives, each with all the scopes that it needs. */
  readonly scopes: readonly (readonly string[])[];
  /** The name of the owner in the SDL. */
  readonly owner: string | null;
}

/** The access of an operation, in the words of the field that it is tied to. */
export function accessOf(rest: Rest, names: Names, operation: Operation, coordinate: string): Access {
  const { security, owner } = operation;
  const isOpen = security.length === 0 || security.some((entry) => entry.length === 0);
  const scopes = security
    .map((entry) => entry.flatMap((each) => each.scopes).toSorted())
    // If there is an owner, a scheme without scopes is for the owner only.
    .filter((all) => owner === null || all.length > 0);
  return {
    isPublic: isOpen && owner === null,
    scopes,
    owner: owner && ownerInSdl(rest, names, operation, owner, coordinate),
  };
}

/**
 * The name of `x-owner` in the SDL: `path.id` is `args.id`, or `parent.id`. If `x-graphql` ties the member to another
 * name, that name is used.
 */
function ownerInSdl(
  rest: Rest,
  names: Names,
  { path, query, body, answer }: Operation,
  owner: string,
  coordinate: string,
): string {
  const [place = '', name = ''] = owner.split('.');
  if (place === 'row') {
    const schema = answer.entitySchema as Node;
    const type = typeTiedTo(names, schema, nameOf(schema)) ?? '';
    return `row.${tiedName(member(member(schema, 'properties'), name), name, type)}`;
  }
  // The parent object of a field stands for the row that the path names.
  if (place === 'path' && !/^(Query|Mutation)\./.test(coordinate)) return `parent.${camelCase(name)}`;
  const dto = { path: path?.dto, query: query?.dto, body: rest.dtos.get(body?.dto ?? '') }[place];
  const tied = dto?.members.find((each) => each.name === name)?.tie;
  const own = `${coordinate}.${camelCase(name)}`;
  return `args.${(typeof tied === 'string' ? tied : own).split('.').at(-1)}`;
}

function tiedName(property: Node | undefined, name: string, type: string): string {
  const tied = property && textOf(member(property, 'x-graphql'));
  return (tied ?? `${type}.${camelCase(name)}`).split('.').at(-1) as string;
}
