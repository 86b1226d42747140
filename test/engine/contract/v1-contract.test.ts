import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig, type Options } from 'prettier';
import { describe, expect, it } from 'vitest';
import { differences, grown, type NormalForm } from '../../../testkit/contract/normal-form.js';
import { v1Form } from '../../../testkit/contract/recorded.js';
import { OPENAPI } from '../../support/fixtures/openapi.js';

/**
 * The contract of version 1 is frozen, like its answers. `npm run record:v1` records new parts that break no
 * client. Recorded parts must not change.
 */
const FILE = new URL('v1-contract.json', import.meta.url);

type Node = Record<string, unknown>;

const optionsOf = async (file: URL): Promise<Options> => ({
  parser: 'json',
  ...(await resolveConfig(file)),
});

/** The contract with this value at this place. The value `undefined` removes the place. */
function changed(place: readonly string[], value: unknown): NormalForm {
  const document = structuredClone(OPENAPI);
  const parent = place.slice(0, -1).reduce<Node>((at, name) => at[name] as Node, document);
  const last = place.at(-1) as string;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return v1Form(document);
}

interface Places {
  readonly components: {
    readonly schemas: Record<string, { readonly properties?: Node }>;
    readonly responses: Node;
  };
  readonly paths: Record<string, { readonly get: { readonly responses: Node } }>;
}

const PRODUCTS = ['paths', '/api/v1/products'];
const schema = (name: string, ...rest: string[]) => ['components', 'schemas', name, ...rest];

describe('the contract of version 1', () => {
  const now = v1Form(OPENAPI);

  it('has not changed', async () => {
    const before = JSON.parse(readFileSync(FILE, 'utf8')) as NormalForm;
    const { breaking, added } = differences(before, now);
    expect(breaking, 'Version 1 is frozen: make this change in version 2').toEqual([]);
    const isRecording = process.env['RECORD_V1'] === '1';
    if (isRecording)
      writeFileSync(FILE, await format(JSON.stringify(grown(before, now)), await optionsOf(FILE)));
    const unknown = isRecording ? [] : added;
    expect(unknown, 'This is new in version 1: record it with npm run record:v1').toEqual([]);
  });

  it.each<[string, string[], unknown]>([
    ['a removed operation', [...PRODUCTS, 'post'], undefined],
    ['an additional scope', [...PRODUCTS, 'post', 'security'], [{ apiKey: ['products:write', 'admin'] }]],
    ['another value in an answer', schema('OrderStatus', 'enum'), ['pending', 'returned']],
    ['a member that may be absent', schema('Product', 'required'), ['id']],
    ['an additional member in an answer', schema('Product', 'properties', 'colour'), { type: 'string' }],
    ['a removed header', [...PRODUCTS, 'get', 'responses', '200', 'headers', 'Link'], undefined],
    ['a narrower parameter', ['components', 'parameters', 'Limit', 'schema', 'maximum'], 50],
    ['a removed status', [...PRODUCTS, 'post', 'responses', '409'], undefined],
    ['removed refusals', [...PRODUCTS, 'post', 'responses', 'default'], undefined],
    ['a removed format', [...PRODUCTS, 'get', 'responses', '200', 'content', 'text/csv'], undefined],
    ['an event of another type', schema('EventType', 'enum'), ['product.lost']],
    ['a smaller body', [...PRODUCTS, 'post', 'requestBody', 'x-max-body'], 100],
    ['a removed address', [...PRODUCTS, 'x-alias'], undefined],
  ])('is broken by %s', (_what, place, value) => {
    expect(differences(now, changed(place, value)).breaking).not.toEqual([]);
  });

  it('may get an optional parameter, but not a required parameter', () => {
    const list = (OPENAPI['paths'] as Record<string, { get: { parameters: Node[] } }>)['/api/v1/products'];
    const withOne = (required: boolean) => {
      const colour = { name: 'colour', in: 'query', required, schema: { type: 'string' } };
      return changed([...PRODUCTS, 'get', 'parameters'], [...(list?.get.parameters ?? []), colour]);
    };
    const place = ['operations › GET /api/v1/products › parameters › query colour is new'];
    expect(differences(now, withOne(false))).toEqual({ breaking: [], added: place });
    expect(differences(now, withOne(true))).toEqual({ breaking: place, added: [] });
  });

  it('is not broken if a part moves to another place and keeps its meaning', () => {
    const document = structuredClone(OPENAPI) as typeof OPENAPI & Places;
    const { components, paths } = document;
    const { name, price } = components.schemas['Product']?.properties ?? {};
    Object.assign(components.schemas, { Elsewhere: name, Dear: { allOf: [price] } });
    Object.assign(components.schemas['Product']?.properties ?? {}, {
      name: { $ref: '#/components/schemas/Elsewhere' },
      price: { $ref: '#/components/schemas/Dear' },
    });
    const { responses } = paths['/api/v1/products']?.get ?? {};
    Object.assign(components, { responses: { ...components.responses, Listed: responses?.['200'] } });
    Object.assign(responses ?? {}, { 200: { $ref: '#/components/responses/Listed' } });
    expect(differences(now, v1Form(document))).toEqual({ breaking: [], added: [] });

    Object.assign(components.schemas, { Dear: { allOf: [price], maximum: 5 } });
    expect(differences(now, v1Form(document)).breaking).toContain(
      'components › schemas/Product › properties › price › maximum: 10000000 became 5',
    );
  });

  it('is recorded with its new parts, and the recorded parts stay as they are', () => {
    const before = JSON.parse(readFileSync(FILE, 'utf8')) as NormalForm;
    const paths = OPENAPI['paths'] as Record<string, { readonly get: object }>;
    const list = paths['/api/v1/products']?.get;
    const next = changed(['paths', '/api/v1/colours'], { 'x-alias': '/api/colours', get: list });
    const { operations, components } = grown(before, next);
    const { 'GET /api/v1/colours': colours, ...others } = operations;
    expect([others, components]).toEqual([before.operations, before.components]);
    expect(colours).toMatchObject({ alias: '/api/colours' });
    expect(differences({ operations, components }, next)).toEqual({ breaking: [], added: [] });
  });

  it('is recorded again as a whole if a new part has the name of a removed part', () => {
    const ref = { schema: { $ref: 'schemas/A' } };
    const before = { operations: { 'GET /a': ref }, components: { 'schemas/A': { type: 'string' } } };
    const next = {
      operations: { 'GET /a': { schema: { type: 'string' } }, 'GET /b': ref },
      components: { 'schemas/A': { type: 'integer' } },
    };
    expect(grown(before, next)).toEqual(next);
  });

  it('may have other words in a summary', () => {
    const other = changed([...PRODUCTS, 'get', 'summary'], 'Products');
    expect(differences(now, other)).toEqual({ breaking: [], added: [] });
  });
});
