import { format, resolveConfig } from 'prettier';
import {
  isCollection,
  isMap,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  YAMLMap,
  YAMLSeq,
  type Document,
  type Node,
} from 'yaml';
import { ContractError, type ContractFault } from '../faults.ts';
import { METHODS } from '../openapi/model.ts';
import { block, flow, flowList, keyOf, pairsOf, referenceTo, textOf } from './nodes.ts';
import {
  FORMATS,
  HEADERS,
  MEDIA_TYPES,
  OPERATION_MEMBERS,
  PARAMETERS,
  PATCHES,
  RESPONSE_MEMBERS,
  RESPONSES,
  SCHEMES,
  type Facts,
  type Standard,
} from './standard.ts';
import { missingLists } from './lists.ts';
import { shortForms } from './short.ts';
import { twinMembers, type TwinMember } from './twins.ts';

const FILE = 'openapi.yaml';
const YAML = { lineWidth: 0, flowCollectionPadding: true, indentSeq: true };

interface Operation {
  readonly id: string;
  readonly line: number;
  readonly node: YAMLMap;
  readonly facts: Facts;
}

/** A response of success: in the operation itself, or in `components.responses`, where several operations share it. */
interface Success {
  readonly status: string;
  readonly node: YAMLMap;
}

/** A part that a rule asks for (`isAsked`), or a standard part that no rule allows. */
interface Demand extends Place {
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

/** openapi.yaml, with the parts that follow from the parts that its author wrote. The rules are in `standard.ts`. */
export class Contract {
  readonly #lines = new LineCounter();
  readonly #document: Document;

  /** @throws ContractError when the text is not YAML */
  constructor(text: string) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const [fault] = this.#document.errors;
    if (fault) {
      const place = `${FILE}:${this.#lines.linePos(fault.pos[0]).line}`;
      throw new ContractError([{ place, text: fault.message }]);
    }
  }

  /** A fault for each missing part that the rules ask for, and for each standard part that no rule allows. */
  faults(): ContractFault[] {
    const short = shortForms(this.#document);
    if (short.length > 0) {
      return short.map(({ node, text }) => ({
        place: `${FILE}:${this.#lineOf(node)}`,
        text: `${text}; npm run contract writes it in full`,
      }));
    }
    const twins = this.#twinMembers().filter(({ own, name }) => !own.has(name));
    if (twins.length > 0) {
      return twins.map(({ own, name }) => ({
        place: `${FILE}:${this.#lineOf(own)}`,
        text: `${String(own.get('operationId'))} has no ${name}; npm run contract adds that of ${String(own.get('x-same-as'))}`,
      }));
    }
    const lists = missingLists(this.#document).map(({ name, item }) => ({
      place: FILE,
      text: `there is no schema ${name}; npm run contract makes it of ${item}`,
    }));
    const parts = this.#demands()
      .filter(({ isThere, isAsked }) => isThere() !== isAsked)
      .map(({ operation, isAsked, text }) => ({
        place: `${FILE}:${operation.line}`,
        text: isAsked
          ? `${operation.id} has no ${text}; npm run contract adds it`
          : `${operation.id} has ${text}, which does not follow from the rest; npm run contract removes it`,
      }));
    return [...lists, ...parts];
  }

  /**
   * The document with every part that the rules ask for, and without standard parts that no rule allows. Comments and
   * the order of the paths stay.
   */
  completed(): Promise<string> {
    // A second pass is necessary, because the first pass may replace a short form. For example, only a complete
    // response can get its link.
    for (let pass = 0; pass < 2; pass += 1) for (const { replace } of shortForms(this.#document)) replace();
    for (const { own, name, value } of this.#twinMembers()) if (!own.has(name)) own.set(name, value);
    for (const { name, item, schema } of missingLists(this.#document)) this.#addSchema(name, item, schema);
    for (const { isThere, isAsked, add, remove } of this.#demands()) {
      if (!isAsked) remove();
      else if (!isThere()) add();
    }
    this.#sort();
    return this.#text();
  }

  /** The part of the document that its author writes: all that follows by the rules is removed. */
  essence(): Promise<string> {
    for (const { remove } of this.#demands()) remove();
    for (const { node } of this.#operations()) {
      const empty = [node, ...this.#successesOf(node).map((success) => success.node)];
      for (const each of empty) {
        for (const name of ['parameters', 'headers']) {
          if (isCollection(each.get(name)) && (each.get(name) as YAMLSeq).items.length === 0)
            each.delete(name);
        }
      }
    }
    for (const { own, name, value } of this.#twinMembers()) {
      if (String(own.get(name, true)) === String(value)) own.delete(name);
    }
    return this.#text();
  }

  async #text(): Promise<string> {
    return format(this.#document.toString(YAML), { parser: 'yaml', ...(await resolveConfig(FILE)) });
  }

  #addSchema(name: string, after: string, schema: YAMLMap): void {
    const schemas = this.#document.getIn(['components', 'schemas']) as YAMLMap;
    const position = schemas.items.findIndex(({ key }) => textOf(key) === after);
    schemas.items.splice(position + 1, 0, this.#document.createPair(name, schema));
  }

  #twinMembers(): TwinMember[] {
    const nodes = this.#operations().map(({ id, node }) => [id, node] as const);
    return twinMembers(this.#document, new Map(nodes));
  }

  #lineOf(node: Node): number {
    return this.#lines.linePos(node.range?.[0] ?? 0).line;
  }

  #operations(): Operation[] {
    return pairsOf(this.#document.get('paths')).flatMap(({ key: path, value: item }) =>
      pairsOf(item).flatMap(({ key: method, value: node }): Operation[] => {
        if (!METHODS.some((each) => each === textOf(method)) || !isMap(node)) return [];
        const facts = this.#factsOf(textOf(path), item as YAMLMap, textOf(method), node);
        const line = this.#lines.linePos((method as Scalar).range?.[0] ?? 0).line;
        return [{ id: String(node.get('operationId')), line, node, facts }];
      }),
    );
  }

  #factsOf(path: string, item: YAMLMap, method: string, node: YAMLMap): Facts {
    const security = node.get('security');
    const body = this.#bodyOf(node)?.get('content');
    const version = /^\/api\/(v\d+)/.exec(path)?.[1] ?? item.get('x-version');
    const successes = this.#successesOf(node);
    const written: Facts = {
      method,
      hasPathParameters: path.includes('{'),
      isOfTheApi: /^\/api\/v\d+\/./.test(path) || item.has('x-version'),
      version: typeof version === 'string' ? version : null,
      needsCredential: !isSeq(security) || security.items.length > 0,
      owner: (node.get('x-owner') as string | undefined) ?? null,
      hasBody: isMap(body),
      creates: successes.some(({ status }) => status === '201'),
      answers: successes.some((success) => success.node.has('content')),
      parameters: new Set(parametersOf(node)),
    };
    const asked = PARAMETERS.filter(({ when }) => when(written)).map(({ name }) => name);
    return { ...written, parameters: new Set([...written.parameters, ...asked]) };
  }

  /**
   * The responses of success, without those that a rule adds, such as `Minimal`. The latter are complete in
   * `components.responses`.
   */
  #successesOf(operation: YAMLMap): Success[] {
    return pairsOf(operation.get('responses')).flatMap(({ key, value }) => {
      const status = textOf(key);
      if (!status.startsWith('2') || !isMap(value)) return [];
      const isStandard = standardOf(value, RESPONSES[status] ?? []) !== undefined;
      return isStandard ? [] : [{ status, node: this.#follow(value) }];
    });
  }

  /** The body of a request: in the operation itself, or in `components.requestBodies`. */
  #bodyOf(operation: YAMLMap): YAMLMap | undefined {
    const body = operation.get('requestBody');
    return isMap(body) ? this.#follow(body) : undefined;
  }

  #follow(node: YAMLMap): YAMLMap {
    const reference = node.get('$ref');
    const target =
      typeof reference === 'string' ? this.#document.getIn(reference.slice(2).split('/')) : undefined;
    return isMap(target) ? target : node;
  }

  #demands(): Demand[] {
    const demands: Demand[] = [];
    const shared = new Map<YAMLMap, Map<string, Demand>>();
    for (const operation of this.#operations()) {
      demands.push(
        ...securityDemands(operation),
        ...parameterDemands(operation),
        ...bodyDemands(operation, this.#bodyOf(operation.node)),
        ...responseDemands(operation),
      );
      for (const { status, node } of this.#successesOf(operation.node)) {
        const own = shared.get(node) ?? new Map<string, Demand>();
        shared.set(node, own);
        for (const demand of successDemands(operation, status, node)) {
          // A response that several operations share has each part that any of these operations asks for.
          if (own.get(demand.name)?.isAsked !== true) own.set(demand.name, demand);
        }
      }
    }
    return [...demands, ...[...shared.values()].flatMap((own) => [...own.values()])];
  }

  #sort(): void {
    const headers = HEADERS.map(({ name }) => name);
    for (const { node } of this.#operations()) {
      sort(node, (name) => OPERATION_MEMBERS.indexOf(name));
      sort(node.get('responses'), (status) => (status === 'default' ? Infinity : Number(status)));
      sortParameters(node);
      sort(this.#bodyOf(node)?.get('content'), (name) => MEDIA_TYPES.indexOf(name));
      const security = node.get('security');
      if (isSeq(security)) security.flow = true;
      for (const success of this.#successesOf(node)) {
        sort(success.node, (name) => RESPONSE_MEMBERS.indexOf(name));
        sort(success.node.get('headers'), (name) => headers.indexOf(name));
        sort(success.node.get('content'), (name) => MEDIA_TYPES.indexOf(name));
      }
    }
  }
}

function securityDemands(operation: Operation): Demand[] {
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

function parameterDemands(operation: Operation): Demand[] {
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

function bodyDemands(operation: Operation, body: YAMLMap | undefined): Demand[] {
  if (operation.facts.method !== 'patch' || body === undefined) return [];
  const own = body.getIn(['content', 'application/json', 'schema', '$ref']);
  return Object.entries(PATCHES).flatMap(([type, other]): Demand[] => {
    const schema = other ?? own;
    return typeof schema === 'string' ? [mediaType(operation, body, type, schema, 'body')] : [];
  });
}

function responseDemands(operation: Operation): Demand[] {
  const responses = operation.node.get('responses');
  if (!isMap(responses)) return [];
  return Object.entries(RESPONSES).flatMap(([status, standards]): Demand[] => {
    const asked = standards.find(({ when }) => when(operation.facts));
    const written = standardOf(responses.get(status), standards);
    // A response that is not a standard one was written by the author, so it stays.
    if (responses.has(status) && written === undefined) return [];
    const standard = asked ?? written;
    if (standard === undefined || (asked === undefined && standard.isFree)) return [];
    const place = inMap(operation.node, 'responses', status, referenceTo('responses', standard.name));
    const text = `response ${status} (${standard.name})`;
    return [{ operation, name: status, isAsked: asked !== undefined, ...place, text }];
  });
}

function standardOf(response: unknown, standards: readonly Standard[]): Standard | undefined {
  const reference = isMap(response) ? response.get('$ref') : undefined;
  return standards.find(({ name }) => reference === `#/components/responses/${name}`);
}

function successDemands(operation: Operation, status: string, node: YAMLMap): Demand[] {
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

function parametersOf(operation: YAMLMap): string[] {
  const list = operation.get('parameters');
  return isSeq(list) ? list.items.map(nameOfParameter) : [];
}

/** The name in `components.parameters`, or `name` of a parameter that is written in the operation itself. */
function nameOfParameter(item: unknown): string {
  return isMap(item) ? String(item.get('$ref') ?? item.get('name')).replace(/^.*\//, '') : '';
}

/** Parameters that the author wrote come first, in the order of the author. */
function sortParameters(operation: YAMLMap): void {
  const names = PARAMETERS.map(({ name }) => name);
  const list = operation.get('parameters');
  const rank = (item: unknown): number => names.indexOf(nameOfParameter(item));
  if (isSeq(list)) list.items.sort((a, b) => rank(a) - rank(b));
}

function sort(map: unknown, rank: (key: string) => number): void {
  if (isMap(map)) map.items.sort((a, b) => rank(textOf(a.key)) - rank(textOf(b.key)));
}
