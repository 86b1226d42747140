import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { validate } from '../../src/engine/contract/validate.js';
import { faultsOf, openapi, sdl, type Tree } from './contracts.ts';
import { execute, type Generated } from './generated.ts';
import { valuesFor, type Schema } from './values.ts';
import { sampled } from '../support/sampled.js';

const closed = { additionalProperties: false };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/**
 * Schemas of request bodies for which code is difficult to generate. The contract of `awkward` has an operation for
 * most of these schemas.
 */
const SCHEMAS: Record<string, Schema> = {
  Scalars: {
    type: 'object',
    ...closed,
    required: ['text', 'price'],
    properties: {
      text: { type: 'string', minLength: 2, maxLength: 3 },
      price: { type: 'number', minimum: 0, maximum: 10_000_000, multipleOf: 0.01 },
      step: { type: 'number', multipleOf: 0.05 },
      whole: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 3 },
      small: { type: 'integer', format: 'int32' },
      flag: { allOf: [{ type: 'boolean', default: true }] },
      fixed: { const: 3 },
      kind: { enum: ['a', '', 'naïve\u0000', 'card'] },
      numbers: { type: 'number', enum: [1, 1.5, 0.1] },
      pattern: { type: 'string', pattern: '^\\p{L}+$' },
    },
  },
  Nulls: {
    type: 'object',
    ...closed,
    required: ['maybe'],
    properties: {
      maybe: { type: ['string', 'null'], maxLength: 3 },
      choice: { type: ['string', 'null'], enum: ['a', null] },
      never: { type: ['string', 'null'], enum: ['a'] },
      nested: { oneOf: [ref('Nulls'), { type: 'null' }] },
      list: { type: ['array', 'null'], items: { type: ['integer', 'null'] }, maxItems: 2 },
    },
  },
  Lists: {
    type: 'object',
    ...closed,
    properties: {
      matrix: {
        type: 'array',
        items: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1 } },
      },
      unique: { type: 'array', uniqueItems: true, minItems: 1, maxItems: 3, items: { type: 'string' } },
      deep: { type: 'array', uniqueItems: true, items: { type: 'array', items: { type: 'number' } } },
      lines: { type: 'array', items: ref('Scalars'), maxItems: 2 },
    },
  },
  Maps: {
    type: 'object',
    ...closed,
    minProperties: 1,
    maxProperties: 2,
    properties: {
      words: {
        type: 'object',
        minProperties: 1,
        maxProperties: 2,
        additionalProperties: { type: 'string', maxLength: 3 },
      },
      objects: { type: 'object', additionalProperties: ref('Scalars') },
      lists: { type: 'object', additionalProperties: { type: 'array', items: ref('Nulls') } },
    },
  },
  Tree: {
    type: 'object',
    ...closed,
    required: ['name'],
    properties: { name: ref('Word'), left: ref('Tree'), children: { type: 'array', items: ref('Tree') } },
  },
  Ahead: {
    type: 'object',
    ...closed,
    required: ['tree'],
    properties: { tree: ref('Tree'), back: { oneOf: [ref('Ahead'), { type: 'null' }] } },
  },
  Word: ref('Text') as Schema,
  Text: { type: 'string', minLength: 1 },
  Named: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 1 }, note: { type: 'string' } },
  },
  Merged: {
    type: 'object',
    unevaluatedProperties: false,
    allOf: [
      ref('Named'),
      {
        type: 'object',
        required: ['name', 'size'],
        properties: { name: { maxLength: 3 }, size: { type: 'number' } },
      },
    ],
    required: ['note'],
    properties: { size: { type: 'integer', minimum: 1 }, note: { type: 'string', maxLength: 1 } },
  },
  Card: {
    type: 'object',
    ...closed,
    required: ['kind', 'number'],
    properties: { kind: { const: 'card' }, number: { type: 'string', minLength: 1 } },
  },
  Cash: {
    type: 'object',
    ...closed,
    required: ['kind'],
    properties: { kind: { type: 'string', enum: ['a'] }, given: { type: 'number' } },
  },
  Payment: {
    type: 'object',
    ...closed,
    required: ['by'],
    properties: {
      by: {
        oneOf: [ref('Card'), ref('Cash')],
        discriminator: { propertyName: 'kind', mapping: { card: '#/components/schemas/Card', a: 'Cash' } },
      },
      others: {
        type: 'array',
        items: {
          oneOf: [ref('Card'), ref('Cash'), { type: 'null' }],
          discriminator: { propertyName: 'kind' },
        },
      },
    },
  },
  Odd: {
    type: 'object',
    additionalProperties: true,
    required: ['the name'],
    properties: {
      'the name': { type: 'string' },
      'a/b~c': { type: 'integer' },
      class: { type: 'boolean' },
      ünï: { type: 'number' },
      "it's": { type: 'string', enum: ["'", '"', '\\', '`${x}`', '*/'] },
    },
  },
  ReadBack: {
    type: 'object',
    ...closed,
    properties: {
      id: { type: 'integer', minimum: 1, readOnly: true },
      secret: { type: 'string', writeOnly: true },
    },
  },
  Formats: {
    type: 'object',
    ...closed,
    properties: Object.fromEntries(
      ['date-time', 'date', 'email', 'uri', 'uri-reference', 'uuid'].map((format) => [
        format.replace('-', '_'),
        { type: 'string', format },
      ]),
    ),
  },
};
const BODIES = ['Ahead', 'Scalars', 'Nulls', 'Lists', 'Maps', 'Tree', 'Merged', 'Payment', 'Odd', 'ReadBack'];

function awkward(): Tree {
  const api = openapi();
  const plain = api as unknown as {
    paths: Record<string, unknown>;
    components: { schemas: Record<string, unknown> };
  };
  Object.assign(plain.components.schemas, SCHEMAS);
  const id = { name: 'id', in: 'path', required: true, description: 'x', schema: { type: 'integer' } };
  for (const name of [...BODIES, 'Formats']) {
    plain.paths[`/${name}/{id}`] = {
      parameters: [id],
      post: {
        operationId: `send${name}`,
        description: 'x',
        tags: ['x'],
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema: ref(name), example: {} } } },
        responses: { 204: { description: 'x' } },
      },
    };
  }
  return api;
}

const ajv = new Ajv2020({ strict: false, allErrors: true, multipleOfPrecision: 9 });
(formats as unknown as (instance: Ajv2020) => void)(ajv);
const root = { components: { schemas: SCHEMAS } };

/** The places of the faults that ajv finds, in our notation. */
function judge(name: string, value: unknown): string[] | null {
  const check =
    ajv.getSchema(name) ?? ajv.compile({ $id: name, $ref: `#/components/schemas/${name}`, ...root });
  if (check(value) === true) return null;
  return (check.errors ?? []).map(({ instancePath, params }) => {
    const { missingProperty, additionalProperty, unevaluatedProperty } = params as Record<
      string,
      string | undefined
    >;
    const member = missingProperty ?? additionalProperty ?? unevaluatedProperty;
    const escaped = member?.replaceAll('~', '~0').replaceAll('/', '~1');
    return `#${instancePath}${escaped === undefined ? '' : `/${escaped}`}`;
  });
}

describe('generated classes', () => {
  let generated: Promise<Generated> | undefined;
  const classOf = async (name: string): Promise<new () => object> => {
    generated ??= execute(awkward(), sdl());
    return (await generated).dtos[name] as new () => object;
  };

  it.each(sampled(BODIES, 5))(
    'check values of %s like ajv, and find faults only at places where ajv finds them',
    async (name) => {
      const dto = await classOf(name);
      const verdicts = { good: 0, bad: 0 };
      for (const value of valuesFor(SCHEMAS[name] ?? {}, root, 42, 3000)) {
        const expected = judge(name, value);
        const result = validate(dto, structuredClone(value), 'body');
        const found = 'faults' in result ? result.faults : null;
        const places = (found ?? []).map(({ pointer }) => decodeURIComponent(pointer ?? ''));
        verdicts[found === null ? 'good' : 'bad'] += 1;
        // The value is compared too, so that a failure shows it.
        expect([value, found === null]).toEqual([value, expected === null]);
        expect([value, places.filter((place) => expected?.includes(place) !== true)]).toEqual([value, []]);
        expect(new Set(places).size).toBe(places.length);
      }
      expect(Math.min(verdicts.good, verdicts.bad)).toBeGreaterThan(25);
    },
  );

  it('create instances of nested classes, and keep the given members', async () => {
    const [payment, card] = [await classOf('Payment'), await classOf('Card')];
    const plain = { by: { kind: 'card', number: '1' }, others: [null, { kind: 'card', number: '2' }] };
    const result = validate(payment, plain, 'body') as { value: typeof plain };
    expect(result.value).toBeInstanceOf(payment);
    expect(result.value.by).toBeInstanceOf(card);
    expect(result.value.others[1]).toBeInstanceOf(card);
    expect(JSON.parse(JSON.stringify(result.value))).toEqual(plain);
  });

  it('keep members of any name in open objects', async () => {
    const plain = JSON.parse('{"the name":"x","constructor":1,"__proto__":2,"toString":3}') as object;
    const result = validate(await classOf('Odd'), plain, 'body') as { value: object };
    expect(JSON.parse(JSON.stringify(result.value))).toEqual(plain);
  });

  it('accept amounts of money with two decimals, and refuse a third decimal', async () => {
    const dto = await classOf('Scalars');
    for (let cents = 0; cents <= 1_000_000_000; cents += 999_983) {
      const price = Number(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
      expect(validate(dto, { text: 'ab', price }, 'body')).toHaveProperty('value');
      expect(validate(dto, { text: 'ab', price: price + 0.001 }, 'body')).toHaveProperty('faults');
    }
  });

  it.each([
    [
      'date_time',
      [
        '2026-11-21T08:44:54Z',
        '2026-11-21t08:44:54.123456+02:30',
        '2016-12-31T23:59:60Z',
        '2017-01-01T00:59:60+01:00',
      ],
      [
        '2026-11-21',
        '2026-11-21T08:44:54',
        '2026-11-21T24:00:00Z',
        '2026-02-30T00:00:00Z',
        '2026-11-21T08:44:60Z',
        '2026-13-01T00:00:00Z',
        '',
      ],
    ],
    [
      'date',
      ['2024-02-29', '2000-02-29', '2026-12-31'],
      ['2026-02-29', '1900-02-29', '2026-00-10', '2026-1-1', '2026-11-31'],
    ],
    [
      'email',
      ['a@b.co', "o'neil+x@sub.example.org"],
      ['a', 'a@', '@b.co', 'a b@c.de', 'a..b@c.de', 'a@-b.de', `${'a'.repeat(5000)}@`],
    ],
    [
      'uri',
      ['https://a.example/b?c#d', 'urn:isbn:1', 'http://[::1]:80/', 'mailto:a@b.co', 'a:/b%20c'],
      ['/a', 'a', 'http://a b', 'a:%zz', ''],
    ],
    [
      'uri_reference',
      ['/a/b', '../c?d', '', '#x', '//host/p', 'https://a.example', 'a/b:c'],
      ['a b', '\\\\x', '%', 'é', '<a>'],
    ],
    [
      'uuid',
      ['0f8fad5b-d9cb-469f-a165-70867728950e', '0F8FAD5B-D9CB-469F-A165-70867728950E'],
      ['0f8fad5bd9cb469fa16570867728950e', '0f8fad5b-d9cb-469f-a165-70867728950g'],
    ],
  ])('check the format of %s like ajv', async (member, good, bad) => {
    const dto = await classOf('Formats');
    for (const [values, expected] of [
      [good, true],
      [bad, false],
    ] as const) {
      for (const value of values) {
        expect('value' in validate(dto, { [member]: value }, 'body')).toBe(expected);
        expect(judge('Formats', { [member]: value }) === null).toBe(expected);
      }
    }
  });

  it('refuse a number that is only almost a multiple, too large or not finite', async () => {
    const dto = await classOf('Scalars');
    const code = (member: string, value: unknown): unknown => {
      const result = validate(dto, { text: 'ab', price: 1, [member]: value }, 'body');
      return 'faults' in result ? result.faults[0]?.code : null;
    };
    expect(code('price', 0.1 + 0.2)).toBe('NOT_A_MULTIPLE');
    expect(code('small', 2 ** 53)).toBe('TOO_LARGE');
    expect(code('price', Infinity)).toBe('WRONG_TYPE');
    expect(code('price', NaN)).toBe('WRONG_TYPE');
    expect(code('step', 1e300)).toBe(null);
    expect(code('step', 1e14 + 0.03125)).toBe('NOT_A_MULTIPLE');
    expect(code('step', -0)).toBe(null);
  });

  it('are named in the route table', async () => {
    const { operations, dtos } = await (generated ?? execute(awkward(), sdl()));
    expect(operations['sendReadBack']?.['body']).toEqual({
      dto: dtos['ReadBack'],
      maxBytes: 16_384,
      mediaTypes: ['application/json'],
      required: true,
      readOnly: ['id'],
    });
  });

  it('have the bounds of a JSON patch and of its operations', async () => {
    const { files } = await execute(patched({ type: 'array', maxItems: 3, items: ref('Step') }), sdl());
    const dto = files.get('dto.ts');
    expect(dto).toMatch(
      /class Steps \{[\s\S]*?@Required\(list, maxItems\(3\), each\(object\)\)\s+operations!/,
    );
    expect(dto).toMatch(
      /class Step \{[\s\S]*?@Required\(text, oneOf\('add', 'drop'\)\)\s+op!: 'add' \| 'drop'/,
    );
    // Any value is good, so there is nothing to check.
    expect(dto).not.toMatch(/class Step \{[\s\S]*?value/);
  });

  it('are not generated for a JSON patch that is not a list of objects', async () => {
    const faults = await faultsOf(patched({ type: 'array', items: { type: 'string' } }));
    expect(faults.map(({ text }) => text)).toContain('a JSON patch must be a list of objects');
  });
});

/** The contract with an operation that accepts a JSON patch. */
function patched(steps: object): Tree {
  const api = openapi();
  const step = {
    type: 'object',
    additionalProperties: true,
    required: ['op'],
    properties: { op: { type: 'string', enum: ['add', 'drop'] }, value: { description: 'Any.' } },
  };
  Object.assign(api['components']?.['schemas'] ?? {}, { Step: step, Steps: steps });
  const content = {
    'application/json': { schema: ref('ThingCreate'), example: { name: 'x' } },
    'application/json-patch+json': { schema: ref('Steps') },
  };
  const operation = api['paths']?.['/api/v1/things']?.['post'];
  Object.assign(operation?.['requestBody'] ?? {}, { content });
  Object.assign(operation?.['responses'] ?? {}, { 409: { description: 'The patch does not fit.' } });
  return api;
}
