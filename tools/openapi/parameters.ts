import { items, member, members, textOf, type Node } from '../json.ts';
import { className, isInherited } from '../names.ts';
import type { Dto, Shape } from '../shape.ts';
import { templateNames } from './addresses.ts';
import { checkKeywords } from './keywords.ts';
import type { Parameter, ParameterKind, Parameters, Endpoint } from './model.ts';
import { tieOfParts } from './objects.ts';
import type { Shapes } from './shapes.ts';

const SCALARS = new Set(['string', 'integer', 'number', 'boolean']);

/** A parameter of the operation replaces a parameter of its path that has the same place and name. */
export function parametersOf(shapes: Shapes, endpoint: Endpoint, seen: Set<string>): Parameter[] {
  const { document } = shapes;
  const found = new Map<string, Parameter>();
  for (const owner of [endpoint.pathItem, endpoint.node]) {
    const own = new Set<string>();
    for (const reference of items(member(owner, 'parameters'))) {
      const node = document.follow(reference);
      const parameter = node === undefined ? undefined : parameterOf(shapes, endpoint, node, seen);
      if (parameter === undefined) continue;
      const key = `${parameter.in} ${parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name}`;
      if (own.has(key))
        document.fault(reference, `the ${parameter.in} parameter ${parameter.name} is given twice`);
      own.add(key);
      found.set(key, parameter);
    }
  }
  const parameters = [...found.values()];
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const inTemplate = templateNames(endpoint.template);
  for (const name of inTemplate.filter((other) => !inPath.includes(other))) {
    document.fault(endpoint.node, `the path names {${name}}, but there is no such path parameter`);
  }
  for (const name of inPath.filter((other) => !inTemplate.includes(other))) {
    document.fault(endpoint.node, `the path parameter ${name} is not in ${endpoint.template}`);
  }
  return parameters;
}

function parameterOf(
  shapes: Shapes,
  endpoint: Endpoint,
  node: Node,
  seen: Set<string>,
): Parameter | undefined {
  const { document } = shapes;
  const name = textOf(member(node, 'name'));
  const where = textOf(member(node, 'in'));
  const schema = member(node, 'schema');
  if (name === undefined || schema === undefined || !['path', 'query', 'header'].includes(where ?? '')) {
    return document.fault(node, 'a parameter needs the members name, in (path, query or header), and schema');
  }
  if (where === 'header' && /^(accept|content-type|authorization)$/i.test(name)) {
    document.fault(node, `the header ${name} can't be a parameter: content types and security define it`);
  }
  if (where === 'header' && member(schema, 'default') !== undefined) {
    document.fault(node, 'a header parameter must not have a default');
  }
  if (isInherited(name)) document.fault(node, `a parameter can't be called ${name}`);
  checkKeywords(document, schema, seen);
  const shape = shapes.of([schema], `${className(endpoint.id)} ${name}`);
  if (shape === undefined) return undefined;
  const required = member(node, 'required')?.value === true;
  if (where === 'path' && !required) document.fault(node, 'a path parameter must be required');
  return { name, in: where as string, required, node, shape: { ...shape, ...words(node, shape) } };
}

/** The description and the `x-graphql-enum` of the parameter itself replace those of its schema. */
function words(node: Node, shape: Shape): Partial<Shape> {
  const names = members(member(node, 'x-graphql-enum'));
  return {
    description: textOf(member(node, 'description')) ?? shape.description,
    ...(names.length === 0
      ? {}
      : { enumNames: new Map(names.map(([rest, name]) => [rest, textOf(name) ?? ''])) }),
  };
}

const SUFFIXES = { path: 'Path', query: 'Query', header: 'Headers' };

/** The class of all parameters of one kind; null when there are none. */
export function parametersDto(
  shapes: Shapes,
  endpoint: Endpoint,
  where: 'path' | 'query' | 'header',
  parameters: readonly Parameter[],
): Parameters | null {
  const own = parameters.filter((parameter) => parameter.in === where);
  if (own.length === 0) return null;
  const name = `${className(endpoint.id)}${SUFFIXES[where]}`;
  shapes.claim(name, { value: null, at: `${endpoint.node.at}/parameters/${where}` });
  const dto: Dto = {
    name,
    place: shapes.document.place(endpoint.node),
    description: `The ${where} parameters of \`${endpoint.id}\`.`,
    members: own.map(({ name: member_, required, shape, node }) => ({
      name: member_,
      required,
      shape,
      // The form of an answer has no counterpart in GraphQL.
      tie: member(node, 'x-answer')?.value === true ? false : tieOfParts([node]),
      cost: costOf(shapes, node),
    })),
    open: false,
    minProperties: undefined,
    maxProperties: undefined,
  };
  return {
    dto,
    kinds: Object.fromEntries(own.map((parameter) => [parameter.name, kindOf(shapes, parameter)])),
    costs: Object.fromEntries(
      own
        .map((parameter) => [parameter.name, costOf(shapes, parameter.node)] as const)
        .filter(([, cost]) => cost > 0),
    ),
    isHanded: own.some(({ node }) => member(node, 'x-answer')?.value !== true),
  };
}

/** The cost that counts against the rate limits besides the request itself, in the unit of `@cost`. */
export function costOf({ document }: Shapes, node: Node): number {
  const given = member(node, 'x-cost');
  if (given === undefined) return 0;
  const { value } = given;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  document.fault(given, 'x-cost must be a whole number above 0');
  return 0;
}

function kindOf(shapes: Shapes, { node, shape, in: where }: Parameter): ParameterKind {
  const { document } = shapes;
  if (shape.nullable || shape.items?.nullable === true) document.fault(node, 'a parameter cannot be null');
  const style = textOf(member(node, 'style')) ?? (where === 'query' ? 'form' : 'simple');
  if (style !== (where === 'query' ? 'form' : 'simple'))
    document.fault(node, `the style ${style} is not supported`);
  if (SCALARS.has(shape.kind)) return { type: shape.kind };
  const explode = member(node, 'explode')?.value ?? where === 'query';
  if (shape.kind !== 'array' || !SCALARS.has(shape.items?.kind ?? '')) {
    document.fault(node, `a parameter must be a text, number, boolean or a list of these, not ${shape.kind}`);
  } else if (where === 'query' && explode === false) {
    document.fault(
      node,
      'a list in the query must not have explode: false, which generated clients ignore; write explode: true, and the service also accepts commas',
    );
  }
  return { type: 'array', items: shape.items?.kind ?? 'string' };
}
