import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CredentialChanges } from '../../../src/engine/access/credential-changes.js';
import { Database } from '../../../src/engine/database/database.js';
import { raw, run, sql } from '../../../src/engine/database/sql.js';
import { OPERATIONS } from '../../../src/generated/operations.js';
import { ExpiredRecords } from '../../../src/engine/idempotency/idempotency-records.purge.js';
import { ADMIN_KEY, startApp, type Answer, type Call, type TestApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword } from '../../support/clients/basic.js';
import { CONTRACT, type ContractOperation } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aProduct, aUser, create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { goodBody, goodPath } from '../../support/clients/requests.js';

const KEYED = CONTRACT.filter(({ method }) => method === 'POST' || method === 'PATCH');

let keys = 0;
/** A key that no request has sent. */
const aKey = (): string => `key-${(keys += 1)}`;
const withKey = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more });
const isReplayed = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';
const shown = ({ status, text, headers }: Answer) => [
  status,
  text,
  ...['etag', 'location', 'cache-control', 'content-type'].map((name) => headers.get(name)),
];

it('Idempotency-Key is accepted by every POST and PATCH of the contract, and by nothing else', () => {
  const takers = Object.values(OPERATIONS).filter(
    ({ headers }) => headers && 'Idempotency-Key' in headers.kinds,
  );
  expect(takers.map(({ id }) => id).toSorted()).toEqual(
    KEYED.map(({ operationId }) => operationId).toSorted(),
  );
});

describeOnEachEngine('Idempotency-Key', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const database = () => store.app.get(Database, { strict: false });
  const post = (key: string, body: unknown, call: Call = {}) =>
    store.call('POST', '/api/products', { ...call, body, headers: withKey(key, call.headers) });
  const count = async (path: string): Promise<number> =>
    Number((await store.call('GET', `${path}?limit=1`)).headers.get('x-total-count'));
  const good = async ({ operationId }: ContractOperation): Promise<[string, unknown]> => [
    await goodPath(store, operationId),
    await goodBody(store, operationId),
  ];

  describe.each(KEYED.map((operation) => [operation.operationId, operation] as const))(
    '%s',
    (_id, operation) => {
      it('is done only once, and a repeated request gets the same answer', async () => {
        const [path, body] = await good(operation);
        const table = `/${path.split('/').slice(1, 4).join('/')}`;
        const headers = withKey(aKey());
        const first = await store.call(operation.method, path, { body, headers });
        expect([first.status < 300, isReplayed(first)]).toEqual([true, false]);
        const rows = await count(table);
        const again = await store.call(operation.method, path, { body, headers });
        expect(isReplayed(again)).toBe(true);
        expect(shown(again)).toEqual(shown(first));
        expect(await count(table)).toBe(rows);
        const another = await store.call(operation.method, path, { body, headers: withKey(aKey()) });
        expect(isReplayed(another)).toBe(false);
      });
    },
  );

  it('is the same with and without quotes', async () => {
    const key = aKey();
    const { body } = await post(`"${key}"`, aProduct());
    const again = await post(key, aProduct());
    expect([isReplayed(again), again.body]).toEqual([true, body]);
    const { body: odd } = await post(String.raw`"a \"b\", \\ c"`, aProduct());
    expect((await post(String.raw`"a \"b\", \\ c"`, aProduct())).body).toEqual(odd);
  });

  it.each([
    '',
    ' ',
    '""',
    'a b',
    'a,b',
    '"a',
    'a"',
    '"a", "b"',
    'ä',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`,
  ])('is refused with the value «%s»', async (key) => {
    const before = await count('/api/products');
    const { status, body } = await post(key, aProduct());
    expect([status, body.errors[0].parameter]).toEqual([400, 'Idempotency-Key']);
    expect(await count('/api/products')).toBe(before);
  });

  it('recognises the same request with another order of members, with other blanks, and with defaults written out', async () => {
    const key = aKey();
    const first = await post(key, '{"name": "Chai", "price": 18}');
    const again = await post(key, '{ "in_stock": true, "price": 18.0, "name": "Chai" }');
    expect([isReplayed(again), again.text]).toEqual([true, first.text]);
    const alias = await store.call('POST', '/api/v1/products', { body: aProduct(), headers: withKey(key) });
    expect([isReplayed(alias), alias.text]).toEqual([true, first.text]);
  });

  it('refuses another body, another row and another If-Match with 422, and changes nothing', async () => {
    const [one, other] = [await create(store), await create(store)];
    const { headers } = await store.call('GET', `/api/products/${one.id}`);
    const key = withKey(aKey(), { 'if-match': headers.get('etag') as string });
    const patch = (id: number, body: unknown, more: Record<string, string> = {}) =>
      store.call('PATCH', `/api/products/${id}`, { body, headers: { ...key, ...more } });
    expect((await patch(one.id, { price: 1 })).status).toBe(200);
    const others = [
      await patch(one.id, { price: 2 }),
      await patch(other.id, { price: 1 }),
      await patch(one.id, { price: 1 }, { 'if-match': '*' }),
    ];
    for (const { status, body } of others) {
      expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    expect((await store.call('GET', `/api/products/${other.id}`)).body.price).toBe(18);
    expect(isReplayed(await patch(one.id, { price: 1 }))).toBe(true);
  });

  it('belongs to one caller and one operation', async () => {
    const key = aKey();
    const callers = [ADMIN_KEY, await createKey(store, ['admin']), await createKey(store, ['admin'])];
    const ids = new Set<number>();
    for (const caller of callers) ids.add((await post(key, aProduct(), { key: caller })).body.id as number);
    expect(ids.size).toBe(3);
    const user = await createUserWithPassword(store);
    for (const call of [asBasic(user.email), { key: await createKey(store, [], user.id) }]) {
      const path = `/api/users/${user.id}`;
      const headers = { ...call.headers, ...withKey(key) };
      const answer = await store.call('PATCH', path, { ...call, body: { name: 'Ada' }, headers });
      expect([answer.status, isReplayed(answer)]).toEqual([200, false]);
    }
  });

  it('is free again after a refusal', async () => {
    const key = aKey();
    const taken = await createUser(store);
    const send = (body: unknown, more: Call = {}) =>
      store.call('POST', '/api/users', { ...more, body, headers: withKey(key) });
    expect((await send({ name: '' })).status).toBe(400);
    expect((await send(aUser(), { key: await createKey(store, []) })).status).toBe(403);
    expect((await send(aUser({ email: taken.email }))).status).toBe(409);
    const body = aUser();
    expect((await send(body)).status).toBe(201);
    expect(isReplayed(await send(body))).toBe(true);

    const product = await create(store);
    const patch = (id: number, ifMatch: string) =>
      store.call('PATCH', `/api/products/${id}`, {
        body: { price: 2 },
        headers: withKey(key, { 'if-match': ifMatch }),
      });
    expect((await patch(987_654, '*')).status).toBe(404);
    expect((await patch(product.id, '"77-v1-x"')).status).toBe(412);
    expect((await patch(product.id, '*')).status).toBe(200);
  });

  it('gives the first answer, even if the row has changed', async () => {
    const { id } = await create(store);
    const path = `/api/products/${id}`;
    const etag = (await store.call('GET', path)).headers.get('etag') as string;
    const call = { body: { price: 2 }, headers: withKey(aKey(), { 'if-match': etag }) };
    const first = await store.call('PATCH', path, call);
    await store.call('PATCH', path, { body: { price: 3 } });
    const again = await store.call('PATCH', path, call);
    expect([isReplayed(again), ...shown(again)]).toEqual([true, ...shown(first)]);
    await store.call('DELETE', path);
    expect(shown(await store.call('PATCH', path, call))).toEqual(shown(first));
    expect((await store.call('GET', path)).status).toBe(404);
  });

  it('is ignored by operations that do not have it', async () => {
    const { id } = await create(store);
    const path = `/api/products/${id}`;
    const headers = withKey('not, a key');
    expect((await store.call('GET', path, { headers })).status).toBe(200);
    const put = { body: { name: 'Chang', price: 19, in_stock: true }, headers };
    for (let n = 0; n < 2; n += 1) expect(isReplayed(await store.call('PUT', path, put))).toBe(false);
    expect((await store.call('DELETE', path, { headers })).status).toBe(204);
    expect((await store.call('DELETE', path, { headers })).status).toBe(404);
  });

  it('requires the rights again for a repeated request', async () => {
    const order = await placeOrder(store);
    const { id: user } = await createUser(store);
    const writer = await createKey(store, ['orders:write'], user);
    const path = `/api/orders/${order.id}`;
    const call = { key: writer, body: { status: 'cancelled' }, headers: withKey(aKey()) };
    expect((await store.call('PATCH', path, call)).status).toBe(200);
    expect(isReplayed(await store.call('PATCH', path, call))).toBe(true);
    const id = Number(writer.split('_')[1]);
    // Without the scope, the user may cancel only their own orders.
    const changes = store.app.get(CredentialChanges, { strict: false });
    await database().unitOfWork.run(function* (tx) {
      yield* run(sql`UPDATE api_keys SET scopes = '' WHERE id = ${id}`);
      yield* changes.note(tx);
    });
    const fewer = await store.call('PATCH', path, call);
    expect([fewer.status, fewer.body.code, fewer.text.includes('items')]).toEqual([403, 'FORBIDDEN', false]);
    await store.call('DELETE', `/api/api-keys/${id}`);
    expect((await store.call('PATCH', path, call)).status).toBe(401);
  });

  it('leaves no readable data in the table of its records', async () => {
    const key = 'a-very-special-key';
    const headers = withKey(key);
    const body = { name: 'Special till', scopes: [] };
    const made = await store.call('POST', '/api/api-keys', { body, headers });
    const user = aUser({ name: 'Special Ada' });
    await store.call('POST', '/api/users', { body: { ...user, password: 'special correct horse' }, headers });
    const secret = (made.body.key as string).replace(/^sk_\d+_/, '');
    const rows = JSON.stringify(await database().reads.all(raw('SELECT * FROM idempotency_records', [])));
    expect(rows).toContain('fingerprint');
    for (const text of [key, secret, body.name, user.name, user.email, 'special correct horse', 'Special']) {
      for (const encoding of ['utf8', 'base64url', 'hex'] as const) {
        expect(rows).not.toContain(Buffer.from(text).toString(encoding));
      }
    }
    expect((await store.call('POST', '/api/api-keys', { body, headers })).body.key).toBe(made.body.key);
  });

  it('expires after 24 hours, and one purge removes all expired keys, even if it needs several steps', async () => {
    const [ended, alive] = [aKey(), aKey()];
    const first = await post(ended, aProduct());
    const other = await post(alive, aProduct());
    const { unitOfWork, reads } = database();
    const rows = async () =>
      (await reads.all<{ id: string }>(sql`SELECT id FROM idempotency_records`)).length;
    const [record] = await reads.all<{ expires_at: Date | number }>(
      sql`SELECT expires_at FROM idempotency_records ORDER BY expires_at DESC LIMIT 1`,
    );
    const hours = (new Date(record?.expires_at ?? 0).getTime() - Date.now()) / 3_600_000;
    expect([hours > 23.9, hours <= 24]).toEqual([true, true]);

    await unitOfWork.run(() => run(sql`UPDATE idempotency_records SET expires_at = ${new Date()}`));
    const anew = await post(ended, aProduct({ name: 'Chang' }));
    expect([anew.status, isReplayed(anew), anew.body.id === first.body.id]).toEqual([201, false, false]);
    expect(isReplayed(await post(ended, aProduct({ name: 'Chang' })))).toBe(true);

    await unitOfWork.run(function* () {
      for (let n = 0; n < 1100; n += 1) {
        yield* run(sql`
          INSERT INTO idempotency_records (id, fingerprint, result, expires_at)
          VALUES (${`old ${n}`}, '', '', ${new Date(n)})`);
      }
    });
    await store.app.get(ExpiredRecords, { strict: false }).purge.run();
    expect(await rows()).toBe(1);
    expect(isReplayed(await post(ended, aProduct({ name: 'Chang' })))).toBe(true);
    const again = await post(alive, aProduct());
    expect([isReplayed(again), again.body.id === other.body.id]).toEqual([false, false]);
  });

  it('has a record, which is removed together with the user whose data it contains', async () => {
    const rows = async () =>
      (await database().reads.all(sql`SELECT id FROM idempotency_records WHERE user_id IS NOT NULL`)).length;
    await database().unitOfWork.run(() => run(sql`DELETE FROM idempotency_records`));
    const body = aUser();
    const { id } = (await store.call('POST', '/api/users', { body, headers: withKey(aKey()) })).body.user;
    const own = await createKey(store, ['admin'], id as number);
    await post(aKey(), aProduct(), { key: own });
    const key = { name: 'Till', user_id: id as number };
    await store.call('POST', '/api/api-keys', { body: key, headers: withKey(aKey()) });
    const { id: product } = await create(store);
    const order = { user_id: id as number, items: [{ product_id: product, quantity: 1 }] };
    await store.call('POST', '/api/orders', { body: order, headers: withKey(aKey()) });
    expect(await rows()).toBe(4);
    await store.call('DELETE', `/api/users/${id}?anonymise=true`);
    expect(await rows()).toBe(0);
  });

  it('lets only one of 30 concurrent requests create a row, and gives the others the same answer or 409', async () => {
    const key = aKey();
    const before = await count('/api/products');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => post(key, aProduct({ name: 'Once' }))),
    );
    const created = answers.filter((answer) => answer.status === 201 && !isReplayed(answer));
    expect(created).toHaveLength(1);
    for (const { status, headers, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE', '1']);
    }
    for (let n = 0; n < 5; n += 1) {
      const again = await post(key, aProduct({ name: 'Once' }));
      expect([isReplayed(again), again.text]).toEqual([true, created[0]?.text]);
    }
    expect(await count('/api/products')).toBe(before + 1);
  });

  it('keeps orders and stock correct if every request is sent three times at once', async () => {
    const { id } = await create(store);
    await store.call('PUT', `/api/products/${id}/stock`, { body: { quantity: 7 } });
    const { id: user } = await createUser(store);
    const order = (key: string, user_id: number) =>
      store.call('POST', '/api/orders', {
        body: { user_id, items: [{ product_id: id, quantity: 1 }] },
        headers: withKey(key),
      });
    const wanted = Array.from({ length: 10 }, aKey);
    await Promise.all(wanted.flatMap((key) => [1, 2, 3].map(() => order(key, user))));
    const answers = [];
    for (const key of wanted) answers.push(await order(key, user));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(answers.filter(({ body }) => body.code === 'OUT_OF_STOCK')).toHaveLength(3);
    expect((await store.call('GET', `/api/users/${user}/orders`)).body).toHaveLength(7);
    expect((await store.call('GET', `/api/products/${id}/stock`)).body.quantity).toBe(0);
  });
});
