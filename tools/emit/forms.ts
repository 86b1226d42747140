import { member, members, textOf, type Node } from '../json.ts';
import { labelFrom } from '../../src/rules/labels.ts';
import { byName } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import type { Member, Shape } from '../shape.ts';
import { HEADER, literal, Raw } from './text.ts';
import { initialOf } from './views.ts';

const TYPES = `
import type { OperationId } from './operations.js';

/** A form for people, made from an operation that changes something. */
export interface Form {
  readonly operation: OperationId;
  readonly title: string;
  /** A few sentences for the person who fills in the form; empty if there is nothing to say. */
  readonly about: string;
  /** The parameters in the path of the operation that the path of the page does not have. */
  readonly path: readonly Field[];
  /** The parameters of the query. */
  readonly query: readonly Field[];
  /** The members of the body; null if the operation has no body. */
  readonly fields: readonly Field[] | null;
  /** The members of the answer that are shown only once, such as a secret. */
  readonly once: readonly string[];
  /**
   * The member that has a value when the row of the page has ended. Then nothing can be done with the row. Null if
   * there is no such member.
   */
  readonly ended: string | null;
  /** Whether the operation takes \`If-Match\`. */
  readonly isConditional: boolean;
  /** Whether the operation takes an \`Idempotency-Key\`. */
  readonly isRepeatable: boolean;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  /** \`texts\` is a list of texts, \`lines\` is a list of objects, and \`reference\` is the id of a row. */
  readonly control:
    | 'text' | 'long' | 'email' | 'secret' | 'integer' | 'number' | 'boolean' | 'choice' | 'choices' | 'time' | 'date'
    | 'money' | 'texts' | 'lines' | 'reference';
  readonly required: boolean;
  readonly nullable: boolean;
  /** A sentence for the person who fills in the field; empty if there is nothing to say. */
  readonly hint: string;
  /** The values to choose from. */
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The value that counts if the member is left out. */
  readonly initial?: string;
  /** Whether an amount of money is an object in minor units. Otherwise it is a number in major units. */
  readonly isMinor?: boolean;
  /** The members of a line. */
  readonly fields?: readonly Field[];
  readonly refers?: Referred;
}

/** The rows that a reference may name. */
export interface Referred {
  readonly list: OperationId;
  readonly item: OperationId;
  /** The parameter of the list that searches by a text; null if there is none. */
  readonly search: string | null;
}
`;

const BODY = 'application/json';
/** A text whose `maxLength` is more than this number of characters gets a field of several lines. */
const LONG = 300;
/** Code, statuses of HTTP, numbers of standards, and `null`. */
const TECHNICAL = /`|\b[1-5]\d\d\b(?! characters)|\bRFC\b|\bnull\b/;

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly [fact: string]: unknown;
}

/**
 * The forms of each page, by the operation that shows the page. The page of an operation is at its own path, or at the
 * nearest path above it that has a page. A parameter that this path does not have is a field of the form. If a path has
 * both PATCH and PUT, only PATCH has a form, because both do the same for a person. An operation has no form if a
 * parameter, or a required member of its body, has values that no control can enter, such as objects of several kinds.
 * The forms that delete something come last.
 */
export function emitForms(document: Document, rest: Rest): string {
  const shown = rest.operations.filter(
    ({ method, answer }) => method === 'get' && answer.mediaTypes.includes('text/html'),
  );
  const forms = new Map<string, object[]>();
  const ordered = rest.operations.toSorted((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)));
  for (const operation of ordered) {
    if (operation.method === 'get' || isReplacedBy(rest, operation)) continue;
    const page = pageOf(shown, operation);
    const form = page === undefined ? null : formOf(document, rest, operation, page);
    if (page !== undefined && form !== null) forms.set(page.id, [...(forms.get(page.id) ?? []), form]);
  }
  const sorted = [...forms]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([page, own]) => [page, new Raw(literal(own))]);
  return `${HEADER}${TYPES}
export const FORMS: { readonly [K in OperationId]?: readonly Form[] } = ${literal(Object.fromEntries(sorted))};
`;
}

function isDeletion({ method }: Operation): boolean {
  return method === 'delete';
}

function isReplacedBy({ operations }: Rest, { method, template }: Operation): boolean {
  return method === 'put' && operations.some((each) => each.method === 'patch' && each.template === template);
}

function pageOf(shown: readonly Operation[], { template }: Operation): Operation | undefined {
  for (let path = template; path !== ''; path = /^(.*)\/[^/]+$/.exec(path)?.[1] ?? '') {
    const page = shown.find((each) => each.template === path);
    if (page) return page;
  }
  return undefined;
}

function formOf(document: Document, rest: Rest, operation: Operation, page: Operation): object | null {
  const { id, body, path, query, headers, answer } = operation;
  const request = member(operation.node, 'requestBody');
  const content = member(request && document.follow(request), 'content');
  const schema = member(member(content, BODY), 'schema');
  const fields = body === null ? null : fieldsOf(document, rest, operation, body.dto, schema);
  const asked = (query?.dto.members ?? []).map((each) => fieldOf(document, rest, operation, each, undefined));
  const left = operation.template.slice(page.template.length);
  const named = (path?.dto.members ?? [])
    .filter(({ name }) => left.includes(`{${name}}`))
    .map((each) => fieldOf(document, rest, operation, each, undefined, entityNamedBy(each.name)));
  if ([...(fields ?? []), ...asked, ...named].some((each) => each === null)) return null;
  const taken = Object.keys(headers?.kinds ?? {});
  return {
    operation: id,
    ...wordsOfForm(rest, operation, page),
    path: named,
    query: asked,
    fields,
    once: markedIn(document, answer.schema, 'x-shown-once'),
    ended:
      page.answer.shape === 'entity'
        ? (markedIn(document, page.answer.entitySchema, 'x-ended')[0] ?? null)
        : null,
    isConditional: taken.includes('If-Match'),
    isRepeatable: taken.includes('Idempotency-Key'),
  };
}

/**
 * The words of a form. An operation without `x-about` takes it from the operation of version 1 with the same name. If
 * that operation has none either, the form shows the first sentence of the description, unless this sentence has
 * technical words.
 */
function wordsOfForm({ operations }: Rest, { id, node }: Operation, page: Operation): object {
  const first = operations.find((each) => each.id === id.replace(/V\d+$/, ''))?.node;
  const about = textOf(member(node, 'x-about') ?? member(first, 'x-about'));
  return {
    title: titleOf(textOf(member(node, 'summary')) ?? id, page),
    about: about === undefined ? sentenceOf(textOf(member(node, 'description'))) : oneLine(about),
  };
}

/** On the page of a product, “Update a product partly” becomes “Change this product”. */
function titleOf(summary: string, { answer: { entity, shape } }: Operation): string {
  const title = summary.replace(/ partly$/, '').replace(/^Update /, 'Change ');
  if (entity === null || shape !== 'entity') return title;
  const nouns = entity.split(/(?=[A-Z])/).join('|');
  return title.replace(new RegExp(`\\ban? (?=(?:[\\w-]+ )?(?:${nouns})\\b)`, 'i'), 'this ');
}

/** The first sentence of a description, or nothing if it has words that only programmers know. */
function sentenceOf(description: string | undefined): string {
  const text = oneLine(description);
  const first = /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
  return TECHNICAL.test(first) ? '' : first;
}

/** The fields of the members that a client may write. Optional members that no control can enter are left out. */
function fieldsOf(
  document: Document,
  rest: Rest,
  operation: Operation,
  dto: string,
  schema: Node | undefined,
): (Field | null)[] {
  const nodes = propertiesOf(document, schema);
  const written = (rest.dtos.get(dto)?.members ?? []).filter(({ shape }) => !shape.readOnly);
  return written
    .map((each) => ({ each, field: fieldOf(document, rest, operation, each, nodes.get(each.name)) }))
    .filter(({ each, field }) => each.required || field !== null)
    .map(({ field }) => field);
}

function fieldOf(
  document: Document,
  rest: Rest,
  operation: Operation,
  { name, required, shape }: Member,
  node: Node | undefined,
  named: string | null = null,
): Field | null {
  const marks = marksOf(document, node);
  const entity = marks.entity ?? named;
  const refers = entity === null ? undefined : referredOf(rest, operation, entity);
  const control = controlOf(shape, marks, refers !== undefined);
  if (control === null) return null;
  const { bounds } = shape;
  const itemNode = member(node && document.follow(node), 'items');
  const lines =
    control === 'lines' ? fieldsOf(document, rest, operation, shape.items?.dto ?? '', itemNode) : undefined;
  if (lines?.some((each) => each === null)) return null;
  const isObject = shape.kind === 'object';
  const amount = isObject
    ? rest.dtos.get(shape.dto ?? '')?.members.find((each) => each.name === 'amount')?.shape.bounds
    : bounds;
  return {
    name,
    label: marks.label ?? labelFrom(control === 'reference' ? name.replace(/_id$/, '') : name),
    control,
    required,
    nullable: shape.nullable,
    // Only the first sentence, because the rest is for programs.
    hint: marks.hint ?? sentenceOf(shape.description),
    values: (shape.items?.values ?? shape.values)?.map(String),
    minimum: amount?.minimum,
    maximum: amount?.maximum,
    step: isObject ? undefined : bounds.multipleOf?.[0],
    minLength: bounds.minLength,
    maxLength: bounds.maxLength ?? shape.items?.bounds.maxLength,
    minItems: bounds.minItems,
    maxItems: bounds.maxItems,
    initial: initialOf(shape),
    isMinor: control === 'money' ? isObject : undefined,
    fields: lines,
    refers,
  };
}

/** `product_id` → `Product`. A parameter has no `x-refers`, so its name says which rows it may name. */
function entityNamedBy(name: string): string {
  return name
    .replace(/_id$/, '')
    .replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

interface Marks {
  readonly isMoney: boolean;
  readonly isSecret: boolean;
  /** The entity of `x-refers`. */
  readonly entity: string | null;
  /** The value of `x-label`. */
  readonly label: string | undefined;
  /** The value of `x-hint`. */
  readonly hint: string | undefined;
  /** The value of `x-control`. */
  readonly control: string | undefined;
}

function controlOf({ kind, values, items: item, format, bounds }: Shape, marks: Marks, refers: boolean) {
  if (marks.isMoney) return 'money';
  if (refers) return 'reference';
  if (kind === 'array') {
    if (item?.values) return 'choices';
    if (item?.kind === 'object') return 'lines';
    return item?.kind === 'string' ? 'texts' : null;
  }
  if (values !== null) return 'choice';
  if (kind === 'date') return 'time';
  if (kind === 'integer' || kind === 'number' || kind === 'boolean') return kind;
  if (kind !== 'string') return null;
  if (format === 'date-time') return 'time';
  if (format === 'date') return 'date';
  if (marks.isSecret) return 'secret';
  if (marks.control === 'email') return 'email';
  return (bounds.maxLength ?? 0) > LONG ? 'long' : 'text';
}

/** The marks of a schema and of its parts, such as `x-money`. The shape does not have them. */
function marksOf(document: Document, node: Node | undefined): Marks {
  const places = document.placesOf(node);
  const isSet = (name: string): boolean => places.some((each) => member(each, name)?.value === true);
  const first = (name: string): Node | undefined =>
    places.map((each) => member(each, name)).find((each) => each !== undefined);
  return {
    isMoney: isSet('x-money'),
    isSecret: isSet('writeOnly'),
    entity: textOf(member(first('x-refers'), 'entity')) ?? null,
    label: textOf(first('x-label')),
    hint: textOf(first('x-hint')),
    control: textOf(first('x-control')),
  };
}

function propertiesOf(document: Document, schema: Node | undefined): Map<string, Node> {
  return new Map(
    document
      .placesOf(schema)
      .toReversed()
      .flatMap((place) => members(member(place, 'properties'))),
  );
}

function referredOf({ operations }: Rest, { version }: Operation, entity: string): object | undefined {
  const own = operations.filter(
    (each) => each.method === 'get' && each.version === version && each.answer.entity === entity,
  );
  const list = own.find(
    ({ answer, path }) => path === null && (answer.shape === 'page' || answer.shape === 'slice'),
  );
  const item = own.find(({ answer, path }) => path?.dto.members.length === 1 && answer.shape === 'entity');
  if (!list || !item) return undefined;
  // A version that is frozen may have no search. Then the list of another version is searched; it has the same rows.
  const searched = [list, ...operations].find(
    ({ answer, path, query }) =>
      path === null &&
      (answer.shape === 'page' || answer.shape === 'slice') &&
      answer.entity === entity &&
      query?.dto.members.some(({ name }) => name === 'q'),
  );
  return { list: (searched ?? list).id, item: item.id, search: searched ? 'q' : null };
}

/** The members of a schema with a mark, such as `x-shown-once`. */
function markedIn(document: Document, schema: Node | null, mark: string): string[] {
  return [...propertiesOf(document, schema ?? undefined)]
    .filter(([, node]) => document.placesOf(node).some((place) => member(place, mark)?.value === true))
    .map(([name]) => name);
}

function oneLine(text: string | undefined): string {
  return (text ?? '').trim().replaceAll(/\s+/g, ' ');
}
