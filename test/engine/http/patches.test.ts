import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type Answer, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aUser, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { tally } from '../../support/fixtures/tally.js';

const JSON_PATCH = 'application/json-patch+json';
const TYPES = 'application/json, application/merge-patch+json, application/json-patch+json';

describeOnEachEngine('patches', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  function patch(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return store.call('PATCH', path, { body, headers: { 'content-type': JSON_PATCH, ...headers } });
  }

  it.each(['application/merge-patch+json', 'application/json; charset=utf-8'])(
    'can be merge patches, sent as %s',
    async (type) => {
      const { id } = await create(store);
      const headers = { 'content-type': type };
      const { body } = await store.call('PATCH', `/api/products/${id}`, { body: { price: 3 }, headers });
      expect(body).toEqual({ id, name: 'Chai', price: 3, in_stock: true });
    },
  );

  const present = async (path: string) => {
    const { body, headers } = await store.call('GET', path);
    return { body, etag: headers.get('etag') };
  };
  /** Sends a patch that must change nothing. */
  const patchInVain = async (...request: Parameters<typeof patch>): Promise<Answer> => {
    const before = await present(request[0]);
    const answer = await patch(...request);
    expect(await present(request[0])).toEqual(before);
    return answer;
  };

  it('have their types listed by OPTIONS and in the refusal of another type', async () => {
    for (const [path, row] of [
      ['/api/products', await create(store)],
      ['/api/users', await createUser(store)],
      ['/api/orders', await placeOrder(store)],
    ] as const) {
      const options = await store.call('OPTIONS', `${path}/${row.id}`);
      expect(options.headers.get('accept-patch')).toBe(TYPES);
      const refused = await patch(`${path}/${row.id}`, {}, { 'content-type': 'application/xml' });
      expect([refused.status, refused.headers.get('accept-patch')]).toEqual([415, TYPES]);
    }
    // The last two paths look like the paths of a product and of a user, but have other operations.
    for (const path of ['/api/products', '/api/products/batch', '/api/v2/users/me']) {
      expect((await store.call('OPTIONS', path)).headers.get('accept-patch')).toBeNull();
    }
  });

  it('ignore members that are not defined for an operation', async () => {
    const { id } = await create(store, { price: 18 });
    const path = '/price';
    const passed = await patch(`/api/products/${id}`, [
      { op: 'test', path, value: 18, from: '/nowhere' },
      { op: 'replace', path, value: 17, from: 1.5, note: 'cheaper' },
    ]);
    expect([passed.status, passed.body]).toMatchObject([200, { price: 17 }]);
    const failed = await patch(`/api/products/${id}`, [{ op: 'test', path, value: 18, from: '/name' }]);
    expect([failed.status, failed.body]).toMatchObject([409, { code: 'PATCH_CONFLICT' }]);
  });

  it('apply all operations in their order', async () => {
    const { id } = await create(store, { name: 'Chai', price: 18 });
    const { status, body } = await patch(`/api/products/${id}`, [
      { op: 'test', path: '/price', value: 18 },
      { op: 'replace', path: '/price', value: 17.25 },
      { op: 'add', path: '/old', value: { price: 12 } },
      { op: 'test', path: '/old', value: { price: 12 } },
      { op: 'copy', from: '/old/price', path: '/price' },
      { op: 'remove', path: '/old' },
      { op: 'move', from: '/name', path: '/note' },
      { op: 'add', path: '/name', value: 'Green tea' },
      { op: 'remove', path: '/note' },
      { op: 'test', path: '', value: { id, name: 'Green tea', price: 12, in_stock: true } },
    ]);
    expect([status, body]).toEqual([200, { id, name: 'Green tea', price: 12, in_stock: true }]);
    expect((await store.call('GET', `/api/products/${id}`)).body).toEqual(body);
  });

  it('accept the empty path, which means the whole resource', async () => {
    const product = await create(store);
    const value = { ...product, price: 4 };
    const { body } = await patch(`/api/products/${product.id}`, [{ op: 'replace', path: '', value }]);
    expect(body).toEqual(value);
  });

  it('change a user with pointers that do not begin with /user, and change the status of an order', async () => {
    const { id, email } = await createUser(store);
    const user = await patch(`/api/users/${id}`, [{ op: 'replace', path: '/name', value: 'Grace' }]);
    expect(user.body).toEqual({ user: { id, name: 'Grace', email } });
    const order = await placeOrder(store);
    const moved = await patch(`/api/orders/${order.id}`, [
      { op: 'test', path: '/items/0/quantity', value: 1 },
      { op: 'replace', path: '/status', value: 'paid' },
    ]);
    expect([moved.status, moved.body.status]).toEqual([200, 'paid']);
    const illegal = await patch(`/api/orders/${order.id}`, [
      { op: 'replace', path: '/status', value: 'pending' },
    ]);
    expect([illegal.status, illegal.body.code]).toEqual([409, 'ILLEGAL_STATUS']);
  });

  it('let a user without the scope cancel its own order, but not set the status `paid`', async () => {
    const order = await placeOrder(store);
    const key = await createKey(store, [], order.user_id);
    const send = (value: string) =>
      store.call('PATCH', `/api/orders/${order.id}`, {
        key,
        headers: { 'content-type': JSON_PATCH },
        body: [{ op: 'replace', path: '/status', value }],
      });
    expect((await send('paid')).status).toBe(403);
    expect((await send('cancelled')).body.status).toBe('cancelled');
  });

  it('write only the members that they change', async () => {
    const { id } = await create(store);
    const before = await store.call('GET', `/api/products/${id}`);
    const same = await patch(`/api/products/${id}`, [{ op: 'replace', path: '/price', value: 18 }]);
    expect(same.headers.get('etag')).toBe(before.headers.get('etag'));
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, n) =>
        patch(`/api/products/${id}`, [{ op: 'replace', path: '/name', value: `Name ${n}` }]),
      ),
      ...Array.from({ length: 10 }, (_, n) =>
        patch(`/api/products/${id}`, [{ op: 'replace', path: '/price', value: n + 100 }]),
      ),
    ]);
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 20 });
    const { headers, body } = await store.call('GET', `/api/products/${id}`);
    expect(headers.get('etag')).toMatch(/^"21-/);
    expect([body.name.slice(0, 5), body.price >= 100]).toEqual(['Name ', true]);
  });

  it('succeed only once if twenty of them test the same price', async () => {
    const { id } = await create(store);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        patch(`/api/products/${id}`, [
          { op: 'test', path: '/price', value: 18 },
          { op: 'replace', path: '/price', value: n + 100 },
        ]),
      ),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 19 });
  });

  it('that are sent again get the first answer, although their test would fail now', async () => {
    const { id } = await create(store);
    const headers = { 'idempotency-key': `patch-${id}` };
    const operations = [
      { op: 'test', path: '/price', value: 18 },
      { op: 'replace', path: '/price', value: 19 },
    ];
    const first = await patch(`/api/products/${id}`, operations, headers);
    const again = await patch(`/api/products/${id}`, operations, headers);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await patch(`/api/products/${id}`, [{ op: 'remove', path: '/name' }], headers);
    expect(other.status).toBe(422);
  });

  it('are refused if they set the status that the order already has, and accepted if they set no status', async () => {
    for (const version of ['v1', 'v2']) {
      const { id } = await placeOrder(store);
      const path = `/api/${version}/orders/${id}`;
      const { body: shown } = await store.call('GET', path);
      for (const operations of [
        [{ op: 'replace', path: '/status', value: 'pending' }],
        [{ op: 'add', path: '/status', value: 'pending' }],
        [{ op: 'copy', from: '/status', path: '/status' }],
        [{ op: 'replace', path: '', value: shown }],
      ]) {
        const { status, body } = await patch(path, operations);
        expect([status, body.code]).toEqual([409, 'ILLEGAL_STATUS']);
      }
      const merged = await store.call('PATCH', path, { body: { status: 'pending' } });
      expect([merged.status, merged.body.code]).toEqual([409, 'ILLEGAL_STATUS']);
      for (const operations of [
        [],
        [{ op: 'test', path: '/status', value: 'pending' }],
        [{ op: 'replace', path: '/total', value: shown.total }],
      ]) {
        const { status, body } = await patch(path, operations);
        expect([status, body]).toEqual([200, shown]);
      }
    }
  });

  describe('of a row that does not exist', () => {
    const GONE = 987_654;

    it.each<[string, string, unknown, string]>([
      ['v1/products', '/price', '3', 'WRONG_TYPE'],
      ['v1/products', '/price', -1, 'TOO_SMALL'],
      ['v1/products', '/colour', 'red', 'UNKNOWN_MEMBER'],
      ['v1/products', '/id', 7, 'READ_ONLY'],
      ['v2/products', '/price', 3, 'WRONG_TYPE'],
      ['v2/products', '/price', { amount: 3, currency: 'EUR' }, 'WRONG_VALUE'],
      ['v2/products', '/created_at', 7, 'WRONG_TYPE'],
      ['v1/users', '/email', 'nobody', 'PATTERN'],
      ['v2/users', '/password', 'correct horse battery', 'NOT_ALLOWED'],
      ['v1/orders', '/status', 'lost', 'NOT_ALLOWED'],
      ['v2/orders', '', { status: 'lost' }, 'NOT_ALLOWED'],
    ])('in %s are refused for a bad value at %s, before the row is read', async (what, path, value, code) => {
      const { status, body } = await patch(`/api/${what}/${GONE}`, [{ op: 'add', path, value }]);
      expect([status, body.errors?.[0]?.code]).toEqual([400, code]);
    });

    it.each<[string, unknown[]]>([
      ['a valid patch', [{ op: 'replace', path: '/price', value: 3 }]],
      [
        'a bad value that a later operation replaces',
        [
          { op: 'add', path: '/price', value: 'x' },
          { op: 'replace', path: '/price', value: 3 },
        ],
      ],
      [
        'a bad value that a later operation moves away',
        [
          { op: 'add', path: '/price', value: 'x' },
          { op: 'move', from: '/price', path: '/note' },
        ],
      ],
      ['a pointer to an unknown member', [{ op: 'replace', path: '/colour', value: 'red' }]],
      ['a test', [{ op: 'test', path: '/price', value: 'x' }]],
      ['a fault that depends on the row', [{ op: 'replace', path: '/price/amount', value: 'x' }]],
    ])('are answered with 404: %s', async (_what, operations) => {
      expect((await patch(`/api/products/${GONE}`, operations)).status).toBe(404);
    });

    it('need fewer rights to cancel an order than to set another status', async () => {
      const { id: userId } = await createUser(store);
      const key = await createKey(store, [], userId);
      const send = (value: string) =>
        store.call('PATCH', `/api/orders/${GONE}`, {
          key,
          headers: { 'content-type': JSON_PATCH },
          body: [{ op: 'replace', path: '/status', value }],
        });
      expect([(await send('lost')).status, (await send('paid')).status]).toEqual([400, 403]);
      expect((await send('cancelled')).status).toBe(404);
    });
  });

  it('are refused for a bad value, and not for a failing test before it', async () => {
    const { id } = await create(store);
    const { status, body } = await patch(`/api/products/${id}`, [
      { op: 'test', path: '/price', value: 1 },
      { op: 'replace', path: '/price', value: 'x' },
    ]);
    expect([status, body.errors[0].pointer]).toEqual([400, '#/price']);
  });

  describe('are refused without a change:', () => {
    let doubling: unknown[];
    beforeAll(() => {
      doubling = [
        { op: 'add', path: '/x', value: ['x'.repeat(1000)] },
        ...Array.from({ length: 90 }, () => ({ op: 'copy', from: '/x', path: '/x/0' })),
      ];
    });

    it.each<[string, unknown, number, string, string]>([
      ['a test that fails', [{ op: 'test', path: '/price', value: '18' }], 409, '#/0/value', 'TEST_FAILED'],
      [
        'a pointer to a missing member',
        [{ op: 'remove', path: '/colour' }],
        409,
        '#/0/path',
        'NOTHING_THERE',
      ],
      [
        'a place in a missing member',
        [{ op: 'add', path: '/colour/red', value: 1 }],
        409,
        '#/0/path',
        'NOTHING_THERE',
      ],
      ['a place in a text', [{ op: 'add', path: '/name/x', value: 1 }], 409, '#/0/path', 'NOTHING_THERE'],
      [
        'a place in a number',
        [{ op: 'copy', from: '/name', path: '/price/x' }],
        409,
        '#/0/path',
        'NOTHING_THERE',
      ],
      [
        'the length of a text',
        [{ op: 'copy', from: '/name/length', path: '/price' }],
        409,
        '#/0/from',
        'NOTHING_THERE',
      ],
      ['a test without a value', [{ op: 'test', path: '/toString' }], 400, '#/0/value', 'REQUIRED'],
      [
        'a member that every object inherits',
        [{ op: 'copy', from: '/toString', path: '/name' }],
        409,
        '#/0/from',
        'NOTHING_THERE',
      ],
      ['a prototype', [{ op: 'add', path: '/__proto__/admin', value: true }], 400, '#/0/path', 'NOT_ALLOWED'],
      [
        'a constructor',
        [{ op: 'add', path: '/constructor/prototype/x', value: 1 }],
        400,
        '#/0/path',
        'NOT_ALLOWED',
      ],
      ['a path that is not a pointer', [{ op: 'remove', path: 'name' }], 400, '#/0/path', 'FORMAT'],
      ['an unknown operation', [{ op: 'swap', path: '/name' }], 400, '#/0/op', 'NOT_ALLOWED'],
      ['an operation that is not an object', [7], 400, '#/0', 'WRONG_TYPE'],
      ['a patch that is not a list', { price: 3 }, 400, '#', 'WRONG_TYPE'],
      [
        'too many operations',
        Array.from({ length: 101 }, () => ({ op: 'remove', path: '/x' })),
        400,
        '#',
        'TOO_MANY',
      ],
      [
        'a value of the wrong type',
        [{ op: 'add', path: '/price', value: '3' }],
        400,
        '#/price',
        'WRONG_TYPE',
      ],
      [
        'an unknown member',
        [{ op: 'add', path: '/colour', value: 'red' }],
        400,
        '#/colour',
        'UNKNOWN_MEMBER',
      ],
      ['another id', [{ op: 'replace', path: '/id', value: 987654 }], 400, '#/id', 'READ_ONLY'],
      ['a removed member', [{ op: 'remove', path: '/price' }], 400, '#/price', 'REQUIRED'],
      ['a list instead of the product', [{ op: 'replace', path: '', value: [] }], 400, '#', 'WRONG_TYPE'],
    ])('%s', async (_what, operations, status, pointer, code) => {
      const product = await create(store);
      const answer = await patchInVain(`/api/products/${product.id}`, operations);
      expect(answer.status).toBe(status);
      expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code })]);
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it('a path into null, and paths to items that a list does not have', async () => {
      const product = await create(store);
      const inNull = [{ op: 'add', path: '/description/x', value: 1 }];
      expect((await patchInVain(`/api/v2/products/${product.id}`, inNull)).status).toBe(409);
      const order = await placeOrder(store);
      for (const step of ['7', 'x', '1e0', '01', '-1', '']) {
        const operations = [{ op: 'add', path: `/items/${step}`, value: {} }];
        const { status, body } = await patchInVain(`/api/v2/orders/${order.id}`, operations);
        expect([step, status, body.code]).toEqual([step, 409, 'PATCH_CONFLICT']);
      }
    });

    it('copies that grow exponentially', async () => {
      const { id } = await create(store);
      const { status, body } = await patchInVain(`/api/products/${id}`, doubling);
      expect([status, body.errors[0].code]).toEqual([400, 'TOO_LARGE']);
    });

    it('copies that double the depth', async () => {
      const { id } = await create(store);
      // Each `copy` puts a copy of `/x` into `/x`, one level deeper for each "/".
      const operations: object[] = [{ op: 'add', path: '/x', value: {} }];
      for (let depth = 1; depth < 13_000; depth += Math.min(depth, 990)) {
        operations.push({ op: 'copy', from: '/x', path: `/x${'/'.repeat(Math.min(depth, 990))}` });
      }
      const { status, body } = await patchInVain(`/api/products/${id}`, operations);
      expect([status, body.errors]).toEqual([
        400,
        [
          {
            pointer: '#/5',
            code: 'TOO_DEEP',
            detail: 'must not make the resource deeper than 32 levels; it would be 33 levels deep',
          },
        ],
      ]);
    });

    it.each([
      ['add', (value: unknown) => [{ op: 'add', path: '/x/0/0', value }]],
      ['replace', (value: unknown) => [{ op: 'replace', path: '/x/0/0', value }]],
      [
        'move',
        (value: unknown) => [
          { op: 'add', path: '/x/1', value },
          { op: 'move', from: '/x/1', path: '/x/0/0' },
        ],
      ],
      [
        'copy',
        (value: unknown) => [
          { op: 'add', path: '/x/1', value },
          { op: 'copy', from: '/x/1', path: '/x/0/0' },
        ],
      ],
    ])('a resource of 33 levels, made by %s', async (_op, operationsWith) => {
      const { id } = await create(store);
      for (const [levels, code] of [
        [29, 'UNKNOWN_MEMBER'],
        [30, 'TOO_DEEP'],
      ] as const) {
        const value = JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
        const start = { op: 'add', path: '/x', value: [[7]] };
        const { status, body } = await patchInVain(`/api/products/${id}`, [start, ...operationsWith(value)]);
        expect([status, body.errors[0].code]).toEqual([400, code]);
      }
    });

    it('a pointer that is longer than the contract allows', async () => {
      const { id } = await create(store);
      for (const member of ['path', 'from']) {
        const operation = { op: 'copy', from: '/name', path: '/name', [member]: `/${'x'.repeat(1000)}` };
        const { status, body } = await patchInVain(`/api/products/${id}`, [operation]);
        expect([status, body.errors]).toMatchObject([400, [{ pointer: `#/0/${member}`, code: 'TOO_LONG' }]]);
      }
    });

    it.each([
      ['move', 'into itself', [{ op: 'move', from: '', path: '/x' }], 409],
      ['move', 'of the whole resource to its own place', [{ op: 'move', from: '', path: '' }], 200],
      ['copy', 'of the whole resource into itself', [{ op: 'copy', from: '', path: '/x' }], 400],
      ['remove', 'of the whole resource', [{ op: 'remove', path: '' }], 400],
      [
        'test',
        'of a deep value',
        [{ op: 'test', path: '', value: JSON.parse('['.repeat(30) + ']'.repeat(30)) }],
        409,
      ],
    ])('%s %s, unless it changes nothing', async (_op, _what, operations, expected) => {
      const { id } = await create(store);
      expect((await patchInVain(`/api/products/${id}`, operations)).status).toBe(expected);
    });

    it.each(['application/merge-patch+json', JSON_PATCH])('a body that is too deep: %s', async (type) => {
      const { id } = await create(store);
      const body = `{"name":${'['.repeat(8_000)}${']'.repeat(8_000)}}`;
      const headers = { 'content-type': type };
      const { status, body: problem } = await patchInVain(`/api/products/${id}`, body, headers);
      expect([status, problem.errors]).toMatchObject([400, [{ pointer: '#', code: 'TOO_DEEP' }]]);
    });

    it('a password, which no representation has', async () => {
      const { id } = await createUser(store);
      const value = 'correct horse battery';
      const { status, body } = await patchInVain(`/api/users/${id}`, [
        { op: 'add', path: '/password', value },
      ]);
      expect([status, body.errors[0].pointer]).toEqual([400, '#/password']);
    });

    it('the e-mail address of another user', async () => {
      const { email } = await createUser(store);
      const { id } = await createUser(store, aUser());
      const { body } = await patchInVain(`/api/users/${id}`, [
        { op: 'replace', path: '/email', value: email },
      ]);
      expect(body.code).toBe('EMAIL_TAKEN');
    });

    it('an outdated entity tag, before the patch is checked', async () => {
      const { id } = await create(store);
      const headers = { 'if-match': '"9-v1-0"' };
      const { status } = await patchInVain(`/api/products/${id}`, [{ op: 'remove', path: '/x' }], headers);
      expect(status).toBe(412);
    });
  });
});
