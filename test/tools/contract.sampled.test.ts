import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { UNLISTED } from '../../testkit/contract/unlisted.ts';
import { Contract } from '../../tools/contract/complete.ts';
import { METHODS } from '../../tools/openapi/model.ts';
import { OPENAPI as WHOLE } from '../support/fixtures/openapi.js';
import { onlyLong } from '../support/sampled.js';

const OPENAPI = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
/**
 * One path of openapi.yaml, because a test of the whole document takes more time. The rules are the same for every
 * path.
 */
const PRODUCTS = `paths:\n${/^ {2}\/api\/v2\/products:\n(?: {4}.*\n)+/m.exec(OPENAPI)?.[0] ?? ''}`;
const TOO_MANY = "        '429': { $ref: '#/components/responses/TooManyRequests' }\n";

interface Parsed {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { readonly description: string }>> };
}
const PARSED = WHOLE as unknown as Parsed;

const faultsOf = (text: string) =>
  new Contract(text).faults().map(({ place, text: fault }) => `${place} ${fault}`);
const completed = (text: string) => new Contract(text).completed();
let shortened: Promise<string> | undefined;
/** The short form of the whole document. It is made once, because that takes more than a second. */
const shortForm = () => (shortened ??= new Contract(OPENAPI).essence());
let whole: Promise<string> | undefined;
const completedShortForm = async () => (whole ??= completed(await shortForm()));

/** The path with a replacement of the first occurrence of a text. */
function changed(text: string, replacement: string): string {
  const result = PRODUCTS.replace(text, replacement);
  expect(result).not.toBe(PRODUCTS);
  return result;
}

describe('npm run contract', () => {
  it('changes nothing in the finished openapi.yaml', async () => {
    expect(faultsOf(OPENAPI)).toEqual([]);
    expect(await completed(OPENAPI)).toBe(OPENAPI);
  });

  it('keeps openapi.yaml short: on average, the file has at most 70 lines for each operation', () => {
    const operations = Object.values(PARSED.paths).flatMap((item) =>
      METHODS.filter((method) => method in item),
    );
    expect(operations.length).toBeGreaterThan(90);
    expect(OPENAPI.trimEnd().split('\n').length / operations.length).toBeLessThanOrEqual(70);
  });

  it('lets `default` stand for the statuses that the descriptions of openapi.yaml name', () => {
    const { description = '' } = PARSED.components.responses['Error'] ?? {};
    expect([...description.matchAll(/\b(\d{3}):/g)].map(([, status]) => status)).toEqual(
      Object.keys(UNLISTED),
    );
    expect(PARSED.info.description).toMatch(/`default` means 408, 414 and 431/);
  });

  it('completes the short form to the same document', onlyLong, async () => {
    const written = await shortForm();
    expect(await completedShortForm()).toBe(OPENAPI);
    expect(written).toMatch(/^ {2}\/api\/v2\/products\/export: \{ x-same-as: /m);
    expect(written.split('\n').length / OPENAPI.split('\n').length).toBeLessThan(0.67);
    expect(Object.entries(linesOf(written)).filter(([, lines]) => lines > 25)).toEqual([]);
    expect(Object.keys(linesOf(written)).length).toBeGreaterThan(70);
  });

  it.each([
    ['a response', 'response 429 (TooManyRequests)', TOO_MANY],
    [
      'a header',
      'header RateLimit in its response 200',
      "            RateLimit: { $ref: '#/components/headers/RateLimit' }\n",
    ],
    [
      'a format',
      'media type text/csv in its response 200',
      "            text/csv: { schema: { $ref: '#/components/schemas/ProductPage' } }\n",
    ],
    [
      'the default response',
      'response default (Error)',
      "        default: { $ref: '#/components/responses/Error' }\n",
    ],
    ['a parameter', 'parameter ListFormat', "        - $ref: '#/components/parameters/ListFormat'\n"],
  ])('reports where %s is missing, and adds it', async (_what, name, line) => {
    const text = changed(line, '');
    expect(faultsOf(text)).toEqual([
      `openapi.yaml:3 listProductsV2 has no ${name}; npm run contract adds it`,
    ]);
    expect(await completed(text)).toBe(PRODUCTS);
  });

  it('adds the schemes of a credential, with the scopes of the API key', async () => {
    const text = changed(', { oauth: [products:write] }, { jwt: [products:write] }', '');
    expect(faultsOf(text).map((fault) => fault.slice(fault.indexOf(' has ')))).toEqual([
      ' has no scheme oauth in its security; npm run contract adds it',
      ' has no scheme jwt in its security; npm run contract adds it',
    ]);
    expect(await completed(text)).toBe(PRODUCTS);
  });

  it('removes the name of a file from an answer that is not a file', async () => {
    const limit = "            RateLimit: { $ref: '#/components/headers/RateLimit' }\n";
    const name = "            Content-Disposition: { $ref: '#/components/headers/Content-Disposition' }\n";
    const text = changed(limit, `${name}${limit}`);
    expect(faultsOf(text)).toEqual([
      expect.stringContaining(
        'header Content-Disposition in its response 200, which does not follow from the rest',
      ),
    ]);
    expect(await completed(text)).toBe(PRODUCTS);
  });

  it.each([
    ['403 without security', "'403': { $ref: '#/components/responses/Forbidden' }"],
    ['413 without a body', "'413': { $ref: '#/components/responses/ContentTooLarge' }"],
    ['422 without an Idempotency-Key', "'422': { $ref: '#/components/responses/IdempotencyKeyReused' }"],
    ['410 outside of version 1', "'410': { $ref: '#/components/responses/VersionGone' }"],
  ])('removes %s', async (_what, response) => {
    const text = changed(TOO_MANY, `        ${response}\n${TOO_MANY}`);
    expect(faultsOf(text)).toEqual([expect.stringContaining('which does not follow from the rest')]);
    expect(await completed(text)).toBe(PRODUCTS);
  });

  it('requires the parts that follow from a shared body (`requestBodies`)', async () => {
    const shared = `  requestBodies:\n    Product:\n      required: true\n      content: { application/json: { schema: {} } }\n`;
    const own = /^ {6}requestBody:\n(?: {8}.*\n)+/m.exec(PRODUCTS)?.[0] ?? '';
    const text = `${changed(own, "      requestBody: { $ref: '#/components/requestBodies/Product' }\n")}components:\n${shared}`;
    expect(faultsOf(text)).toEqual([]);
    expect(
      faultsOf(text.replace("        '413': { $ref: '#/components/responses/ContentTooLarge' }\n", '')),
    ).toEqual([expect.stringContaining('has no response 413')]);
  });

  it('keeps parts that the rules do not require', async () => {
    const text = changed(TOO_MANY, `        '409': { description: Something particular. }\n${TOO_MANY}`);
    expect(faultsOf(text)).toEqual([]);
    expect(await completed(text)).toContain('Something particular.');
  });

  it('follows a change: an operation that gets If-Match also gets the responses 412 and 428', async () => {
    const text = changed(
      "        - $ref: '#/components/parameters/PageCursor'\n",
      "        - $ref: '#/components/parameters/If-Match'\n",
    );
    const { paths } = parse(await completed(text)) as {
      paths: Record<string, { get: { responses: Record<string, { headers?: object }> } }>;
    };
    const responses = paths['/api/v2/products']?.get.responses ?? {};
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['412', '428']));
    expect(Object.keys(responses['200']?.headers ?? {})).not.toContain('Link');
  });

  it(
    'takes missing parts from the operation in x-same-as, with the names of the right version',
    onlyLong,
    async () => {
      const written = await shortForm();
      const alone = /^ {6}operationId: (\w+)\n {6}x-same-as: \w+\n(?! {6})/gm;
      const ids = [...written.matchAll(alone)].map(([, id]) => id);
      expect(ids).toEqual(expect.arrayContaining(['getProductV2', 'createOrderV2']));
      const tags = / {6}operationId: updateOrderV2\n(?: {6}.*\n)*? {6}tags: .*\n/;
      const without = OPENAPI.replace(tags, (lines) => lines.replace(/ {6}tags: .*\n/, ''));
      expect(faultsOf(without)).toContainEqual(
        expect.stringMatching(
          /^openapi.yaml:\d+ updateOrderV2 has no tags; npm run contract adds the value of updateOrder$/,
        ),
      );
      // An earlier test compares the whole document. This test shows one of the names.
      const { paths } = parse(await completedShortForm()) as {
        paths: Record<string, { patch: { requestBody: unknown } }>;
      };
      expect(JSON.stringify(paths['/api/v2/orders/{id}']?.patch.requestBody)).toContain(
        '#/components/schemas/OrderUpdateV2',
      );
    },
  );

  it('creates the schema of a list when only the schema of its items is written', onlyLong, async () => {
    const lists = [
      ['ApiKeyList', 'ApiKey', { type: 'array', items: { $ref: '#/components/schemas/ApiKey' } }],
      ['UserPage', 'UserV2', { properties: { data: { items: { $ref: '#/components/schemas/UserV2' } } } }],
    ] as const;
    let text = OPENAPI;
    for (const [name] of lists) {
      const without = text.replace(new RegExp(`^    ${name}:\\n(?: {5}.*\\n)+`, 'm'), '');
      expect(without).not.toBe(text);
      text = without;
    }
    expect(faultsOf(text).toSorted()).toEqual(
      lists.map(
        ([name, item]) => `openapi.yaml there is no schema ${name}; npm run contract makes it from ${item}`,
      ),
    );
    const result = await completed(text);
    const { components } = parse(result) as { components: { schemas: Record<string, object> } };
    for (const [name, , shape] of lists) {
      expect(components.schemas[name]).toMatchObject(shape);
      // The new schema is written in several lines, like a schema that an author writes.
      expect(result).toMatch(new RegExp(`^    ${name}:\\n      type: `, 'm'));
    }
    expect(result.split('\n')).toHaveLength(OPENAPI.split('\n').length);
  });

  it('reports where a text is not YAML', () => {
    expect(() => new Contract('paths:\n  a: [\n')).toThrow(/^openapi.yaml:\d+: /);
  });
});

/** The number of lines of each operation. A description of several lines counts as one line. */
function linesOf(text: string): Record<string, number> {
  const blocks = text.split(/^ {4}(?:get|put|post|patch|delete):\n/m).slice(1);
  return Object.fromEntries(
    blocks.map((block) => {
      const [own = ''] = block.split(/^ {0,4}\S/m);
      const short = own.replaceAll(/^( *)description: \|\n(?:(?:\1 .*)?\n)+/gm, 'description: …\n');
      return [/operationId: (\w+)/.exec(block)?.[1] ?? '', short.trimEnd().split('\n').length + 1];
    }),
  );
}
