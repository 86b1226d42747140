import { isMap, isSeq, YAMLMap, YAMLSeq } from 'yaml';
import { block, flow, flowList, keyOf, referenceTo } from './nodes.ts';
import {
  FORMATS,
  HEADERS,
  PARAMETERS,
  PATCHES,
  RESPONSES,
  SCHEMES,
  type Facts,
  type Standard,
} from './standard.ts';

/**
 * The parts of an operation that the rules of `standard.ts` ask for, with the ways to add and to remove each of them.
 */

export interface Operation {
  readonly id: string;
  readonly line: number;
  readonly node: YAMLMap;
  readonly facts: Facts;
}

/** A part that a rule asks for (`isAsked`), or a standard part that no rule allows. */
export interface Demand extends Place {
  readonly operation: Operation;
  readonly name: string;
  readonly isAsked: boolean;
  readonly text: string;
}

interface Place {
  readonly isThere: () => boolean;
  readonly add: () => void;
  readonly remove: () => void;
}

export function securityDemands(operation: Operation): Demand[] {
  const security = operation.node.get('security');
  if (!isSeq(security)) return [];
  const alternatives = security.items.filter((each) => isMap(each));
  const scopes = alternatives.find((each) => each.has('apiKey'))?.get('apiKey');
  if (!isSeq(scopes)) return [];
  const wanted = SCHEMES.map((scheme) => [scheme, scopes.toJSON() as string[]] as const);
  const basic = operation.facts.owner === null ? [] : [['basic', [] as string[]] as const];
  return [...wanted, ...basic].flatMap(([scheme, list]): Demand[] => {
    const written = alternatives.find((each) => each.has(scheme))?.toJSON() as
      Record<string, string[]> | undefined;
    // The author wrote other scopes on purpose, so they stay.
    if (written !== undefined && String(written[scheme]) !== String(list)) return [];
    const value = flow(scheme, flowList(list));
    const find = (item: unknown): boolean => isMap(item) && item.has(scheme);
    return [
      {
        operation,
        name: scheme,
        isAsked: true,
        ...inList(operation.node, 'security', find, value),
        text: `scheme ${scheme} in its security`,
      },
    ];
  });
}

export function parameterDemands(operation: Operation): Demand[] {
  return PARAMETERS.flatMap(({ name, when, isFree }): Demand[] => {
    const isAsked = when(operation.facts);
    if (!isAsked && isFree) return [];
    const find = (item: unknown): boolean => nameOfParameter(item) === name;
    const text = `parameter ${name}`;
    return [
      {
        operation,
        name,
        isAsked,
        ...inList(operation.node, 'parameters', find, block(referenceTo('parameters', name))),
        text,
      },
    ];
  });
}

export function bodyDemands(operation: Operation, body: YAMLMap | undefined): Demand[] {
  if (operation.facts.method !== 'patch' || body === undefined) return [];
  const own = body.getIn(['content', 'application/json', 'schema', '$ref']);
  return Object.entries(PATCHES).flatMap(([type, other]): Demand[] => {
    const schema = other ?? own;
    return typeof schema === 'string' ? [mediaType(operation, body, type, schema, 'body')] : [];
  });
}

export function responseDemands(operation: Operation): Demand[] {
  const responses = operation.node.get('responses');
  if (!isMap(responses)) return [];
  return Object.entries(RESPONSES).flatMap(([status, standards]): Demand[] => {
    const asked = standards.find(({ when }) => when(operation.facts));
    const written = standardOf(responses.get(status), standards);
    // A response that is not a standard response was written by the author, so it stays.
    if (responses.has(status) && written === undefined) return [];
    const standard = asked ?? written;
    if (standard === undefined || (asked === undefined && standard.isFree)) return [];
    const place = inMap(operation.node, 'responses', status, referenceTo('responses', standard.name));
    const text = `response ${status} (${standard.name})`;
    return [{ operation, name: status, isAsked: asked !== undefined, ...place, text }];
  });
}

export function standardOf(response: unknown, standards: readonly Standard[]): Standard | undefined {
  const reference = isMap(response) ? response.get('$ref') : undefined;
  return standards.find(({ name }) => reference === `#/components/responses/${name}`);
}

export function successDemands(operation: Operation, status: string, node: YAMLMap): Demand[] {
  const { facts } = operation;
  const headers = HEADERS.flatMap(({ name, when, isFree }): Demand[] => {
    const isAsked = when(facts);
    if (!isAsked && isFree) return [];
    const place = inMap(node, 'headers', name, referenceTo('headers', name));
    return [{ operation, name, isAsked, ...place, text: `header ${name} in its response ${status}` }];
  });
  const formats = Object.entries(FORMATS).flatMap(([parameter, { beside, types }]): Demand[] => {
    const schema = node.getIn(['content', beside, 'schema', '$ref']);
    if (!facts.parameters.has(parameter) || typeof schema !== 'string') return [];
    return types.map((type) => mediaType(operation, node, type, schema, `response ${status}`));
  });
  return [...headers, ...formats];
}

function mediaType(
  operation: Operation,
  owner: YAMLMap,
  type: string,
  schema: string,
  where: string,
): Demand {
  const place = inMap(owner, 'content', type, flow('schema', flow('$ref', schema)));
  return { operation, name: type, isAsked: true, ...place, text: `media type ${type} in its ${where}` };
}

/** The member `name` of the map at `key`. If there is no such map, `add` creates it. */
function inMap(owner: YAMLMap, key: string, name: string, value: YAMLMap): Place {
  const found = (): YAMLMap | undefined => {
    const map = owner.get(key);
    return isMap(map) ? map : undefined;
  };
  return {
    isThere: () => found()?.has(name) === true,
    add: () => {
      if (found() === undefined) owner.set(key, new YAMLMap());
      found()?.set(keyOf(name), value);
    },
    remove: () => found()?.delete(name),
  };
}

/** The item that `isIt` finds in the list at `key`. If there is no such list, `add` creates it. */
function inList(owner: YAMLMap, key: string, isIt: (item: unknown) => boolean, value: YAMLMap): Place {
  const found = (): YAMLSeq | undefined => {
    const list = owner.get(key);
    return isSeq(list) ? list : undefined;
  };
  return {
    isThere: () => found()?.items.some(isIt) === true,
    add: () => {
      if (found() === undefined) owner.set(key, new YAMLSeq());
      found()?.add(value);
    },
    remove: () => {
      const list = found();
      if (list) list.items = list.items.filter((item) => !isIt(item));
    },
  };
}

/** The name in `components.parameters`, or `name` of a parameter that is written in the operation itself. */
export function nameOfParameter(item: unknown): string {
  return isMap(item) ? String(item.get('$ref') ?? item.get('name')).replace(/^.*\//, '') : '';
}
