import {
  Kind,
  valueFromASTUntyped,
  visit,
  type ASTNode,
  type DirectiveNode,
  type StringValueNode,
  type ValueNode,
} from 'graphql';
import { partsOf, ruleOf, type Described } from './prose.ts';
import type { Node } from './references.ts';

interface Named {
  readonly kind: string;
  readonly name?: { readonly value: string };
  readonly description?: StringValueNode;
  readonly directives?: readonly DirectiveNode[];
  readonly defaultValue?: ValueNode;
}

/**
 * Every part of schema.graphql with a description. Its rule comes from `@constraint`, from its default, from the
 * assumed size of a list, and from the member of openapi.yaml that is tied to it.
 *
 * @param openapi openapi.yaml as it was parsed
 */
export function describedInSdl(sdl: ASTNode, openapi: Node): Described[] {
  const tied = tiedMembers(openapi);
  const found: Described[] = [];
  const path: string[] = [];
  const sizes: Node[] = [];
  visit(sdl, {
    enter(node) {
      const { kind, name, description, directives = [], defaultValue } = node as Named;
      if (description === undefined && !isPart(kind)) return;
      path.push(name?.value ?? 'schema');
      const place = path.join('.');
      const given = directives.map(argumentsOf);
      const initial = defaultValue === undefined ? [] : [{ default: valueFromASTUntyped(defaultValue) }];
      // The assumed size of a list is the default of the arguments that limit the list.
      const size = node.kind === Kind.INPUT_VALUE_DEFINITION ? sizes : [];
      if (node.kind === Kind.FIELD_DEFINITION) sizes.splice(0, sizes.length, ...given);
      const rule = ruleOf([...given, ...initial, ...size, ...(tied.get(place) ?? [])]);
      if (description !== undefined) found.push({ place, description: description.value, rule });
    },
    leave(node) {
      const { kind, description } = node as Named;
      if (description !== undefined || isPart(kind)) path.pop();
    },
  });
  return found;
}

const PARTS: ReadonlySet<string> = new Set([
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
  Kind.FIELD_DEFINITION,
  Kind.INPUT_VALUE_DEFINITION,
]);

function isPart(kind: string): boolean {
  return PARTS.has(kind);
}

function argumentsOf({ name, arguments: given = [] }: DirectiveNode): Node {
  const values = given.map((each) => [each.name.value, valueFromASTUntyped(each.value)] as const);
  const { assumedSize, ...rest } = Object.fromEntries(values);
  return name.value === 'constraint' ? rest : assumedSize === undefined ? {} : { default: assumedSize };
}

/**
 * The schemas of members, by the coordinate of the tied part of the SDL. This part has the same name, or `x-graphql`
 * names it.
 */
function tiedMembers(openapi: Node): ReadonlyMap<string, readonly Node[]> {
  const { schemas } = openapi['components'] as { schemas: Readonly<Record<string, Node>> };
  const tied = new Map<string, readonly Node[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    const owner = (schema['x-graphql'] ?? name.replace(/V\d+$/, '')) as string;
    for (const [member, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Node>)) {
      const own = member.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      const place = (property['x-graphql'] ?? `${owner}.${own}`) as string;
      tied.set(place, [...(tied.get(place) ?? []), ...partsOf(openapi, property)]);
    }
  }
  return tied;
}
