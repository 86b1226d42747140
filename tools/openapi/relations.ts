import { readFileSync } from 'node:fs';
import { PROBLEMS } from '../../src/engine/errors/problem-kinds.ts';
import { items, member, members, textOf, texts, type Node } from '../json.ts';
import type { Document } from './document.ts';
import type { Operation, Rest } from './model.ts';
import { namesWithoutReference, referencesIn, type Reference } from './references.ts';

const KINDS = new URL('../../src/engine/errors/problem-kinds.ts', import.meta.url);
/** The code of an entry in `errors` of a 400. */
const UNKNOWN = 'UNKNOWN';
const JSON_PATCH = 'application/json-patch+json';
const EXAMPLES = {
  'x-unique': 'x-unique: { EMAIL_TAKEN: [email] }',
  'x-refers': 'x-refers: { entity: Product, code: NOT_FOUND }',
  'x-conflicts': 'x-conflicts: [OUT_OF_STOCK]',
} as const;
type Keyword = keyof typeof EXAMPLES;

/**
 * The relations between rows that a contract states, and the codes of the refusals that follow from them: `x-unique` of
 * a schema with `x-entity`, `x-refers` of a member of a body, and `x-conflicts` of an operation. These are faults:
 *
 * - a wrong name or code, and `x-unique` without `x-entity`;
 * - two references to one entity with different codes in `keeps`;
 * - a code in `x-conflicts` that follows from the parameters or the body;
 * - a member without `x-refers`, although its name says that it holds the id of a row;
 * - a status that follows from a relation, but is not documented;
 * - a documented 409 that follows from nothing;
 * - `levels` of a reference to another entity, and an example of a new row that refers to a row of the same entity.
 */
export function checkRelations(document: Document, rest: Rest): void {
  const schemas = members(member(member(document.root, 'components'), 'schemas')).map(([, schema]) => schema);
  const uniques = schemas.flatMap((schema) => uniquesOf(document, schema));
  const references = rest.operations.map((operation) => ({
    operation,
    made: madeBy(rest, operation),
    references: referencesIn(document, bodyOf(document, operation)),
  }));
  const made = new Set(references.flatMap((each) => (each.made === null ? [] : [each.made])));
  const all = new Map(references.flatMap((each) => each.references).map((each) => [each.node.at, each]));
  for (const reference of all.values()) checkReference(document, reference, made);
  checkKeeps(document, [...all.values()]);
  for (const { operation, made: entity, references: own } of references)
    checkTree(document, operation, entity, own);
  const unsaid = rest.operations.flatMap((operation) =>
    namesWithoutReference(document, bodyOf(document, operation), made),
  );
  for (const { name, node, entity } of new Map(unsaid.map((each) => [each.node.at, each])).values())
    document.fault(
      node,
      `${name} holds the id of ${entity}, so it needs x-refers: x-refers: { entity: ${entity}, code: ${UNKNOWN} }`,
    );
  for (const { operation, references: own } of references) {
    const written = new Set(rest.dtos.get(operation.body?.dto ?? '')?.members.map(({ name }) => name));
    const conflicts = [
      ...conflictsOf(document, operation),
      ...uniques
        .filter(
          ({ entity, names }) =>
            entity === operation.answer.entity && names.some((name) => written.has(name)),
        )
        .map(({ code }) => code),
      ...(operation.method === 'delete' ? [...all.values()] : [])
        .filter(({ entity, keeps }) => keeps !== undefined && entity === entityAt(rest, operation))
        .map(({ keeps }) => keeps as string),
      ...own.map(({ code }) => code).filter((code) => statusOf(code) === 409),
    ];
    checkConflicts(document, operation, conflicts);
    const missing = own.find(({ code }) => statusOf(code) === 404);
    if (missing !== undefined && !operation.statuses.includes(404)) {
      document.fault(
        operation.node,
        `${operation.id} answers 404 when there is no ${missing.entity}, but does not document it: '404': { $ref: '#/components/responses/NotFound' }`,
      );
    }
  }
}

export interface Unique {
  readonly entity: string;
  readonly code: string;
  readonly names: readonly string[];
}

export function uniquesOf(document: Document, schema: Node): Unique[] {
  const keyword = member(schema, 'x-unique');
  if (keyword === undefined) return [];
  const entity = textOf(member(schema, 'x-entity'));
  if (entity === undefined) {
    refuse(document, keyword, 'x-unique', 'needs x-entity beside it, which names the rows');
    return [];
  }
  const properties = new Set(members(member(schema, 'properties')).map(([name]) => name));
  return members(keyword).map(([code, list]) => {
    checkCode(document, list, 'x-unique', code, [409]);
    for (const name of texts(list).filter((each) => !properties.has(each)))
      refuse(
        document,
        list,
        'x-unique',
        `names ${name}, which is not a member; the members are ${[...properties].join(', ')}`,
      );
    return { entity, code, names: texts(list) };
  });
}

function checkReference(
  document: Document,
  { node, entity, code, keeps }: Reference,
  made: ReadonlySet<string>,
): void {
  if (!made.has(entity)) {
    const known = [...made].toSorted().join(', ');
    refuse(
      document,
      node,
      'x-refers',
      `names the entity ${entity}, which no operation makes; it can be ${known}`,
    );
  }
  if (code !== UNKNOWN) checkCode(document, node, 'x-refers', code, [404, 409]);
  if (keeps !== undefined) checkCode(document, node, 'x-refers', keeps, [409]);
}

/** The service knows one code of `keeps` for each entity, because it does not know which reference keeps a row. */
function checkKeeps(document: Document, references: readonly Reference[]): void {
  const first = new Map<string, Reference>();
  for (const reference of references) {
    const { node, entity, keeps } = reference;
    if (keeps === undefined) continue;
    const other = first.get(entity) ?? reference;
    first.set(entity, other);
    if (other.keeps !== keeps)
      refuse(
        document,
        node,
        'x-refers',
        `has keeps: ${keeps}, but the reference to ${entity} at ${document.place(other.node)} has keeps: ${other.keeps}`,
      );
  }
}

/**
 * Only rows of one kind form a tree. A row is made before the rows below it, so the example of a new row is at the top
 * of its tree.
 */
function checkTree(
  document: Document,
  operation: Operation,
  made: string | null,
  references: readonly Reference[],
): void {
  const schema = bodyOf(document, operation);
  if (made === null || schema === undefined) return;
  for (const { node, levels, entity } of references)
    if (levels !== undefined && entity !== made)
      refuse(
        document,
        node,
        'x-refers',
        `has levels, but ${operation.id} makes a row of ${made}, not of ${entity}`,
      );
  const body = document.follow(schema);
  for (const [name, value] of items(member(body, 'examples')).flatMap(members)) {
    const property = member(member(body, 'properties'), name);
    const isOfItself = referencesIn(document, property).some(({ entity }) => entity === made);
    if (isOfItself && value.value !== null)
      document.fault(
        value,
        `in the example of ${operation.id}, ${name} refers to another ${made}, so no test could make the first row; write null`,
      );
  }
}

/** The codes that the operation itself names, and those that follow from its parameters and its body. */
function conflictsOf(document: Document, { node, headers, body }: Operation): string[] {
  const follow = [
    ...((headers?.dto.members ?? []).some(({ name }) => name === 'Idempotency-Key')
      ? ['IDEMPOTENCY_KEY_IN_USE']
      : []),
    ...(body?.mediaTypes.includes(JSON_PATCH) ? ['PATCH_CONFLICT'] : []),
  ];
  const keyword = member(node, 'x-conflicts');
  for (const code of texts(keyword)) {
    checkCode(document, keyword as Node, 'x-conflicts', code, [409]);
    if (follow.includes(code))
      refuse(
        document,
        keyword as Node,
        'x-conflicts',
        `names ${code}, which follows from the parameters or the body`,
      );
  }
  return [...follow, ...texts(keyword)];
}

function checkConflicts(
  document: Document,
  { id, node, statuses }: Operation,
  codes: readonly string[],
): void {
  const isSaid = statuses.includes(409);
  if (codes.length > 0 && !isSaid) {
    document.fault(
      node,
      `${id} can answer 409 with ${codes.join(', ')}, but does not document it: '409': { $ref: '#/components/responses/Conflict' }`,
    );
  }
  if (codes.length === 0 && isSaid) {
    document.fault(node, `${id} documents 409, but names no code that causes it: ${EXAMPLES['x-conflicts']}`);
  }
}

function checkCode(
  document: Document,
  node: Node,
  keyword: Keyword,
  code: string,
  statuses: readonly number[],
): void {
  if (statuses.includes(statusOf(code) ?? 0)) return;
  const known = Object.entries(PROBLEMS)
    .filter(([, { status }]) => statuses.includes(status))
    .map(([name]) => name);
  const all = [...(keyword === 'x-refers' && statuses.includes(404) ? [UNKNOWN] : []), ...known];
  refuse(
    document,
    node,
    keyword,
    `names ${code}, which is no code with the status ${statuses.join(' or ')}; it can be ${all.join(', ')}. Or add it at ${entryOf(code)}`,
  );
}

/** The place after the other codes of a 409, where an author can add a new code, and the text to add. */
function entryOf(code: string): string {
  const lines = readFileSync(KINDS, 'utf8').split('\n');
  const last = Object.keys(PROBLEMS).findLast((name) => statusOf(name) === 409);
  const start = lines.findIndex((line) => line.startsWith(`  ${last}: `));
  const end = lines.findIndex((line, index) => index > start && /^ {2}\S/.test(line) && line.endsWith(','));
  const title = code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');
  const entry = `${code}: conflict('${title}', 'When it occurs, and what a client can do.')`;
  return `src/engine/errors/problem-kinds.ts:${end + 2}, as ${entry}`;
}

function statusOf(code: string): number | undefined {
  return Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as keyof typeof PROBLEMS].status : undefined;
}

function refuse(document: Document, node: Node, keyword: Keyword, text: string): void {
  document.fault(node, `${keyword} ${text}: ${EXAMPLES[keyword]}`);
}

/** The entity of the rows that an operation makes: the one that the link `self` of its 201 leads to. */
export function madeBy({ operations }: Rest, { answer }: Operation): string | null {
  return answer.locationOf === null
    ? null
    : (operations.find(({ id }) => id === answer.locationOf)?.answer.entity ?? null);
}

/** The entity that the GET at the path of an operation shows. */
function entityAt({ operations }: Rest, { template }: Operation): string | null {
  return (
    operations.find((other) => other.method === 'get' && other.template === template)?.answer.entity ?? null
  );
}

export function bodyOf(document: Document, { node }: Operation): Node | undefined {
  const body = member(node, 'requestBody');
  const content = body === undefined ? undefined : member(document.follow(body), 'content');
  return member(members(content)[0]?.[1], 'schema');
}
