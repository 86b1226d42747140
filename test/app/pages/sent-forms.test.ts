import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FORMS, type Field } from '../../../src/generated/forms.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { basic, createUserWithPassword, hashCheaply, PASSWORD } from '../../support/clients/basic.js';
import { entriesOf, sendForm, type Entries } from '../../support/clients/sent-form.js';

const ATTACK = '"><img src=x onerror=alert(1)>';

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ');

/** A parameter of the address that is a field of a form. */
const KEY_FIELD: Field = {
  name: 'id',
  label: 'Key',
  control: 'reference',
  required: true,
  nullable: false,
  hint: '',
};

describe('a form that a browser sends without a script', () => {
  let store: TestApp;
  let user: number;
  let authorization: string;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_RATE_LIMIT: 'anonymous=2000/min,caller=2000/min' });
    hashCheaply(store);
    const body = { name: 'Chai', price: { amount: 1800, currency: 'USD' } };
    await store.call('POST', '/api/v2/products', { body });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    const made = await createUserWithPassword(store);
    user = made.id;
    authorization = basic(made.email);
  });

  const open = async (path: string): Promise<string> => {
    const answer = await fetch(store.url + path, { headers: { accept: 'text/html', authorization } });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const send = (path: string, entries: Entries | string, headers: Record<string, string> = {}) =>
    sendForm(store.url, path, entries, { authorization, ...headers });
  const read = async <T>(path: string): Promise<T> => (await store.call('GET', path)).body as T;
  const order = async (): Promise<number> => {
    const body = { user_id: user, items: [{ product_id: 1, quantity: 1 }] };
    return ((await store.call('POST', '/api/v2/orders', { body })).body as { id: number }).id;
  };

  it('places an order, and the same form of the same page places no second order', async () => {
    const entries = entriesOf(await open('/api/v2/orders'), 'createOrderV2');
    expect(Object.keys(entries)).toContain('items.2.quantity');
    const filled = { ...entries, user_id: String(user), 'items.1.product_id': '1', 'items.1.quantity': '2' };
    const answers = [await send('/api/v2/orders', filled), await send('/api/v2/orders', filled)];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const [first, second] = answers.map(({ headers }) => headers.get('location'));
    expect(first).toMatch(/^\/api\/v2\/orders\/\d+$/);
    expect(second).toBe(first);
    expect(await read(first ?? '')).toMatchObject({ user_id: user, items: [{ product_id: 1, quantity: 2 }] });
    // The page now shows another state, so its form would place another order.
    const next = entriesOf(await open('/api/v2/orders'), 'createOrderV2');
    expect(next['_key']).not.toBe(entries['_key']);
  });

  it('shows each fault at its field, and keeps the entries', async () => {
    const entries = entriesOf(await open('/api/v2/orders'), 'createOrderV2');
    const answer = await send('/api/v2/orders', {
      ...entries,
      user_id: String(user),
      'items.0.product_id': '1',
      'items.0.quantity': 'many',
      'items.2.product_id': ATTACK,
      'items.2.quantity': '3',
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const page = await answer.text();
    expect(page).not.toContain(ATTACK);
    expect(page).toMatch(
      /name="items.0.quantity" aria-invalid="true"\s+aria-describedby="[^"]*-0-quantity-fault/,
    );
    expect(page).toMatch(/id="createOrderV2-items-1-product_id-fault">[^<]+</);
    const again = entriesOf(page, 'createOrderV2');
    expect(again).toMatchObject({
      user_id: String(user),
      'items.0.product_id': '1',
      'items.1.product_id': ATTACK,
      'items.1.quantity': '3',
    });
    expect(again['_key']).not.toBe(entries['_key']);
  });

  it('shows a fault at the field of a text that is too long, and does not cut the text', async () => {
    const path = `/api/v2/users/${user}`;
    const entries = entriesOf(await open(path), 'updateUserV2');
    const answer = await send(path, { ...entries, name: 'x'.repeat(250) });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toMatch(/id="updateUserV2-name-fault">[^<]*200 characters/);
    expect(entriesOf(page, 'updateUserV2')['name']).toBe('x'.repeat(250));
    const name = '🦀'.repeat(150);
    expect((await send(path, { ...entries, name })).status).toBe(303);
    expect(await read(path)).toMatchObject({ name });
  });

  it('shows a conflict at the field that causes the conflict', async () => {
    const id = await order();
    for (const status of ['paid', 'shipped'])
      await store.call('PATCH', `/api/v2/orders/${id}`, { body: { status } });
    const path = `/api/v2/orders/${id}`;
    const entries = entriesOf(await open(path), 'updateOrderV2');
    const answer = await send(path, { ...entries, status: 'cancelled' });
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toMatch(/name="status"[^>]* aria-invalid="true"/);
    expect(page).toMatch(/id="updateOrderV2-status-fault">[^<]*shipped[^<]*</);
    const other = await createUserWithPassword(store);
    const self = `/api/v2/users/${user}`;
    const refused = await send(self, {
      ...entriesOf(await open(self), 'updateUserV2'),
      email: other.email,
    });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toMatch(/id="updateUserV2-email-fault">Another user has/);
  });

  it('shows at the field of the user that visitors may order only for their own user', async () => {
    const other = await createUserWithPassword(store);
    const entries = entriesOf(await open('/api/v2/orders'), 'createOrderV2');
    const line = { 'items.0.product_id': '1', 'items.0.quantity': '1' };
    const answer = await send('/api/v2/orders', { ...entries, user_id: String(other.id), ...line });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(
      `id="createOrderV2-user_id-fault">must be ${user}, the id of your own user<`,
    );
  });

  it('shows each fault of a field with several lines, and keeps the lines and the chosen values', async () => {
    const path = '/api/v2/clients';
    const page = await (
      await fetch(store.url + path, { headers: { accept: 'text/html', 'x-api-key': ADMIN_KEY } })
    ).text();
    const entries = entriesOf(page, 'createClientV2');
    const lines = 'https://a.example/#b\r\nhttps://a.example/c\r\nhttps://*.example/';
    const sent = { ...entries, name: 'Reports', grant_types: 'authorization_code', redirect_uris: lines };
    const answer = await sendForm(store.url, path, sent, { 'x-api-key': ADMIN_KEY });
    const again = await answer.text();
    expect(again).toMatch(/redirect_uris-fault">line 1 [^<;]+; line 3 [^<;]+</);
    expect(entriesOf(again, 'createClientV2')).toMatchObject({
      grant_types: 'authorization_code',
      redirect_uris: lines,
    });
  });

  it('shows more lines when the visitor asks for them', async () => {
    const entries = entriesOf(await open('/api/v2/orders'), 'createOrderV2');
    const answer = await send('/api/v2/orders', {
      ...entries,
      'items.0.product_id': '1',
      'items.1.product_id': '1',
      _more: '1',
    });
    const again = entriesOf(await answer.text(), 'createOrderV2');
    expect(Object.keys(again).filter((name) => name.endsWith('.quantity'))).toHaveLength(5);
    expect(again).toMatchObject({ 'items.0.product_id': '1', 'items.1.product_id': '1' });
  });

  describe('with thousands of lines', () => {
    const lines = Array.from({ length: 2_900 }, (_, n): [string, string] => [`items.${n}.quantity`, '1']);
    const many = () =>
      new URLSearchParams([['_form', 'createOrderV2'], ['user_id', '1'], ...lines]).toString();

    it('names the maximum number of lines, and is shown again with this number of lines', async () => {
      const answer = await send('/api/v2/orders', many());
      expect(answer.status).toBe(400);
      const page = await answer.text();
      expect(textOf(page)).toMatch(/must have at most 100 items/);
      const again = entriesOf(page, 'createOrderV2');
      expect(Object.keys(again).filter((name) => name.endsWith('.quantity'))).toHaveLength(100);
      expect(page.length).toBeLessThan(500_000);
      const more = entriesOf(
        await (await send('/api/v2/orders', `${many()}&_more=1`)).text(),
        'createOrderV2',
      );
      expect(Object.keys(more).filter((name) => name.endsWith('.quantity'))).toHaveLength(100);
    });

    it('is read with only a few searches in the sent fields', async () => {
      const searches = (['get', 'getAll', 'has', Symbol.iterator, 'entries', 'forEach'] as const).map(
        (name) => vi.spyOn(URLSearchParams.prototype, name),
      );
      await send('/api/v2/orders', many());
      const count = searches.reduce((sum, { mock }) => sum + mock.calls.length, 0);
      for (const each of searches) each.mockRestore();
      expect(count).toBeLessThan(50);
    });
  });

  it('is not sent with more than 100 lines in a list without a maximum, and is shown again with 100', async () => {
    const items = FORMS.listOrdersV2
      ?.find(({ operation }) => operation === 'createOrderV2')
      ?.fields?.find(({ name }) => name === 'items') as { maxItems?: number };
    const { maxItems } = items;
    delete items.maxItems;
    try {
      const lines = Array.from({ length: 102 }, (_, n) => [`items.${n}.quantity`, '1']);
      const entries = { _form: 'createOrderV2', user_id: String(user), ...Object.fromEntries(lines) };
      const answer = await send('/api/v2/orders', entries as Entries);
      expect(answer.status).toBe(400);
      const page = await answer.text();
      expect(page).toMatch(/id="createOrderV2-items-fault">must have at most 100 lines in this form</);
      const again = entriesOf(page, 'createOrderV2');
      expect(Object.keys(again).filter((name) => name.endsWith('.quantity'))).toHaveLength(100);
    } finally {
      if (maxItems !== undefined) items.maxItems = maxItems;
    }
  });

  it('sorts the sent lines by their numbers, and ignores a list that the form does not have', async () => {
    const sent = {
      'items.9.quantity': '3',
      'items.2.quantity': '2',
      'others.1.name': 'x',
      'items.4.quantity': ' ',
    };
    const entries = { _form: 'createOrderV2', user_id: String(user), ...sent };
    const page = await (await send('/api/v2/orders', entries)).text();
    expect(entriesOf(page, 'createOrderV2')).toMatchObject({
      'items.0.quantity': '2',
      'items.1.quantity': '3',
      'items.2.quantity': '',
    });
    expect(page).not.toContain('others.');
  });

  it.each([
    ['an entity tag with a second header', { _etag: '"1-v1-00000000"\r\nX-API-Key: a' }],
    ['an entity tag that is too long', { _etag: `"${'a'.repeat(300)}"` }],
    ['values that are not JSON', { _base: '{' }],
    ['values that are not an object', { _base: '[]' }],
    ['values with thousands of levels', { _base: `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}` }],
  ])('is refused with %s', async (_what, hidden) => {
    const path = `/api/v2/users/${user}`;
    const entries = entriesOf(await open(path), 'updateUserV2');
    const answer = await send(path, { ...entries, name: 'Other', ...hidden });
    expect(answer.status).toBe(400);
    expect(textOf(await answer.text())).toContain('Open the page again');
    expect(await read(path)).not.toMatchObject({ name: 'Other' });
  });

  it.each(['name=%ff', 'name=%', 'name=%C3'])('is refused if it is not UTF-8: %s', async (text) => {
    const answer = await send(`/api/v2/users/${user}`, `_form=updateUserV2&${text}`);
    expect(answer.status).toBe(400);
    expect(textOf(await answer.text())).toContain('not valid UTF-8');
  });

  it('changes only the fields that the visitor changed, and reports a change by somebody else', async () => {
    const path = `/api/v2/users/${user}`;
    const entries = entriesOf(await open(path), 'updateUserV2');
    const { email = '' } = entries;
    const done = await send(path, { ...entries, name: 'Ada King' });
    expect([done.status, done.headers.get('location')]).toEqual([303, path]);
    expect(await read(path)).toMatchObject({ name: 'Ada King', email });

    const raced = await send(path, { ...entries, name: 'Ada Byron' });
    expect(raced.status).toBe(412);
    const page = await raced.text();
    expect(textOf(page)).toContain('Somebody changed this row while you were here');
    expect(textOf(page)).toContain('Name Ada King Ada Byron');
    expect(await read(path)).toMatchObject({ name: 'Ada King' });
    const again = entriesOf(page, 'updateUserV2');
    expect(again['name']).toBe('Ada Byron');
    expect((await send(path, again)).status).toBe(303);
    expect(await read(path)).toMatchObject({ name: 'Ada Byron', email });
    const { headers } = await send(path, entriesOf(await open(path), 'updateUserV2'));
    expect(headers.get('location')).toBe(path);
  });

  it('keeps the entries in all other fields, if the visitor accepts the change of somebody else', async () => {
    const path = `/api/v2/users/${user}`;
    const entries = entriesOf(await open(path), 'updateUserV2');
    const email = `ada.${user}@byron.example`;
    await store.call('PATCH', path, { body: { name: 'Ada King' } });
    const raced = await send(path, { ...entries, name: 'Ada Byron', email });
    expect(raced.status).toBe(412);
    const page = await raced.text();
    // The key Enter presses the first button, which saves the entries.
    const [, theirs = ''] =
      /<button>Save<\/button>\s*<button[^>]* name="_theirs" value="([^"]*)" formnovalidate>/.exec(page) ?? [];
    expect(theirs).toBe('name');
    const taken = await send(path, { ...entriesOf(page, 'updateUserV2'), _theirs: theirs });
    expect(taken.status).toBe(200);
    const shown = await taken.text();
    expect(textOf(shown)).toContain('Your other entries are still here.');
    const again = entriesOf(shown, 'updateUserV2');
    expect(again).toMatchObject({ name: 'Ada King', email });
    expect((await send(path, again)).status).toBe(303);
    expect(await read(path)).toMatchObject({ name: 'Ada King', email });
  });

  it('cancels an order of the user', async () => {
    const id = await order();
    const path = `/api/v2/orders/${id}`;
    const entries = entriesOf(await open(path), 'updateOrderV2');
    expect(entries['status']).toBe('pending');
    expect((await send(path, { ...entries, status: 'cancelled' })).status).toBe(303);
    expect(await read(path)).toMatchObject({ status: 'cancelled' });
    const refused = await send(path, { ...entriesOf(await open(path), 'updateOrderV2'), status: 'paid' });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(textOf(await refused.text())).toMatch(/cancelled|scope|status/);
  });

  it('deletes a user only after a confirmation, and only in the state that the page has shown', async () => {
    const path = `/api/v2/users/${user}`;
    const entries = entriesOf(await open(path), 'deleteUserV2');
    const asked = await send(path, entries);
    expect(asked.status).toBe(400);
    const page = await asked.text();
    expect(textOf(page)).toContain('Nothing was deleted');
    expect((await store.call('GET', path)).status).toBe(200);
    await store.call('PATCH', path, { body: { name: 'Ada Changed' } });
    const raced = await send(path, { ...entriesOf(page, 'deleteUserV2'), _sure: 'yes' });
    expect(raced.status).toBe(412);
    const changed = await raced.text();
    expect(textOf(changed)).toMatch(/Field Before Now Name Ada \w+ Ada Changed/);
    expect((await store.call('GET', path)).status).toBe(200);
    const done = await send(path, { ...entriesOf(changed, 'deleteUserV2'), _sure: 'yes' });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/api/v2/users']);
    expect((await store.call('GET', path)).status).toBe(404);
  });

  it('shows a new key in a page that no cache keeps', async () => {
    const entries = entriesOf(await open('/api/v2/api-keys'), 'createApiKeyV2');
    const made = await send('/api/v2/api-keys', {
      ...entries,
      name: 'Phone',
      user_id: String(user),
      expires_at: '2999-01-01T00:00',
    });
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const [key = ''] = /sk_\d+_[\w-]+/.exec(await made.text()) ?? [];
    const asked = await fetch(`${store.url}/api/v2/credential`, { headers: { 'x-api-key': key } });
    expect(await asked.json()).toMatchObject({ name: 'Phone' });
  });

  it('asks for the password again after a refused sign-in, and keeps the entries', async () => {
    const entries = { ...entriesOf(await open('/api/v2/orders'), 'createOrderV2'), user_id: '77' };
    const answer = await send('/api/v2/orders', entries, { authorization: basic('nobody@example.com') });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="store", charset="UTF-8"',
    ]);
    expect(entriesOf(await answer.text(), 'createOrderV2')['user_id']).toBe('77');
  });

  it('never shows a password again', async () => {
    const path = `/api/v2/users/${user}`;
    const entries = entriesOf(await open(path), 'updateUserV2');
    const secrets = { password: 'a new and long password', current_password: `${PASSWORD}!` };
    const page = await (await send(path, { ...entries, ...secrets })).text();
    for (const secret of Object.values(secrets)) expect(page).not.toContain(secret);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }, 403],
    ['another site, according to Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another host of the same site, according to Sec-Fetch-Site', { 'sec-fetch-site': 'same-site' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['an empty origin', { origin: '' }, 403],
    ['a program, as JSON', { 'content-type': 'application/json' }, 415],
    ['a form with another encoding', { 'content-type': 'text/plain' }, 415],
  ])('is refused if it comes from %s', async (_where, headers, status) => {
    const path = `/api/v2/users/${user}`;
    const entries = { ...entriesOf(await open(path), 'updateUserV2'), name: 'Stolen' };
    expect((await send(path, entries, headers)).status).toBe(status);
    expect(await read(path)).not.toMatchObject({ name: 'Stolen' });
  });

  it.each([
    ['names', 'https://shop.example'],
    ['allows', '*'],
  ])('is refused from another origin, although STORE_CORS_ORIGINS %s this origin', async (_how, allowed) => {
    const open_ = await startApp('sqlite', { STORE_CORS_ORIGINS: allowed });
    try {
      const headers = { 'x-api-key': ADMIN_KEY, origin: 'https://shop.example' };
      for (const more of [{}, { 'sec-fetch-site': 'cross-site' }]) {
        const sent = { _form: 'createUserV2', name: 'Eve', email: 'eve@example.com' };
        expect((await sendForm(open_.url, '/api/v2/users', sent, { ...headers, ...more })).status).toBe(403);
      }
      expect((await open_.call('GET', '/api/v2/users')).body).toMatchObject({ page: { total: 0 } });
    } finally {
      await open_.close();
    }
  });

  it('is refused if no header names its origin', async () => {
    const { status } = await store.app
      .inject({
        method: 'POST',
        url: `/browse/api/v2/users/${user}`,
        headers: { authorization, host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
        payload: '_form=deleteUserV2&_sure=yes',
      })
      .then(({ statusCode }) => ({ status: statusCode }));
    expect(status).toBe(403);
    expect((await store.call('GET', `/api/v2/users/${user}`)).status).toBe(200);
  });

  it.each([
    '/api/v2/products/../users/1',
    '/api/v2/orders',
    '/api/v2/users/',
    '/graphql',
    '/api/v2/users/1%2f..',
    '//evil.example/api/v2/users/1',
    '/\\\\evil.example/users/1',
    '/api/v2/users/1%0d%0aset-cookie:a=b',
  ])('is not found at %s, which has no such form', async (path) => {
    expect((await send(path, { _form: 'deleteUserV2', _sure: 'yes' })).status).toBe(404);
  });

  it('has a field for a parameter that the address of its page does not have', async () => {
    // The list of the products gets the form for the stock of one product.
    const forms = FORMS as Record<string, (typeof FORMS)['listProductsV2']>;
    const { listProductsV2: others = [] } = FORMS;
    const stock = Object.values(FORMS)
      .flat()
      .find(({ operation }) => operation === 'setProductStockV2');
    const field: Field = {
      name: 'id',
      label: 'Product',
      control: 'reference',
      required: true,
      nullable: false,
      hint: '',
    };
    if (!stock) throw new Error('There is no form for the stock of a product.');
    forms['listProductsV2'] = [...others, { ...stock, path: [field] }];
    try {
      const path = '/api/v2/products';
      const page = await open(path);
      expect(page).toContain('data-address="/api/v2/products/{id}/stock"');
      expect(page).toMatch(/data-field="id"\s+data-control="reference" data-path/);
      const entries = { _form: 'setProductStockV2', quantity: '7' };
      const sendAs = (more: Entries) =>
        sendForm(store.url, path, { ...entries, ...more }, { 'x-api-key': ADMIN_KEY });
      for (const id of ['', '.', '..', ' ']) {
        const refused = await sendAs({ id });
        expect(refused.status).toBe(400);
        expect(textOf(await refused.text())).toContain('must be a text other than');
      }
      expect((await sendAs({ id: '../orders' })).status).toBe(400);
      expect((await sendAs({ id: '1' })).status).toBe(303);
      expect(await read('/api/v2/products/1/stock')).toMatchObject({ quantity: 7 });
    } finally {
      forms['listProductsV2'] = others;
    }
  });

  it('counts as another request with another value of a parameter in its address', async () => {
    // The list of the keys gets the form for the new secret of one key.
    const forms = FORMS as Record<string, (typeof FORMS)['listApiKeysV2']>;
    const { listApiKeysV2: others = [] } = FORMS;
    const rotate = FORMS.getApiKeyV2?.find(({ operation }) => operation === 'rotateApiKeyV2');
    if (!rotate) throw new Error('There is no form for the new secret of a key.');
    forms['listApiKeysV2'] = [...others, { ...rotate, path: [KEY_FIELD] }];
    try {
      const ids: number[] = [];
      for (const name of ['Phone', 'Till']) {
        const { body } = await store.call('POST', '/api/v2/api-keys', { body: { name, scopes: [] } });
        ids.push((body as { id: number }).id);
      }
      const entries = { _form: 'rotateApiKeyV2', _key: 'of-the-page' };
      for (const id of ids) {
        const headers = { 'x-api-key': ADMIN_KEY };
        const answer = await sendForm(store.url, '/api/v2/api-keys', { ...entries, id: `${id}` }, headers);
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain(`sk_${id}_`);
      }
    } finally {
      forms['listApiKeysV2'] = others;
    }
  });

  it('has only the rights of the visitor: it cannot delete another user', async () => {
    const other = await createUserWithPassword(store);
    const path = `/api/v2/users/${other.id}`;
    const refused = await send(path, { _form: 'deleteUserV2', _sure: 'yes', _etag: '*' });
    expect([403, 404]).toContain(refused.status);
    expect((await store.call('GET', path)).status).toBe(200);
  });
});
