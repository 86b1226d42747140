import {
  Kind,
  valueFromASTUntyped,
  visit,
  type ASTNode,
  type DirectiveNode,
  type StringValueNode,
  type ValueNode,
} from 'graphql';
import { levelsIn, partsOf, reachOf, ruleOf, type Described } from './prose.ts';
import { resolved, type Node } from './references.ts';

type Nodes = Readonly<Record<string, Node>>;

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
  const tied = tiedParts(openapi);
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
 * The rules of tied parts, by the coordinate of the part in the SDL. They come from the schemas of members, parameters
 * and bodies, from the bounds of the trees that these members and bodies belong to, and from the reach of lists. The
 * part of the SDL has the same name as its counterpart, or `x-graphql` names it.
 */
function tiedParts(openapi: Node): ReadonlyMap<string, readonly Node[]> {
  const { schemas } = openapi['components'] as { schemas: Nodes };
  const tied = new Map<string, readonly Node[]>();
  const tie = (place: string, parts: readonly Node[]): void => {
    tied.set(place, [...(tied.get(place) ?? []), ...parts]);
  };
  const tieMember = (owner: string, name: string, node: Node): void =>
    tie((node['x-graphql'] as string | undefined) ?? `${owner}.${camelCase(name)}`, [
      ...partsOf(openapi, node),
      ...levelsIn(openapi, node),
    ]);
  for (const [name, schema] of Object.entries(schemas)) {
    const owner = (schema['x-graphql'] ?? withoutVersion(name)) as string;
    for (const [member, node] of Object.entries((schema['properties'] ?? {}) as Nodes))
      tieMember(owner, member, node);
  }
  for (const item of Object.values(openapi['paths'] as Readonly<Record<string, Nodes>>)) {
    for (const operation of Object.values(item)) {
      const inputs = inputsOf(openapi, item, operation);
      const place = fieldOf(
        operation,
        inputs.some(([name]) => name === 'cursor'),
      );
      tie(place, [...levelsIn(openapi, operation), ...reachOf(operation)]);
      for (const [name, node] of inputs) tieMember(place, name, node);
    }
  }
  return tied;
}

/** The coordinate of the field that is tied to an operation. A list with cursors is tied to a connection. */
function fieldOf({ operationId = '', 'x-graphql': field }: Node, hasCursors: boolean): string {
  if (typeof field === 'string') return field;
  const id = withoutVersion(operationId as string);
  const [, noun] = /^(?:get|list)([A-Z].*)$/.exec(id) ?? [];
  if (noun === undefined) return `Mutation.${id}`;
  return `Query.${noun.charAt(0).toLowerCase()}${noun.slice(1)}${hasCursors ? 'Connection' : ''}`;
}

/** The inputs of an operation by name: the parameters of its path and of its query, and the members of its body. */
function inputsOf(openapi: Node, item: Nodes, operation: Node): readonly (readonly [string, Node])[] {
  const parameters = [item['parameters'], operation['parameters']].flatMap((list) =>
    ((list ?? []) as readonly Node[]).map((each) => resolved(openapi, each)),
  );
  const { content = {} } = resolved(openapi, (operation['requestBody'] ?? {}) as Node);
  return [
    ...parameters
      .filter((each) => each['in'] !== 'header')
      .map((each) => [each['name'] as string, each['schema'] as Node] as const),
    ...Object.values(content as Nodes).flatMap(({ schema }) =>
      partsOf(openapi, schema as Node).flatMap(({ properties = {} }) => Object.entries(properties as Nodes)),
    ),
  ];
}

function withoutVersion(name: string): string {
  return name.replace(/V\d+$/, '');
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
