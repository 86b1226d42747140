import { ADMIN_KEY, type TestApp } from '../support/clients/app.js';
import { CONTRACT, type ContractOperation } from '../support/fixtures/contract.js';
import type { Schema as ContractSchema } from '../../testkit/contract/document.js';
import type { PathValues } from '../../testkit/contract/good-requests.js';
import { exampleOf } from '../../testkit/contract/examples.js';
import { createUser } from '../support/fixtures/fixtures.js';
import { createKey } from '../support/clients/keys.js';
import { goodBody, goodPathValues } from '../support/clients/requests.js';
import type { Node } from '../../testkit/contract/document.js';
import { DOCUMENT } from '../support/fixtures/schema.js';

type Values = Readonly<Record<string, unknown>>;

/** The request that a generated client sends to an operation, and the expected result. */
export interface Request {
  readonly operationId: string;
  readonly method: string;
  readonly address: string;
  readonly path?: PathValues;
  readonly query?: Values;
  readonly header?: Values;
  readonly body?: unknown;
  readonly key: string;
  /** Whether the operation has parameters in the query. */
  readonly takesQuery: boolean;
  /** Whether the operation has parameters in headers. */
  readonly takesHeader: boolean;
  /** Whether the answer is text, such as CSV, YAML or SDL. */
  readonly isText: boolean;
  readonly status: number;
  /** The examples of the contract: an answer, and a refusal with 400. */
  readonly example?: unknown;
  readonly problem?: unknown;
}

/** The parts of a served document that the tests read. */
export interface Served {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

interface Media {
  readonly schema: ContractSchema;
  readonly example?: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: ContractSchema;
  readonly example?: unknown;
}

/** Parameters whose values come from an earlier answer. */
const LEFT_OUT = new Set(['cursor', 'after']);

/** Headers, with values that do not change the result. */
const HEADERS: Record<string, (operationId: string) => string> = {
  'If-Match': () => '*',
  'If-None-Match': () => '"of-something-else"',
  'Idempotency-Key': (operationId) => `${operationId}-${crypto.randomUUID()}`,
  Prefer: () => 'return=representation',
};

/**
 * A valid request to an operation, about a new row. It has all parameters of the query except `LEFT_OUT`, and the
 * headers of `HEADERS`.
 */
export async function aRequest(store: TestApp, operation: ContractOperation): Promise<Request> {
  const { operationId, method, address, hasBody } = operation;
  const status = Object.keys(operation.responses).find((each) => each.startsWith('2')) ?? '';
  const parameters = parametersOf(operation);
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const query = of('query').filter(({ name }) => !LEFT_OUT.has(name));
  const header = of('header').filter(({ name }) => name in HEADERS);
  const content = contentOf(operation, status);
  const values = await goodPathValues(store, operationId);
  return {
    operationId,
    method,
    address,
    ...(address.includes('{') && { path: values }),
    ...(query.length > 0 && {
      query: Object.fromEntries(query.map((each) => [each.name, each.example ?? exampleOf(each.schema)])),
    }),
    ...(header.length > 0 && {
      header: Object.fromEntries(header.map(({ name }) => [name, HEADERS[name]?.(operationId)])),
    }),
    ...(hasBody && { body: await goodBody(store, operationId) }),
    key: address.endsWith('/me') ? await createKey(store, [], (await createUser(store)).id) : ADMIN_KEY,
    takesQuery: of('query').length > 0,
    takesHeader: of('header').length > 0,
    isText: Object.keys(content).length > 0 && !('application/json' in content),
    status: Number(status),
    example: exampleIn(content['application/json']),
    problem: exampleIn(contentOf(operation, '400')['application/problem+json']),
  };
}

function contentOf({ responses }: ContractOperation, status: string) {
  return (responses[status]?.content ?? {}) as Readonly<Record<string, Media>>;
}

function exampleIn(media: Media | undefined): unknown {
  return media && (media.example ?? exampleOf(media.schema));
}

function parametersOf({ address, method }: ContractOperation): readonly Parameter[] {
  const item = DOCUMENT.paths[address] as Node;
  const operation = item[method.toLowerCase()] as Node;
  return (operation['parameters'] as Parameter[] | undefined) ?? [];
}

/** The operations of the paths of a document. */
export function operationsIn(paths: Served['paths']): readonly ContractOperation[] {
  return CONTRACT.filter(({ address, method }) => method.toLowerCase() in (paths[address] ?? {}));
}
