import { format, resolveConfig } from 'prettier';
import {
  isCollection,
  isMap,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { ContractError, type ContractFault } from '../faults.ts';
import { METHODS } from '../openapi/model.ts';
import {
  bodyDemands,
  nameOfParameter,
  parameterDemands,
  responseDemands,
  securityDemands,
  standardOf,
  successDemands,
  type Demand,
  type Operation,
} from './demands.ts';
import { pairsOf, textOf } from './nodes.ts';
import {
  HEADERS,
  MEDIA_TYPES,
  OPERATION_MEMBERS,
  PARAMETERS,
  RESPONSE_MEMBERS,
  RESPONSES,
  type Facts,
} from './standard.ts';
import { Copies } from './copies.ts';
import { missingLists } from './lists.ts';
import { shorten } from './essence.ts';
import { shortForms } from './short.ts';
import { isToCopy, twinMembers, wordsOfLists, type TwinMember } from './twins.ts';
import type { ShortForm } from './whole.ts';
import { wrongNames } from './wrong-names.ts';

const FILE = 'openapi.yaml';
const YAML = { lineWidth: 0, flowCollectionPadding: true, indentSeq: true };

/** A response of success: in the operation itself, or in `components.responses`, where several operations share it. */
interface Success {
  readonly status: string;
  readonly node: YAMLMap;
}

/** openapi.yaml, with the parts that follow from the parts that its author wrote. The rules are in `standard.ts`. */
export class Contract {
  readonly #lines = new LineCounter();
  readonly #document: Document;
  readonly #copies: Copies;

  /**
   * @param copies says which descriptions are copies. `faults` and `completed` add the copies of this document to it
   * @throws ContractError when the text is not YAML
   */
  constructor(text: string, copies = new Copies()) {
    this.#copies = copies;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const [fault] = this.#document.errors;
    if (fault) {
      const place = `${FILE}:${this.#lines.linePos(fault.pos[0]).line}`;
      throw new ContractError([{ place, text: fault.message }]);
    }
  }

  /**
   * A fault for each missing part that the rules ask for, for each standard part that no rule allows, and for each
   * copied text whose source has changed. Three other kinds of faults come before these: wrong names, then short forms,
   * then members that have to be copied from a twin. If one kind has faults, the kinds after it are not reported.
   */
  faults(): ContractFault[] {
    const short = shortForms(this.#document);
    const wrong = this.#wrongNames(short);
    if (wrong.length > 0) return wrong;
    if (short.length > 0) {
      return short.map(({ node, text }) => ({
        place: `${FILE}:${this.#lineOf(node)}`,
        text: `${text}; npm run contract writes it in full`,
      }));
    }
    const twins = this.#twinMembers().filter(isToCopy);
    if (twins.length > 0) {
      return twins.map(({ own, name }) => {
        const [id, twin] = [String(own.get('operationId')), String(own.get('x-same-as'))];
        const text = own.has(name)
          ? `the ${name} of ${id} differs from that of ${twin}. Change it at ${twin}; npm run contract copies it from there`
          : `${id} has no ${name}; npm run contract adds the value of ${twin}`;
        return { place: `${FILE}:${this.#lineOf(own)}`, text };
      });
    }
    const copies = this.#oldCopies().map(({ own, name }) => ({
      place: `${FILE}:${this.#lineOf(own)}`,
      text: `the ${name} of ${String(own.get('operationId'))} is a copy, and its source has changed; npm run contract copies it again`,
    }));
    const lists = missingLists(this.#document).map(({ name, item }) => ({
      place: FILE,
      text: `there is no schema ${name}; npm run contract makes it from ${item}`,
    }));
    const parts = this.#demands()
      .filter(({ isThere, isAsked }) => isThere() !== isAsked)
      .map(({ operation, isAsked, text }) => ({
        place: `${FILE}:${operation.line}`,
        text: isAsked
          ? `${operation.id} has no ${text}; npm run contract adds it`
          : `${operation.id} has ${text}, which does not follow from the rest; npm run contract removes it`,
      }));
    return [...copies, ...lists, ...parts];
  }

  /**
   * The document with every part that the rules ask for, and without standard parts that no rule allows. Comments and
   * the order of the paths stay.
   *
   * @throws ContractError for a short form with a name that no component has
   */
  completed(): Promise<string> {
    // The full form of a short form may have short forms too, or may lack parts. So a second pass is necessary. For
    // example, the first pass replaces the name of a response 201 by the response. The second pass adds its link.
    for (let pass = 0; pass < 2; pass += 1) {
      const forms = shortForms(this.#document);
      const wrong = this.#wrongNames(forms);
      if (wrong.length > 0) throw new ContractError(wrong);
      for (const { replace } of forms) replace();
    }
    for (const member of this.#twinMembers()) if (isToCopy(member)) member.own.set(member.name, member.value);
    for (const { own, name, value } of this.#oldCopies()) own.set(name, value);
    for (const { name, item, schema } of missingLists(this.#document)) this.#addSchema(name, item, schema);
    for (const { isThere, isAsked, add, remove } of this.#demands()) {
      if (!isAsked) remove();
      else if (!isThere()) add();
    }
    this.#sort();
    return this.#text();
  }

  /**
   * A shorter document: without the parts that follow by the rules of `standard.ts`, without the members that equal
   * those of a twin, and with the short forms that `shorten` makes.
   */
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
    shorten(this.#document);
    return this.#text();
  }

  #wrongNames(forms: readonly ShortForm[]): ContractFault[] {
    return wrongNames(this.#document, forms).map(({ node, text }) => ({
      place: `${FILE}:${this.#lineOf(node)}`,
      text,
    }));
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
    return twinMembers(this.#document, this.#nodes());
  }

  /**
   * Each summary or description of a list operation that was copied from version 1, and whose source has changed since
   * then.
   */
  #oldCopies(): TwinMember[] {
    return wordsOfLists(this.#nodes()).filter(({ own, name, value }) => {
      const place = `${String(own.get('operationId'))}.${name}`;
      return this.#copies.isOld(place, String(own.get(name)), String(value));
    });
  }

  #nodes(): ReadonlyMap<string, YAMLMap> {
    return new Map(this.#operations().map(({ id, node }) => [id, node]));
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
      needsRights: node.has('x-owner') || namesScopes(security),
      owner: (node.get('x-owner') as string | undefined) ?? null,
      hasBody: isMap(body),
      creates: successes.some(({ status }) => status === '201'),
      answers: successes.some((success) => success.node.has('content')),
      isText: successes.some((success) => success.node.hasIn(['content', 'text/plain'])),
      parameters: new Set(parametersOf(node)),
    };
    const asked = PARAMETERS.filter(({ when }) => when(written)).map(({ name }) => name);
    return { ...written, parameters: new Set([...written.parameters, ...asked]) };
  }

  /**
   * The responses of success. Responses that a rule adds, such as `Minimal`, are left out, because they are complete in
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

function parametersOf(operation: YAMLMap): string[] {
  const list = operation.get('parameters');
  return isSeq(list) ? list.items.map(nameOfParameter) : [];
}

/** Parameters that are not in `PARAMETERS` come first, in the order of the author. */
function sortParameters(operation: YAMLMap): void {
  const names = PARAMETERS.map(({ name }) => name);
  const list = operation.get('parameters');
  const rank = (item: unknown): number => names.indexOf(nameOfParameter(item));
  if (isSeq(list)) list.items.sort((a, b) => rank(a) - rank(b));
}

function sort(map: unknown, rank: (key: string) => number): void {
  if (isMap(map)) map.items.sort((a, b) => rank(textOf(a.key)) - rank(textOf(b.key)));
}

/** Whether any scheme of `security` has a scope. */
function namesScopes(security: unknown): boolean {
  const alternatives = isSeq(security) ? security.items : [];
  return alternatives.some((alternative) =>
    pairsOf(alternative).some(({ value: scopes }) => isSeq(scopes) && scopes.items.length > 0),
  );
}
