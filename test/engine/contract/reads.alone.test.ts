import { buildSchema, getNamedType, isLeafType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SCHEMA_GRAPHQL } from '../../../src/engine/contract/documents.js';
import * as classes from '../../../src/generated/dto.js';
import { ROOTS } from '../../../src/engine/graphql/roots.js';
import { FIELDS, type Field } from '../../../src/generated/fields.js';
import { OPERATIONS, type Operation } from '../../../src/generated/operations.js';
import type { Dto, Member } from '../../../src/rules/members.js';
import { filledPath } from '../../../testkit/contract/good-requests.js';
import { aRequest } from '../../clients/requests.js';
import { goodArguments, requestsTo } from '../../support/clients/requests.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { openStream } from '../../support/clients/sse.js';
import { CONTRACT, type ContractOperation } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { forgetReads, observed, unread } from '../../support/fixtures/reads.js';

/*
 * The service ignores nothing that a contract declares. The real service gets one request for each operation and for
 * each field with arguments. The handler must read every declared parameter, member and argument by its name. The
 * exceptions are in `READ_ELSEWHERE` and `HEADERS`.
 */

type Decorator = (target: object, key: string, descriptor: PropertyDescriptor) => void;
type Handler = (...input: unknown[]) => unknown;

/** The real decorator, except that the handler gets an input whose reads are recorded. */
const observing = vi.hoisted(
  () =>
    <B extends (name: never) => unknown>(bind: B): B =>
      ((name: never): Decorator =>
        (target, key, descriptor) => {
          const handler = descriptor.value as Handler;
          descriptor.value = function (this: unknown, ...input: unknown[]) {
            return handler.apply(this, input.map(observed));
          };
          (bind(name) as Decorator)(target, key, descriptor);
        }) as unknown as B,
);
vi.mock('../../../src/engine/contract/operation.js', async (load) => {
  const original = await load<typeof import('../../../src/engine/contract/operation.js')>();
  return { ...original, Operation: observing(original.Operation) };
});
vi.mock('../../../src/engine/graphql/field.js', async (load) => {
  const original = await load<typeof import('../../../src/engine/graphql/field.js')>();
  const { RootField, TypeField } = original;
  return { ...original, RootField: observing(RootField), TypeField: observing(TypeField) };
});
vi.mock('../../../src/engine/graphql/subscription-field.js', async (load) => {
  const original = await load<typeof import('../../../src/engine/graphql/subscription-field.js')>();
  return { ...original, SubscriptionField: observing(original.SubscriptionField) };
});
// The handler of a batch validates the items itself. No operation or field names the classes of the items, so the reads
// of items are recorded here.
vi.mock('../../../src/engine/contract/validate.js', async (load) => {
  const original = await load<typeof import('../../../src/engine/contract/validate.js')>();
  const { OPERATIONS: rows } = await import('../../../src/generated/operations.js');
  const { FIELDS: fields } = await import('../../../src/generated/fields.js');
  const handed = new Set<unknown>([
    ...Object.values(rows).flatMap((row) => [row.path?.dto, row.query?.dto, row.headers?.dto, row.body?.dto]),
    ...Object.values(fields).map(({ args }) => args),
  ]);
  const validate: typeof original.validate = (dto, ...rest) => {
    const result = original.validate(dto, ...rest);
    return 'faults' in result || handed.has(dto) ? result : { value: observed(result.value) };
  };
  return { ...original, validate };
});

/** The members that no handler reads by name, each with the part of the service that reads it instead. */
const READ_ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/Query\.format$/, 'contract/codec.ts: it chooses the format of the answer'],
  [/Query\.fields$/, 'contract/list-answers.ts: it chooses the members of the answer'],
  [/Query\.cursor$/, 'contract/list.ts: the handler gets the position that the cursor names'],
  [/^Mutation\w+\.expectedVersion$/, 'graphql/field.ts: the handler gets it as the precondition'],
  [/^ProductBatch\w+\.op$/, 'products-batch.ts: it chooses the class of the item'],
  [/^ProductBatchUpdateV2\.(created|updated)_at$/, 'products-batch-forms.ts: they are compared with the row'],
];

/** The header parameters that the engine handles in every operation that declares them. */
const HEADERS: Readonly<Record<string, string>> = {
  'If-Match': 'contract/entity-tag.ts',
  'If-None-Match': 'contract/entity-tag.ts and contract/caching.ts',
  'If-Modified-Since': 'contract/caching.ts',
  'If-Unmodified-Since': 'contract/entity-tag.ts',
  'Idempotency-Key': 'contract/context-for.ts',
  'Last-Event-ID': 'contract/live-answer.ts',
  Prefer: 'contract/preference.ts',
};

const ROWS: readonly Operation[] = Object.values(OPERATIONS);
const SCHEMA = buildSchema(SCHEMA_GRAPHQL);
const WITH_ARGUMENTS = Object.keys(FIELDS).filter((name) => FIELDS[name]?.args);

describeOnEachEngine('the handler of an operation or field', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  it.each(ROWS.map((row) => [row.id, row] as const))('%s reads all of its input', async (_id, row) => {
    expect(await ignoredBy(store, row)).toEqual([]);
  });

  it.each(WITH_ARGUMENTS)('%s reads all of its arguments', async (name) => {
    expect(await ignoredByField(store, name)).toEqual([]);
  });

  describe('an input that no handler reads', () => {
    it.each([
      ['parameter of a list', 'listProducts', classes.ListProductsQuery],
      ['parameter of a list in version 2', 'listOrdersV2', classes.ListOrdersV2Query],
      ['parameter of an export', 'exportOrders', classes.ExportOrdersQuery],
      ['member of a body', 'updateUser', classes.UserUpdate],
      ['member of an object in a list', 'createOrder', classes.OrderItemCreate],
      ['member of an object in a body', 'createProductV2', classes.ProductPrice],
      ['member of an item of a batch', 'changeProducts', classes.ProductBatchUpdate],
    ] as const)('is found: a %s', async (_what, id, dto) => {
      const ignored = await declaring(dto, 'made_up', () => ignoredBy(store, OPERATIONS[id]));
      expect(ignored).toEqual([`${dto.name}.made_up`]);
    });

    it('is found: a filter that the client sends', async () => {
      const ignored = await declaring(classes.ListProductsQuery, 'made_up', async () => {
        forgetReads();
        const { status } = await store.call('GET', '/api/v1/products?made_up=2');
        return [status, ...unread([], isReadElsewhere)];
      });
      expect(ignored).toEqual([200, 'ListProductsQuery.made_up']);
    });

    it.each([
      ['Query.orders', classes.QueryOrdersArgs],
      ['Query.usersConnection', classes.QueryUsersConnectionArgs],
      ['Mutation.updateProduct', classes.MutationUpdateProductArgs],
      ['Mutation.updateUser', classes.MutationUpdateUserArgs],
      ['Mutation.createOrder', classes.OrderItemInput],
      ['Subscription.productChanged', classes.SubscriptionProductChangedArgs],
      ['User.orders', classes.UserOrdersArgs],
    ] as const)('is found: an argument of %s', async (name, dto) => {
      const ignored = await declaring(dto, 'made_up', () => ignoredByField(store, name));
      expect(ignored).toEqual([`${dto.name}.made_up`]);
    });
  });
});

describe('a header parameter', () => {
  it.each(ROWS.flatMap(({ id, headers }) => Object.keys(headers?.kinds ?? {}).map((name) => [name, id])))(
    '%s of %s is in the list of the headers that the engine handles',
    (name) => {
      expect(Object.keys(HEADERS)).toContain(name);
    },
  );
});

describe('each entry of READ_ELSEWHERE', () => {
  it.each(READ_ELSEWHERE)('%s names something that is declared', (pattern) => {
    const declared = Object.values(classes).flatMap((dto: Dto) =>
      [...dto.shape.members.keys()].map((name) => `${dto.name}.${name}`),
    );
    expect(declared.some((name) => pattern.test(name))).toBe(true);
  });
});

describe('a member of an input', () => {
  class Inner {
    static readonly shape = { members: new Map([['c', {}]]), open: false, minMembers: 0, maxMembers: 1 };
    c = 1;
  }
  class Outer {
    static readonly shape = {
      members: new Map<string, Member>([
        ['a', {}],
        ['b', {}],
      ]),
      open: false,
      minMembers: 0,
      maxMembers: 2,
    };
    a = 1;
    b = [new Inner()];
  }
  // The test copies objects of this type. The linter would refuse copies of objects of the class itself.
  type Members = Pick<Outer, 'a' | 'b'>;
  let outer: Members;
  beforeEach(() => {
    forgetReads();
    outer = observed(new Outer());
  });

  it('counts as read when it is read by its name', () => {
    const { a } = outer;
    expect([a, unread()]).toEqual([1, ['Outer.b']]);
  });

  it('counts as read when it is read by its name from an item of a list, even in a copy of the input', () => {
    const [copy] = { ...outer }.b;
    expect([copy?.c, unread()]).toEqual([1, ['Outer.a', 'Outer.b']]);
  });

  it.each<[string, (object: Members) => unknown]>([
    ['a copy', (object) => ({ ...object })],
    ['the rest', ({ ...rest }) => rest],
    ['Object.assign', (object) => Object.assign({}, object)],
    ['its values', (object) => Object.values(object)],
    ['its entries', (object) => Object.fromEntries(Object.entries(object))],
    ['JSON', (object) => JSON.stringify(object)],
  ])('does not count as read when it is read only by %s', (_what, take) => {
    const taken = take(outer);
    expect(unread()).toEqual(expect.arrayContaining(['Outer.a', 'Outer.b']));
    expect(JSON.stringify(taken)).toContain('1');
  });
});

/** Declares one more member during a request. */
async function declaring<T>(dto: Dto, name: string, request: () => Promise<T>): Promise<T> {
  const members = dto.shape.members as Map<string, Member>;
  members.set(name, {});
  try {
    return await request();
  } finally {
    members.delete(name);
  }
}

/** Sends a valid request to the operation, about a new row. Returns the inputs that the handler did not read. */
async function ignoredBy(store: TestApp, { id, path, query, body }: Operation): Promise<readonly string[]> {
  const operation = CONTRACT.find(({ operationId }) => operationId === id) as ContractOperation;
  const request = await aRequest(store, operation);
  const address = filledPath(operation.address, request.path ?? {});
  const given = Object.entries(request.query ?? {}).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  forgetReads();
  const { status } = await store.call(
    operation.method,
    `${address}?${new URLSearchParams(given).toString()}`,
    {
      key: request.key,
      ...(operation.hasBody && { body: request.body }),
    },
  );
  expect(status).toBe(request.status);
  const declared = [path?.dto, query?.isHanded ? query.dto : null, body?.dto].filter((dto) => dto != null);
  // No handler gets read-only members.
  const readOnly = new Set(body?.readOnly.map((name) => `${body.dto.name}.${name}`));
  return unread(declared, (name) => readOnly.has(name) || isReadElsewhere(name));
}

/** Sends an operation with the field and good arguments. Returns the arguments that the handler did not read. */
async function ignoredByField(store: TestApp, name: string): Promise<readonly string[]> {
  const { type, field, args } = FIELDS[name] as Field;
  const parent = SCHEMA.getType(type) as GraphQLObjectType;
  const { args: known, type: returned } = parent.getFields()[field] as GraphQLField<unknown, unknown>;
  const selected = isLeafType(getNamedType(returned)) ? '' : ' { __typename }';
  const given = await goodArguments(store, name);
  const used = known.filter((argument) => argument.name in given);
  const variables = inBrackets(used.map((argument) => `$${argument.name}: ${String(argument.type)}`));
  const selection = `${field}${inBrackets(used.map((argument) => `${argument.name}: $${argument.name}`))}${selected}`;
  const isRoot = ROOTS.has(type);
  const fields = isRoot
    ? selection
    : `${type.toLowerCase()}(id: ${(await requestsTo(store).make(type)).id}) { ${selection} }`;
  const query = `${isRoot ? type.toLowerCase() : 'query'} ${variables} { ${fields} }`;
  forgetReads();
  await run(store, type, { query, variables: given });
  return unread([args as Dto], isReadElsewhere);
}

function inBrackets(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `(${texts.join(', ')})`;
}

/** @throws Error when the operation fails */
async function run(
  store: TestApp,
  type: string,
  operation: { query: string; variables: Record<string, unknown> },
): Promise<void> {
  if (type === 'Subscription') {
    const stream = await openStream(store, '/graphql/stream', { body: operation });
    stream.leave();
    if (stream.status !== 200) throw new Error(`${operation.query} has the status ${stream.status}`);
    return;
  }
  const { errors } = (await store.graphql(operation.query, operation.variables)) as { errors?: unknown };
  if (errors !== undefined) throw new Error(`${operation.query} has errors: ${JSON.stringify(errors)}`);
}

function isReadElsewhere(name: string): boolean {
  return READ_ELSEWHERE.some(([pattern]) => pattern.test(name));
}
