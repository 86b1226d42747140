import { isDeepStrictEqual } from 'node:util';
import { differences, normalForm, usedBy, type NormalForm } from './normal-form.ts';
import { resolved as follow, type Node } from './references.ts';
import { sdlBreaks, sdlForm, type SdlForm } from './sdl-form.ts';

export type Costs = Readonly<Record<string, number>>;
export type Links = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The parts of both contracts that clients rely on, outside of version 1. */
export interface Published {
  /** The parts of version 2, and the parts without a version. */
  readonly rest: NormalForm;
  /** The cost of each operation of any version, and of each parameter of its query, such as `listUsers(email)`. */
  readonly costs: Costs;
  readonly graphql: SdlForm;
  /** The links of pages, by schema. */
  readonly links: Links;
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const NEW_MEMBER = /^components › schemas\/\w+ › properties › \w+ is new$/;
const REQUIRED = /^components › (schemas\/\w+) › required: (\[.*\]) became (\[.*\])$/;

/** The contract of version 1. */
export function v1Form(document: Node): NormalForm {
  return normalForm(
    withoutNew(document) as Node,
    (path, item) => path.startsWith('/api/v1') || item['x-version'] === 'v1',
  );
}

/** The contract without the members that version 1 does not have. */
function withoutNew(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNew);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, each]) => !isLater(each));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutNew(each)]));
}

function isLater(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'x-since' in schema;
}

export function publishedForm(document: Node, sdl: string): Published {
  return {
    rest: restForm(document),
    costs: costsOf(document),
    graphql: sdlForm(sdl),
    links: linksOf(document),
  };
}

export function publishedBreaks(before: Published, now: Published): string[] {
  return [
    ...restBreaks(before.rest, now.rest),
    ...costBreaks(before.costs, now.costs),
    ...sdlBreaks(before.graphql, now.graphql),
    ...linkBreaks(before.links, now.links),
  ];
}

export function restForm(document: Node): NormalForm {
  return normalForm(document, (path, item) => !path.startsWith('/api/v1') && item['x-version'] !== 'v1');
}

/** The changes that may break a client, outside of version 1. A new member of an answer breaks no client. */
export function restBreaks(before: NormalForm, now: NormalForm): string[] {
  const asked = askedFor(now);
  const isFree = (text: string): boolean => {
    if (NEW_MEMBER.test(text)) return true;
    const [, owner, ...lists] = REQUIRED.exec(text) ?? [];
    if (owner === undefined || asked.has(owner)) return false;
    const [old = [], own = []] = lists.map((list) => JSON.parse(list) as string[]);
    const { properties } = before.components[owner] as { properties: object };
    const isMore = old.every((name) => own.includes(name));
    return isMore && own.every((name) => old.includes(name) || !(name in properties));
  };
  return differences(before, now).breaking.filter((text) => !isFree(text));
}

/** The schemas that are part of a request. */
function askedFor({ operations, components }: NormalForm): ReadonlySet<string> {
  const bodies = (Object.values(operations) as Node[]).map((operation) => operation['body'] ?? null);
  return new Set(Object.keys(usedBy(bodies, components)));
}

export function costsOf(document: Node): Costs {
  const items = Object.values(document['paths'] as Record<string, Node>);
  return Object.fromEntries(
    items.flatMap((item) =>
      METHODS.filter((method) => method in item).flatMap((method) => {
        const operation = item[method] as Node;
        const id = String(operation['operationId']);
        const parameters = [item, operation]
          .flatMap((each) => (each['parameters'] ?? []) as Node[])
          .map((each) => follow(document, each))
          .filter((each) => each['in'] === 'query');
        return [
          [id, costOf(operation)],
          ...parameters.map((each) => [`${id}(${String(each['name'])})`, costOf(each)]),
        ];
      }),
    ),
  ) as Costs;
}

function costOf(node: Node): number {
  return Number(node['x-cost'] ?? 0);
}

export function costBreaks(before: Costs, now: Costs): string[] {
  return Object.entries(before)
    .filter(([name, cost]) => now[name] !== undefined && now[name] !== cost)
    .map(([name, cost]) => `${name} costs ${now[name]} instead of ${cost}`);
}

export function linksOf(document: Node): Links {
  const { schemas } = document['components'] as { schemas: Record<string, Node> };
  const withLinks = Object.entries(schemas).filter(([, each]) => each['x-links'] !== undefined);
  return Object.fromEntries(withLinks.map(([name, each]) => [name, each['x-links'] as Node]));
}

export function linkBreaks(before: Links, now: Links): string[] {
  return Object.entries(before).flatMap(([schema, links]) =>
    Object.entries(links)
      .filter(([name, link]) => !isDeepStrictEqual(now[schema]?.[name], link))
      .map(([name]) => `the link ${name} of ${schema} has changed`),
  );
}
