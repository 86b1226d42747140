import { isObject, items, member, members, textOf, texts, type Node } from '../json.ts';
import { contentOf, refuseWriteOnly } from './bodies.ts';
import { addresses } from './addresses.ts';
import type { Document } from './document.ts';
import { checkKeywords } from './keywords.ts';
import type { Answer, Endpoint } from './model.ts';
import type { Shapes } from './shapes.ts';

const NONE: Answer = {
  status: 204,
  mediaTypes: [],
  shape: 'none',
  entity: null,
  key: null,
  locationOf: null,
  headers: [],
  schema: null,
  entitySchema: null,
};

/** The one response that `default` may name: the refusals that do not depend on the operation. */
const UNSTATED = '#/components/responses/Error';

function isStated(status: string): boolean {
  return /^[1-5]\d\d$/.test(status);
}

/** Checks every answer, and describes the answer of success. */
export function answersOf(
  shapes: Shapes,
  endpoint: Endpoint,
  seen: Set<string>,
  answered: Set<string>,
): { statuses: number[]; answer: Answer } {
  const { document } = shapes;
  const responses = member(endpoint.node, 'responses');
  const statuses: number[] = [];
  let answer: Answer | undefined;
  for (const [status, reference] of members(responses)) {
    const node = document.follow(reference);
    if (!isStated(status) && !(status === 'default' && textOf(member(reference, '$ref')) === UNSTATED))
      document.fault(
        reference,
        `the status ${status} is not supported; list each status, and default: { $ref: '${UNSTATED}' }`,
      );
    if (node === undefined) continue;
    if (isStated(status)) {
      statuses.push(Number(status));
      requireSameStatus(shapes, endpoint, reference, node, Number(status));
    }
    const described = describe(shapes, endpoint, Number(status), node, seen, answered);
    if (!status.startsWith('2')) continue;
    // The empty answer of `Prefer: return=minimal` does not count as another answer of success.
    if (answer !== undefined && status === '204' && takesPreference(shapes, endpoint)) continue;
    if (answer !== undefined) document.fault(reference, 'more than one 2xx status');
    answer = described;
  }
  if (answer === undefined) document.fault(responses ?? endpoint.node, 'no 2xx status');
  return { statuses: statuses.toSorted((a, b) => a - b), answer: answer ?? NONE };
}

/** Checks that the problem in the example of a response has the status at which the operation lists the response. */
function requireSameStatus(
  { document }: Shapes,
  endpoint: Endpoint,
  reference: Node,
  node: Node,
  status: number,
): void {
  const content = member(member(node, 'content'), 'application/problem+json');
  const shown = member(member(content, 'example'), 'status')?.value;
  if (typeof shown !== 'number' || shown === status) return;
  document.fault(
    reference,
    `${endpoint.id} lists at ${status} a response whose example has the status ${shown}; list it at ${shown}`,
  );
}

function takesPreference({ document }: Shapes, { node }: Endpoint): boolean {
  return items(member(node, 'parameters')).some(
    (parameter) => textOf(member(document.follow(parameter), 'name')) === 'Prefer',
  );
}

function describe(
  shapes: Shapes,
  endpoint: Endpoint,
  status: number,
  node: Node,
  seen: Set<string>,
  answered: Set<string>,
): Answer {
  const { document } = shapes;
  const { mediaTypes, schema } = contentOf(shapes, node, seen);
  for (const [name, reference] of members(member(node, 'headers'))) {
    const header = member(document.follow(reference), 'schema');
    if (header === undefined) document.fault(reference, `the header ${name} has no schema`);
    else checkKeywords(document, header, seen);
  }
  if (schema !== null) refuseWriteOnly(shapes, schema, answered);
  const headers = members(member(node, 'headers')).map(([name]) => name);
  const base = { ...NONE, status, mediaTypes, headers, schema };
  if (schema === null) return base;
  const found = contents(document, schema);
  // An export has no page limit, so it is returned in batches.
  const isExport = found.shape === 'page' && mediaTypes.includes('application/x-ndjson');
  return {
    ...base,
    ...found,
    ...(isExport && { shape: 'export' as const }),
    locationOf: linkOf(document, endpoint, node, schema),
  };
}

type Contents = Pick<Answer, 'shape' | 'entity' | 'key' | 'entitySchema'>;

function contents(document: Document, schema: Node): Contents {
  const entity = entityOf(document, schema);
  if (entity !== null) return { shape: 'entity', ...entity, key: null };
  const target = document.follow(schema);
  const [only, ...others] = members(member(target, 'properties'));
  if (only !== undefined && others.length === 0 && texts(member(target, 'required')).includes(only[0])) {
    const inner = entityOf(document, only[1]);
    if (inner !== null) return { shape: 'entity', ...inner, key: only[0] };
  }
  const listed = itemOf(document, target);
  if (listed !== null) return { shape: 'page', ...listed, key: null };
  const data = member(member(target, 'properties'), 'data');
  const inner = data === undefined ? null : itemOf(document, document.follow(data));
  const isSlice = inner !== null && texts(member(target, 'required')).toSorted().join() === 'data,page';
  if (isSlice) return { shape: 'slice', ...inner, key: null };
  return { shape: 'plain', entity: null, key: null, entitySchema: null };
}

/** The entity of the items of a list. An item may also be a selection of the members of an entity. */
function itemOf(document: Document, list: Node | undefined): Pick<Answer, 'entity' | 'entitySchema'> | null {
  const item = member(list, 'items');
  const target = item === undefined ? undefined : document.follow(item);
  for (const candidate of [item, ...items(member(target, 'anyOf'))]) {
    const inner = candidate === undefined ? null : entityOf(document, candidate);
    if (inner !== null) return inner;
  }
  return null;
}

/**
 * The entity that a schema represents. `x-entity` names the entity, in this schema or in a schema to which this schema
 * refers: directly, or as the only part of an `allOf`.
 */
function entityOf(document: Document, schema: Node): Pick<Answer, 'entity' | 'entitySchema'> | null {
  const target = document.follow(schema);
  const entity = textOf(member(target, 'x-entity'));
  if (target !== undefined && entity !== undefined) return { entity, entitySchema: target };
  const parts = items(member(target, 'allOf'));
  const [part] = parts;
  return part !== undefined && parts.length === 1 && isObject(part.value) ? entityOf(document, part) : null;
}

/**
 * The operation that the link `self` of a response leads to. The link gives the path parameters of this operation. If
 * both versions share the response, the link has the name of the operation of version 1. In version 2, the link then
 * leads to the operation whose `x-same-as` has this name.
 */
function linkOf(document: Document, endpoint: Endpoint, response: Node, schema: Node): string | null {
  const reference = member(member(response, 'links'), 'self');
  const link = reference === undefined ? undefined : document.follow(reference);
  if (link === undefined) return null;
  const reads = members(member(document.root, 'paths')).map(
    ([template, pathItem]) => [template, member(pathItem, 'get'), pathItem] as const,
  );
  const named = textOf(member(link, 'operationId'));
  const { version } = addresses(document, endpoint);
  const target =
    reads.find(
      ([template, get, pathItem]) =>
        named !== undefined &&
        textOf(member(get, 'x-same-as')) === named &&
        addresses(document, { template, pathItem }).version === version,
    ) ?? reads.find(([, get]) => textOf(member(get, 'operationId')) === named);
  const id = textOf(member(target?.[1], 'operationId'));
  if (id === undefined || target === undefined) {
    document.fault(link, `the link self must name the operationId of a GET, not ${String(named)}`);
    return null;
  }
  const names = [...target[0].matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '');
  const given = members(member(link, 'parameters'));
  if (
    names.toSorted().join() !==
    given
      .map(([name]) => name)
      .toSorted()
      .join()
  ) {
    document.fault(
      link,
      `the link self of ${endpoint.id} must give exactly the path parameters of ${id}: ${names.join(', ')}`,
    );
  }
  for (const [name, value] of given) {
    const pointer = /^\$response\.body#\/(.+)$/.exec(textOf(value) ?? '')?.[1];
    if (pointer === undefined || !leads(document, schema, pointer.split('/'))) {
      document.fault(
        value,
        `the parameter ${name} must be $response.body#/… and name a member of the answer`,
      );
    }
  }
  return id;
}

function leads(document: Document, schema: Node, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true;
  const target = document.follow(schema);
  const inner = member(member(target, 'properties'), name);
  if (inner !== undefined) return leads(document, inner, rest);
  return items(member(target, 'allOf')).some((part) => leads(document, part, [name, ...rest]));
}
