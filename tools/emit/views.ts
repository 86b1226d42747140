import { items as itemsOf, member, textOf } from '../json.ts';
import { byName } from '../names.ts';
import type { Document } from '../openapi/document.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import type { Member, Shape } from '../shape.ts';
import { HEADER, literal, Raw } from './text.ts';

const TYPES = `
import type { OperationId } from './operations.js';

/** The facts about an operation with a page for browsers. The page, the links to lists and the index use them. */
export interface Browsable {
  readonly summary: string;
  /** The name of the page, such as \`Products\`; for one row, its kind, such as \`Product\`. */
  readonly title: string;
  /** The place of the resource among all resources of the contract (\`tags\`). */
  readonly rank: number;
  /** The values of \`?format=\`; empty if the operation has no such parameter. */
  readonly formats: readonly string[];
  /** The other parameters of the query. */
  readonly filters: readonly Filter[];
}

export interface Filter {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'choice' | 'choices';
  readonly description: string;
  readonly required: boolean;
  /** The values to choose from. */
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly maxLength?: number;
  /** The value that counts if the parameter is left out. */
  readonly initial?: string;
}
`;

const FORMAT = 'format';

/** The data that pages for browsers need, for each operation that has a page. */
export function emitViews(document: Document, rest: Rest): string {
  const tags = itemsOf(member(document.root, 'tags')).map((tag) => textOf(member(tag, 'name')));
  const views = rest.operations
    .filter(({ method, answer }) => method === 'get' && answer.mediaTypes.includes('text/html'))
    .toSorted((a, b) => byName(a.id, b.id))
    .map((operation) => [operation.id, new Raw(literal(viewOf(operation, tags.indexOf(operation.tag))))]);
  return `${HEADER}${TYPES}
export const VIEWS: { readonly [K in OperationId]?: Browsable } = ${literal(Object.fromEntries(views))};
`;
}

function viewOf({ id, node, query }: Operation, rank: number): object {
  const parameters = query?.dto.members ?? [];
  const summary = textOf(member(node, 'summary')) ?? id;
  return {
    summary,
    title: titleOf(summary),
    rank,
    formats: parameters.find(({ name }) => name === FORMAT)?.shape.values ?? [],
    filters: parameters.filter(({ name }) => name !== FORMAT).map(filterOf),
  };
}

/** `List products` → `Products`, `Get one product` → `Product`. */
function titleOf(summary: string): string {
  const words = summary.replace(/^(?:List|Get|Read or follow)(?: the| one)? /, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function filterOf({ name, required, shape }: Member): object {
  const { bounds, values, items } = shape;
  const choices = items?.values ?? values;
  return {
    name,
    kind: kindOf(shape),
    description: (shape.description ?? '').trim().replaceAll(/\s+/g, ' '),
    required,
    values: choices?.map(String),
    minimum: bounds.minimum,
    maximum: bounds.maximum,
    step: bounds.multipleOf?.[0],
    maxLength: bounds.maxLength,
    initial: initialOf(shape),
  };
}

function kindOf({ kind, values, items, format }: Shape): string {
  if (kind === 'array') return items?.values == null ? 'text' : 'choices';
  if (values !== null) return 'choice';
  if (format === 'date-time' || kind === 'date') return 'time';
  return kind === 'integer' || kind === 'number' || kind === 'boolean' ? kind : 'text';
}

export function initialOf({ default: value }: Shape): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
