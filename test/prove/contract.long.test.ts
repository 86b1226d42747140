import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { events } from '../../prove/contract/events.js';
import { GraphqlProver } from '../../prove/contract/graphql.js';
import { Prover } from '../../prove/contract/prover.js';
import { startTarget, type Target } from '../../prove/contract/run.js';

/** The parsed contract, which a test changes. */
// oxlint-disable-next-line typescript/no-explicit-any
type Document = any;

/** The name of the change, the requested operation, the change, and the expected message. */
const OPENAPI: readonly (readonly [string, string, (document: Document) => void, RegExp])[] = [
  [
    'a wrong type in an answer',
    'getProduct',
    ({ components: { schemas } }) => (schemas.Product.properties.id = { type: 'string' }),
    /getProduct 200 as .*it\/id must be string/,
  ],
  [
    'a member that is missing in answers',
    'getProduct',
    ({ components: { schemas } }) => {
      schemas.Product.properties.sku = { type: 'string' };
      schemas.Product.required.push('sku');
    },
    /must have required property 'sku'/,
  ],
  [
    'a member that is not declared',
    'getProduct',
    ({ components: { schemas } }) => {
      delete schemas.Product.properties.price;
      schemas.Product.required = ['id', 'name', 'in_stock'];
    },
    /must NOT have additional properties/,
  ],
  [
    'a bound that is wider than that of the service',
    'createProduct',
    ({ components: { schemas } }) => (schemas.ProductName.maxLength = 201),
    /must answer 201 to .*, not 400/,
  ],
  [
    'a bound that is narrower than that of the service',
    'listProducts',
    ({ components: { parameters } }) => (parameters.Limit.schema.maximum = 50),
    /must answer 400 to limit beyond a bound, not 200/,
  ],
  [
    'a member that is no longer required',
    'createProduct',
    ({ components: { schemas } }) => (schemas.ProductCreate.required = ['name']),
    /must answer 201 to .*, not 400/,
  ],
  [
    'a status that is not documented',
    'getProduct',
    ({ paths }) => delete paths['/api/v1/products/{id}'].get.responses['404'],
    /does not document the status 404/,
  ],
  [
    'refusals that are not documented',
    'getProduct',
    ({ paths }) => delete paths['/api/v1/products/{id}'].get.responses.default,
    /does not document the status 414/,
  ],
  [
    'a status that never occurs',
    'getProduct',
    ({ paths }) => (paths['/api/v1/products/{id}'].get.responses['402'] = { description: 'Pay first.' }),
    /never answered: getProduct 402/,
  ],
  [
    'a wrong scope',
    'createProduct',
    ({ paths }) => (paths['/api/v1/products'].post.security = [{ apiKey: ['orders:read'] }]),
    /must answer 201 to a valid request, not 403|must answer 403 .* not 201/,
  ],
  [
    'a value that is null, although the contract does not allow null',
    'getProductStock',
    ({ components: { schemas } }) => (schemas.StockQuantity.type = 'integer'),
    /quantity must be integer/,
  ],
  [
    'a wrong value of an enum',
    'listOrders',
    ({ components: { schemas } }) => (schemas.OrderStatus.enum = ['lost']),
    /must answer 200 to .*, not 400/,
  ],
  [
    'a media type of an answer that is not documented',
    'listProducts',
    ({ paths }) => delete paths['/api/v1/products'].get.responses['200'].content['text/csv'],
    /has the media type «text\/csv»/,
  ],
  [
    'a wrong media type of a body',
    'createProduct',
    ({ paths: { '/api/v1/products': products } }) => {
      const { content } = products.post.requestBody;
      products.post.requestBody.content = { 'text/csv': content['application/json'] };
    },
    /must answer \d+ .* not 415|must answer 415 .* not/,
  ],
  [
    'a header that is missing in answers',
    'getProduct',
    ({ paths }) => {
      const header = { description: 'None.', schema: { type: 'string' } };
      paths['/api/v1/products/{id}'].get.responses['200'].headers['X-Version'] = header;
    },
    /lacks the header X-Version/,
  ],
  [
    'a header that is not declared',
    'createProduct',
    ({ paths }) => delete paths['/api/v1/products'].post.responses['201'].headers['Location'],
    /createProduct 201 has the header location, which it does not document/,
  ],
  [
    'an address that the service does not have',
    'getProduct',
    ({ paths }) => (paths['/api/v1/products/{id}']['x-alias'] = '/api/v3/products/{id}'),
    /getProduct must answer \d+ to .*, not 404/,
  ],
  [
    'a member that is missing only in a page',
    'getProduct',
    ({ paths, components: { schemas } }) => {
      const { Product } = schemas;
      const required = [...Product.required, 'sku'];
      const properties = { ...Product.properties, sku: { type: 'string' } };
      const schema = { ...Product, required, properties };
      paths['/api/v1/products/{id}'].get.responses['200'].content['text/html'] = { schema };
    },
    /getProduct 200 as text\/html: .*'sku'/,
  ],
  [
    'a member that only the events of a stream have',
    'listEvents',
    ({ paths, components: { schemas } }) => {
      const { EventPage, Event } = schemas;
      const items = { ...Event, properties: { ...Event.properties, version: { type: 'string' } } };
      const data = { ...EventPage.properties.data, items };
      const schema = { ...EventPage, properties: { ...EventPage.properties, data } };
      paths['/api/v1/events'].get.responses['200'].content['text/event-stream'] = { schema };
    },
    /listEvents 200 as text\/event-stream: .*version must be string/,
  ],
  [
    'a bound below the largest number of results',
    'changeProducts',
    ({ components: { schemas } }) => (schemas.ProductBatchAnswer.properties.results.maxItems = 900),
    /it\/results must NOT have more than 900 items/,
  ],
  [
    'a parameter that the service does not have',
    'getProduct',
    ({ paths }) =>
      paths['/api/v1/products/{id}'].get.parameters.push({
        name: 'colour',
        in: 'query',
        required: true,
        schema: { type: 'string', enum: ['red'] },
      }),
    /must answer 200 to .*, not 400/,
  ],
  [
    'a unique value that the contract does not call unique',
    'createUser',
    ({ components: { schemas } }) => delete schemas.User['x-unique'],
    /must answer 201 to .*, not 409/,
  ],
  [
    'a value that the contract calls unique, although it is not',
    'createProduct',
    ({ components: { schemas } }) => (schemas.Product['x-unique'] = { EMAIL_TAKEN: ['name'] }),
    /must answer 409 to a conflict with stored rows, not 201/,
  ],
  [
    'a wrong code of a conflict',
    'updateOrder',
    ({ paths }) => (paths['/api/v1/orders/{id}'].patch['x-conflicts'] = ['API_KEY_ENDED']),
    /updateOrder must .* not (200|ILLEGAL_STATUS)/,
  ],
  [
    'a wrong code for a missing row',
    'createOrder',
    ({ components: { schemas } }) =>
      (schemas.OrderItemCreate.properties.product_id['x-refers'].code = 'NOT_FOUND'),
    /must answer 404 to product_id of a row that does not exist, not 400/,
  ],
  [
    'a reference that does not prevent the deletion of its row',
    'deleteProduct',
    ({ components: { schemas } }) =>
      (schemas.OrderItemCreate.properties.product_id['x-refers'].keeps = 'USER_HAS_ORDERS'),
    /No request could be made for deleteProduct, a conflict with stored rows, USER_HAS_ORDERS/,
  ],
];

const SDL: readonly (readonly [string, string, RegExp, string, RegExp])[] = [
  [
    'a wrong type',
    'Query.product',
    /(type Product \{[\s\S]*?price: )Float/,
    '$1String',
    /is 18, which is no String/,
  ],
  [
    'a field that is null, although the contract does not allow null',
    'Query.product',
    /(type Product \{[\s\S]*?description: String)/,
    '$1!',
    /description is null, and must not be/,
  ],
  [
    'a wrong type of a moment',
    'Query.product',
    /(type Product \{[\s\S]*?createdAt: )DateTime/,
    '$1Int',
    /which is no Int/,
  ],
  [
    'a field that the service does not have',
    'Query.product',
    /(type Product \{)/,
    '$1 colour: String',
    /must not refuse/,
  ],
  [
    'an argument that the service does not have',
    'Query.product',
    /(product\()/,
    '$1 colour: String! ',
    /must not refuse/,
  ],
  [
    'an argument that is no longer required',
    'Mutation.createUser',
    /(createUser\([\s\S]*?email: String)!/,
    '$1',
    /must not refuse/,
  ],
  [
    'a bound that is wider than that of the service',
    'Query.users',
    /(users\([\s\S]*?limit: Int = 20 @constraint\(minimum: 1, maximum: 100)/,
    '$10',
    /must not refuse/,
  ],
  [
    'in an input, a bound that is wider than that of the service',
    'Mutation.createOrder',
    /(quantity: Int! @constraint\(minimum: 1, maximum: 1000)0/,
    '$11',
    /must not refuse/,
  ],
  [
    'a wrong scope',
    'Mutation.createProduct',
    /(createProduct\([\s\S]*?@auth\(scopes: \["products:)write/,
    '$1read',
    /must not refuse|must refuse .* not (403|serve)/,
  ],
  [
    'access for everybody to a field that needs a scope',
    'Query.users',
    /(users\([\s\S]*?\]) @auth\(scopes: \["users:read"\]\)/,
    '$1 @public',
    /must not refuse|must refuse .* not 401/,
  ],
  [
    'a value of an enum that the service does not have',
    'Query.products',
    /(enum ProductSort \{)/,
    '$1 COLOUR_ASC',
    /must not refuse/,
  ],
  [
    'a wrong scope below the root',
    'Query.user',
    /(orders\("The largest[\s\S]*?@auth\(scopes: \["orders:)read/,
    '$1write',
    /user\/orders (is shown|is refused|is null|must)/,
  ],
  [
    'a wrong owner below the root',
    'Query.user',
    /(orders\("The largest[\s\S]*?owner: "parent\.)id/,
    '$1version',
    /user\/orders (is|must)/,
  ],
  [
    'a wrong owner of the rows of a list',
    'Query.orders',
    /(orders\(\s*"The number of the page[\s\S]*?owner: "row\.)userId/,
    '$1id',
    /Query\.orders shows the user \d+ a row of/,
  ],
  [
    'a wrong owner of the events of a subscription',
    'Subscription.orderStatusChanged',
    /(orderStatusChanged\([\s\S]*?owner: "row\.)userId/,
    '$1id',
    /orderStatusChanged shows the user \d+ a row of/,
  ],
  [
    'a wrong cost of a field',
    'Query.product',
    /(stock: Int @cost\(weight: )2/,
    '$13',
    /Query\.product says that it costs \d+, but it costs \d+/,
  ],
  [
    'a wrong cost of an argument',
    'Query.products',
    /(inStock: Boolean @cost\(weight: )200/,
    '$1100',
    /Query\.products says that it costs \d+, but it costs \d+/,
  ],
  [
    'a wrong size of a list',
    'Query.order',
    /(items: \[OrderItem!\]! @listSize\(assumedSize: )10/,
    '$111',
    /Query\.order says that it costs \d+, but it costs \d+/,
  ],
  [
    'a cursor that may not be 0',
    'Subscription.newOrder',
    /(newOrder\([\s\S]*?after: ID) @constraint\(minimum: 0\)/,
    '$1',
    /must refuse the after 0 with 400/,
  ],
  [
    'a wrong value of an enum in an event',
    'Subscription.productChanged',
    /(enum ProductChange [^{]*\{\s*"[^"]*"\s*)created/,
    '$1made',
    /which is no ProductChange/,
  ],
];

/** The name of the change, the change in the schemas of events, and the expected message. */
const EVENTS: readonly (readonly [string, (schemas: Document) => void, RegExp])[] = [
  [
    'a missing type of events of users',
    ({ EventType }) => (EventType.enum = EventType.enum.filter((type: string) => type !== 'user.anonymised')),
    /listEvents 200 as application\/json: .*type must be equal to one of the allowed values/,
  ],
  [
    'a type of events that never occurs',
    ({ EventType }) => EventType.enum.push('order.lost'),
    /listEvents never shows order\.lost/,
  ],
];

/** The answers that an ordinary request does not get (`prove/contract/faults.ts`). They are not tested here. */
const BY_FAULTS = / (408|410|428|429|431|500|503)$| IDEMPOTENCY_KEY_IN_USE$/;
const REQUESTS = 300;

describe('a fault of a contract', () => {
  const ending = new AbortController();
  const undoing: (() => unknown)[] = [];
  let target: Target;
  let openapi: string;
  let sdl: string;
  beforeAll(async () => {
    [openapi, sdl] = await Promise.all([
      readFile('openapi.yaml', 'utf8'),
      readFile('schema.graphql', 'utf8'),
    ]);
    target = await startTarget('sqlite', 7, {
      signal: ending.signal,
      atEnd: (undo) => undoing.push(undo),
    });
  });
  afterAll(async () => {
    ending.abort();
    for (const undo of undoing) await undo();
  });

  async function proveRest(text: string, operation: string, requests = REQUESTS): Promise<void> {
    const prover = new Prover(text, [operation], target.world);
    await prover.each();
    await prover.random(requests);
    const missing = prover.missing().filter((pair) => !BY_FAULTS.test(pair));
    if (missing.length > 0) throw new Error(`never answered: ${missing.join(', ')}`);
  }

  async function proveGraphql(text: string, field: string, requests = REQUESTS): Promise<void> {
    const prover = new GraphqlProver(text, [field], target.world);
    await prover.each();
    await prover.random(requests);
  }

  it.each(OPENAPI)('is found in openapi.yaml: %s (%s)', async (_what, operation, mutate, reason) => {
    const document: Document = parse(openapi);
    mutate(document);
    await expect(proveRest(JSON.stringify(document), operation)).rejects.toThrow(reason);
  });

  it.each(SDL)('is found in schema.graphql: %s (%s)', async (_what, field, pattern, text, reason) => {
    const mutant = sdl.replace(pattern, text);
    expect(mutant).not.toBe(sdl);
    await expect(proveGraphql(mutant, field)).rejects.toThrow(reason);
  });

  it.each(EVENTS)('is found in the events of openapi.yaml: %s', async (_what, mutate, reason) => {
    const document: Document = parse(openapi);
    mutate(document.components.schemas);
    const prover = new Prover(JSON.stringify(document), ['listEvents'], target.world);
    await expect(events({ ...target, prover })).rejects.toThrow(reason);
  });

  it('is not found in the events of an unchanged contract', async () => {
    const prover = new Prover(openapi, ['listEvents', 'listEventsV2'], target.world);
    await expect(events({ ...target, prover })).resolves.toBeUndefined();
  });

  it('is not found in the unchanged contracts', async () => {
    for (const id of ['createProduct', 'getProduct', 'setProductStock']) {
      await expect(proveRest(openapi, id, 20)).resolves.toBeUndefined();
    }
    for (const id of ['Query.product', 'Mutation.createUser']) {
      await expect(proveGraphql(sdl, id, 20)).resolves.toBeUndefined();
    }
  });
});
