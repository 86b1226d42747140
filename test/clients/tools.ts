import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npx } from '../support/fixtures/client-folder.js';
import type { Request, Schema } from './requests.js';

/** A generator of clients: how it is run, and how its clients are called. */
export interface Tool {
  /** Generates a client of the document at `<url>/<document>.json` into the module `client` of the folder. */
  generate(folder: string, url: string, document: string): Promise<unknown>;
  /**
   * The first lines of a program. They define the function `as`, which turns an API key into the value that a call
   * needs.
   */
  readonly imports: string;
  /** Statements that send the request, and set `response` and `data` to the values that the client returns. */
  send(request: Request): string;
  /** The TypeScript type of `data` for an answer with this status. */
  shown(status: number): string;
  /** The TypeScript type of an answer with problem details (RFC 9457). */
  readonly refused: string;
  /** The TypeScript type of a schema of the contract. */
  schema(name: string): string;
}

const text = (value: unknown): string => JSON.stringify(value);

/** The given members, written as members of an object literal. */
function members(all: Readonly<Record<string, unknown>>): string {
  return Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${text(name)}: ${text(value)}`)
    .join(', ');
}

export const TOOLS: Readonly<Record<string, Tool>> = {
  'openapi-typescript and openapi-fetch': {
    generate: (folder, url, document) =>
      npx(folder, 'openapi-typescript', `${url}/${document}.json`, '-o', 'client.ts'),
    imports: `
      import createClient from 'openapi-fetch';
      import type { components, paths } from './client.js';

      const as = (key: string) =>
        createClient<paths>({ baseUrl: process.env['STORE'] ?? '', headers: { 'X-API-Key': key } });`,
    send: ({ method, address, path, query, header, body, key, isText }) => `
      const { data, error, response } = await as(${text(key)}).${method}(${text(address)}, {
        params: { ${members({ path, query, header })} },
        ${members({ body, ...(isText && { parseAs: 'text' }) })}
      });`,
    shown: () => 'NonNullable<typeof data>',
    refused: 'NonNullable<typeof error>',
    schema: (name) => `import('./client.js').components['schemas']['${name}']`,
  },

  'hey-api': {
    generate: (folder, url, document) =>
      npx(folder, 'openapi-ts', '-i', `${url}/${document}.json`, '-o', 'client', '--no-log-file'),
    imports: `
      import { createClient } from './client/client/index.js';
      import * as store from './client/index.js';

      const as = (key: string) => ({
        client: createClient({
          baseUrl: process.env['STORE'] ?? '',
          auth: (scheme) => (scheme.type === 'apiKey' ? key : undefined),
        }),
      });`,
    send: ({ operationId, path, query, header, body, key }) => `
      const { data, error, response } = await store.${operationId}({
        ...as(${text(key)}),
        ${members({ path, query, headers: header, body })}
      });`,
    shown: () => 'NonNullable<typeof data>',
    refused: 'NonNullable<typeof error>',
    schema: (name) => `import('./client/index.js').${name}`,
  },

  orval: {
    generate: async (folder, url, document) => {
      const patches = ['application/merge-patch+json', 'application/json-patch+json'];
      const output = {
        target: 'client.ts',
        client: 'fetch',
        baseUrl: url,
        headers: true,
        override: { contentType: { exclude: patches } },
      };
      const config = { store: { input: `${url}/${document}.json`, output } };
      await writeFile(join(folder, 'orval.config.mjs'), `export default ${text(config)};`);
      return npx(folder, 'orval');
    },
    imports: `
      import * as store from './client.js';

      const error = undefined;
      const as = (key: string) => ({ headers: { 'X-API-Key': key } });`,
    send: ({ operationId, path, query, takesQuery, header, takesHeader, body, key }) => {
      const values = [
        ...Object.values(path ?? {}),
        ...(body === undefined ? [] : [body]),
        ...(takesQuery ? [query] : []),
        ...(takesHeader ? [header] : []),
      ];
      return `
        const response = await store.${operationId}(
          ${values.map((value) => `${value === undefined ? 'undefined' : text(value)}, `).join('')}as(${text(key)}),
        );
        const read: { readonly data?: unknown; readonly stream?: unknown } = response;
        // NDJSON comes as a stream.
        const data = read.data ?? read.stream;`;
    },
    shown: (status) => `Extract<typeof response, { status: ${status} }>['data']`,
    refused: "Extract<typeof response, { status: 400 }>['data']",
    schema: (name) => `import('./client.js').${name}`,
  },
};

/**
 * A program that sends the requests one after another, and prints the result that the client reports for each request.
 * It compiles only if the examples of answers match their types, and if the types require the same members as the
 * contract.
 */
export function programOf(
  tool: Tool,
  requests: readonly Request[],
  schemas: Readonly<Record<string, Schema>>,
): string {
  return `${tool.imports}

    /** Does not compile if T is 'any'. A generated client uses 'any' for a schema that its generator does not know. */
    type Known<T> = 0 extends 1 & T ? never : T;
    type Answer = { readonly status: number; readonly headers: Headers } | undefined;

    const told: object[] = [];
    async function tell(operationId: string, answer: Answer, data: unknown): Promise<void> {
      if (!answer) throw new Error('No answer to ' + operationId);
      const isStream = data instanceof Blob || data instanceof Response;
      const text = isStream ? await data.text() : typeof data === 'string' ? data : JSON.stringify(data ?? {});
      told.push({ operationId, status: answer.status, headers: [...answer.headers], text: text === '{}' ? '' : text });
    }
    type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
    type Same<A, B> = [A, B] extends [B, A] ? true : false;
    type True<T extends true> = T;
    ${Object.entries(schemas)
      .map(([name, schema]) => checkOf(tool, name, schema, schemas))
      .join('')}

    ${requests.map((request) => statementsOf(tool, request)).join('')}
    process.stdout.write(JSON.stringify(told));`;
}

function statementsOf(tool: Tool, request: Request): string {
  const { operationId, status, example, problem } = request;
  return `
    {${tool.send(request)}
      ${satisfies(example, tool.shown(status))}
      ${satisfies(problem, tool.refused)}
      await tell(${text(operationId)}, response, data ?? error);
    }`;
}

const satisfies = (value: unknown, type: string): string =>
  value === undefined ? '' : `void (${text(value)} satisfies Known<${type}>);`;

function checkOf(
  tool: Tool,
  name: string,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
): string {
  const { properties, required = [], additionalProperties } = schema;
  // If the schema allows additional members, the type accepts every name, and there is nothing to compare.
  if (!properties || additionalProperties !== false) return '';
  // Some tools leave read-only or write-only members out of a type.
  const oneWay = Object.keys(properties).filter((member) => isOneWay(properties[member] ?? {}, schemas));
  const optional = Object.keys(properties).filter((member) => ![...required, ...oneWay].includes(member));
  return `
    type ${name}Fits = True<Same<Exclude<Optional<${tool.schema(name)}>, ${union(oneWay)}>, ${union(optional)}>>;`;
}

const union = (names: readonly string[]): string =>
  names.length === 0 ? 'never' : names.map(text).join(' | ');

function isOneWay(property: Schema, schemas: Readonly<Record<string, Schema>>): boolean {
  const target = property.$ref ?? property.allOf?.[0]?.$ref;
  const named = target === undefined ? undefined : schemas[target.replace('#/components/schemas/', '')];
  return (
    property.readOnly === true ||
    property.writeOnly === true ||
    (named !== undefined && isOneWay(named, schemas))
  );
}
