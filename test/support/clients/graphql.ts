import { PROBLEMS, type ProblemCode } from '../../../src/engine/errors/problem-kinds.js';
import { typeOf } from '../../../src/engine/contract/problem.js';
import { ADMIN_KEY, type Answer, type Call, type TestApp } from './app.js';

export interface Operation {
  readonly query?: string;
  readonly variables?: Record<string, unknown> | null | undefined;
  readonly operationName?: string;
  readonly extensions?: Record<string, unknown>;
}

export interface GraphqlCall extends Omit<Call, 'body'> {
  readonly method?: 'GET' | 'POST';
}

/**
 * Sends an operation, or a list of operations, to /graphql. A text is sent unchanged, as the body or as the query
 * string. Fails the test if GraphQL over HTTP or our table of errors does not allow the answer.
 */
export async function ask(
  store: TestApp,
  operation: Operation | readonly Operation[] | string,
  { method = 'POST', headers = {}, key = ADMIN_KEY }: GraphqlCall = {},
): Promise<Answer> {
  const isPost = method === 'POST';
  const response = await fetch(`${store.url}/graphql${isPost ? '' : `?${parametersOf(operation)}`}`, {
    method,
    headers: {
      ...(key !== null && { 'x-api-key': key }),
      ...(isPost && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(isPost && { body: typeof operation === 'string' ? operation : JSON.stringify(operation) }),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: JSON.parse(text) as unknown,
  };
  judgeGraphql(answer);
  return answer;
}

/** The result of an operation: `data`, `errors`, `extensions`. */
export async function resultOf(
  store: TestApp,
  query: string,
  variables?: Record<string, unknown>,
  call?: GraphqlCall,
): Promise<Answer['body']> {
  return (await ask(store, { query, variables }, call)).body;
}

function parametersOf(operation: unknown): string {
  if (typeof operation === 'string') return operation;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(operation as object)) {
    if (value !== undefined) parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return parameters.toString();
}

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly locations?: unknown;
    readonly path?: unknown;
    readonly extensions: {
      readonly code: ProblemCode;
      readonly status: number;
      readonly type: string;
      readonly pointer?: string;
      readonly errors?: readonly { readonly pointer?: string }[];
      readonly request_id?: string;
    };
  }[];
  readonly extensions?: { readonly cost?: { readonly requested: number; readonly limit: number } };
}

const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

/** Errors of the request, not of the operation in it. They have the same status with both media types. */
const OF_THE_REQUEST: ReadonlySet<ProblemCode> = new Set([
  'MALFORMED_REQUEST',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** Throws if /graphql may not give this answer. */
export function judgeGraphql({ status, headers, text }: Omit<Answer, 'body'>): void {
  const fail = (what: string): never => {
    throw new Error(`This GraphQL answer is not allowed: ${what}; ${status} ${text.slice(0, 1000)}`);
  };
  const requestId = headers.get('x-request-id') ?? fail('there is no X-Request-Id');
  const type = headers.get('content-type');
  if (type === 'application/problem+json; charset=utf-8') return judgeProblem(status, text, fail);
  if (type !== JSON_TYPE && type !== GRAPHQL_TYPE) fail(`the media type is ${type}`);

  const { data, errors, extensions, ...rest } = JSON.parse(text) as Body;
  if (Object.keys(rest).length > 0) fail(`${Object.keys(rest).join()} is not a member of a result`);
  if (errors?.length === 0) fail('errors is an empty list');
  if (data === undefined && !errors) fail('the result has neither data nor errors');
  if (extensions?.cost && data !== undefined && extensions.cost.requested > extensions.cost.limit) {
    fail('the operation was executed although its cost is above the limit');
  }
  for (const { message, locations, path, extensions: about, ...others } of errors ?? []) {
    if (Object.keys(others).length > 0) fail(`${Object.keys(others).join()} is not a member of an error`);
    if (typeof message !== 'string' || message === '') fail('an error has no message');
    if (/[^.]\.\.$|undefined|\[object/.test(message)) fail('a message is not a sentence');
    if (locations !== undefined && !Array.isArray(locations)) fail('locations is not a list');
    if (path !== undefined && data === undefined) fail('an error has a path although nothing was executed');
    const { code, status: said, type: kind, pointer, errors: faults, request_id, ...more } = about;
    if (Object.keys(more).length > 0) fail(`${Object.keys(more).join()} is not an extension of an error`);
    if (!(code in PROBLEMS)) fail(`the code ${code} is unknown`);
    if (said !== PROBLEMS[code].status) fail(`the status of ${code} must be ${PROBLEMS[code].status}`);
    if (kind !== typeOf(code)) fail(`the type of ${code} must be ${typeOf(code)}`);
    if (pointer !== faults?.[0]?.pointer) fail('the pointer differs from the pointer of the first fault');
    if (request_id !== requestId) fail('request_id differs from X-Request-Id');
  }

  const expected = data === undefined ? errorStatus(errors?.[0]?.extensions.code, type) : 200;
  if (status !== expected) fail(`the status must be ${expected}`);
}

/** The status of a result without `data` (GraphQL over HTTP, sections 6.4.1 and 6.4.2). */
function errorStatus(code: ProblemCode | undefined, type: string | null): number {
  if (code === undefined) return 500;
  const { status } = PROBLEMS[code];
  return type === JSON_TYPE && status === 400 && !OF_THE_REQUEST.has(code) ? 200 : status;
}

/** A request that was refused before it reached GraphQL is answered with problem details. */
function judgeProblem(status: number, text: string, fail: (what: string) => never): void {
  const problem = JSON.parse(text) as { code: ProblemCode; status: number; type: string };
  if (!(problem.code in PROBLEMS)) fail(`the code ${problem.code} is unknown`);
  if (problem.status !== status || PROBLEMS[problem.code].status !== status)
    fail('the status of the problem differs from the status of the answer');
  if (problem.type !== typeOf(problem.code))
    fail(`the type of ${problem.code} must be ${typeOf(problem.code)}`);
}
