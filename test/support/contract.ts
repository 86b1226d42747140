import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { PROBLEMS, type ProblemCode } from '../../src/problem-kinds.js';
import { readBack } from './read-formats.js';
import { DOCUMENT as document, resolve, type Node, type Schema } from './schema.js';

interface Media {
  readonly schema: object;
}

interface Response {
  readonly headers?: Record<string, { schema: object }>;
  readonly content?: Record<string, Media>;
}

export interface ContractOperation {
  readonly operationId: string;
  readonly method: string;
  /** Whole: `/api/v1/products/{id}`. */
  readonly address: string;
  readonly hasBody: boolean;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly responses: Record<string, Response>;
}

// The judge is somebody else's code, and reads the contract itself, not what we generated from it.
const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 8 });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi.yaml');

const METHODS = ['get', 'put', 'post', 'patch', 'delete', 'head', 'options'];

/** Every operation of openapi.yaml, references resolved one level deep, where responses stand. */
export const CONTRACT: readonly ContractOperation[] = Object.entries(document.paths).flatMap(
  ([path, item]) => {
    return METHODS.filter((method) => method in item).map((method) => {
      const operation = item[method] as Node;
      const responses = operation['responses'] as Record<string, Node>;
      return {
        operationId: operation['operationId'] as string,
        method: method.toUpperCase(),
        address: path,
        hasBody: 'requestBody' in operation,
        security: (operation['security'] ?? document['security']) as ContractOperation['security'],
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [status, resolve(response) as Response]),
        ),
      };
    });
  },
);

const ADDRESSES = Object.keys(document.paths)
  // What is written out goes before what any text fits.
  .toSorted((a, b) => a.split('{').length - b.split('{').length)
  .map((address) => ({
    address,
    pattern: new RegExp(`^${address.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** What was compiled is found by the schema itself, so this is always the same one. */
const PROBLEM = { $ref: '#/components/schemas/Problem' };
const compiled = new Map<object, ValidateFunction>();

/** Throws unless the contract promises such an answer to such a request: status, media type, headers and body. */
export function judge(
  method: string,
  path: string,
  answer: { status: number; headers: Headers; text: string },
): void {
  const operation = operationAt(method, path);
  if (!operation) {
    // What is in no contract can only be refused, or answered by GraphQL, which has its own judge.
    if (method === 'OPTIONS' && answer.status === 204) return;
    if (![404, 405, 400, 401, 410, 414, 429].includes(answer.status))
      throw new Error(`${method} ${path} is in no contract`);
    const type = answer.headers.get('content-type') ?? '';
    const body = judgeBody('a refusal', type, PROBLEM, answer.text);
    judgeProblem(`${method} ${path} ${answer.status}`, answer, body);
    return;
  }
  const place = `${operation.operationId} ${answer.status}`;
  const response = operation.responses[String(answer.status)];
  if (!response) throw new Error(`${place} is not in the contract: ${answer.text.slice(0, 500)}`);
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const { schema } = resolve(header) as { schema: { type?: string } };
    const value = answer.headers.get(name);
    // The total may be left out where it is not known, the challenge of 403 where no credential would help.
    if (value === null && name === 'X-Total-Count') continue;
    if (value === null && name === 'WWW-Authenticate' && answer.status === 403) continue;
    // These say something of few answers: another try helps, or this is an earlier answer.
    if (value === null && name === 'Retry-After' && answer.status === 409) continue;
    if (value === null && ['Idempotent-Replayed', 'Preference-Applied'].includes(name)) continue;
    // Not every refusal is counted before it is sent, and health is free.
    if (value === null && name.startsWith('RateLimit') && isUncounted(operation, answer.status)) continue;
    if (value === null) throw new Error(`${place} lacks the header ${name}`);
    judgeValue(`${place} ${name}`, schema, schema.type === 'integer' ? Number(value) : value);
  }
  const content = response.content ?? {};
  if (method === 'HEAD' || Object.keys(content).length === 0) {
    if (answer.text !== '')
      throw new Error(`${place} must have no body, but has ${answer.text.slice(0, 200)}`);
    return;
  }
  // What was asked to be minimal.
  const isMinimal = answer.headers.get('preference-applied') === 'return=minimal';
  if (isMinimal && answer.status < 300) {
    if (answer.text !== '' || answer.headers.get('content-type') !== null)
      throw new Error(`${place} was to be minimal, but has a body`);
    return;
  }
  const type = (answer.headers.get('content-type') ?? '').split(';', 1)[0] as string;
  const media = content[type];
  if (!media) throw new Error(`${place} came as «${type}», not as ${Object.keys(content).join(', ')}`);
  const body = judgeBody(place, type, media.schema, answer.text);
  if (answer.status >= 400) judgeProblem(place, answer, body);
}

function isUncounted({ address }: ContractOperation, status: number): boolean {
  return status >= 500 || (status >= 400 && status !== 429) || address.startsWith('/health/');
}

/** Problem details say the same as the answer around them, and lead to what their kind means. */
function judgeProblem(
  place: string,
  { status, headers }: { status: number; headers: Headers },
  body: Readonly<Record<string, unknown>> | undefined,
): void {
  if (!body) return;
  const code = String(body['code']);
  if (!Object.hasOwn(PROBLEMS, code)) throw new Error(`${place} has the code ${code}, which is no problem`);
  const kind = PROBLEMS[code as ProblemCode];
  const expected = {
    status: kind.status,
    title: kind.title,
    type: `/problems/${code.toLowerCase().replaceAll('_', '-')}`,
    request_id: headers.get('x-request-id'),
  };
  for (const [name, value] of [...Object.entries(expected), ['status', status] as const]) {
    if (body[name] !== value)
      throw new Error(`${place} ${code} says ${name} ${String(body[name])}, not ${value}`);
  }
  const { operationId } = operationAt('GET', expected.type) ?? {};
  if (operationId !== 'getProblemType') throw new Error(`${place}: the type ${expected.type} leads nowhere`);
  if (!String(body['instance']).startsWith('/')) throw new Error(`${place}: the instance is no path`);
}

export function operationAt(method: string, path: string): ContractOperation | undefined {
  const [plain = ''] = path.split('?', 1);
  const normal = inItsVersion(plain);
  const address = ADDRESSES.find(({ pattern }) => pattern.test(normal))?.address ?? '';
  return CONTRACT.find((operation) => operation.address === address && operation.method === method);
}

function inItsVersion(path: string): string {
  return path.replace(/^\/api(?=\/|$)(?!\/v\d)/, '/api/v1');
}

/** @returns undefined where the body is a page for people */
function judgeBody(
  place: string,
  type: string,
  schema: object,
  text: string,
): Record<string, unknown> | undefined {
  if (type.startsWith('text/html')) {
    if (!text.startsWith('<!doctype html>')) throw new Error(`${place} is no page: ${text.slice(0, 200)}`);
    return undefined;
  }
  const value = readBack(type, schema, text) ?? text;
  judgeValue(place, type.startsWith('text/csv') ? listIn(schema) : schema, value);
  return value as Record<string, unknown>;
}

/** Rows have no place for what is around a list. */
function listIn(schema: object): object {
  const { properties } = resolve(schema) as Schema;
  return properties?.['data'] ?? schema;
}

function judgeValue(place: string, schema: object, value: unknown): void {
  const validate = compiled.get(schema) ?? ajv.compile(absolute(schema));
  compiled.set(schema, validate);
  if (!validate(value)) {
    throw new Error(
      `${place} does not fit the contract: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`,
    );
  }
}

/** References inside of the document, from outside of it. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"openapi.yaml#/')) as object;
}

/** Whether a schema of the contract lets a value through. */
export function fits(name: string, value: unknown): boolean {
  return ajv.validate(`openapi.yaml#/components/schemas/${name}`, value);
}
