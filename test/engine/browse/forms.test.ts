import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMS, type Field } from '../../../src/generated/forms.js';
import { OPERATIONS, type Operation } from '../../../src/generated/operations.js';
import { startApp, type TestApp } from '../../support/clients/app.js';

const ATTACK = '</textarea><img src=x onerror=alert(1)>"';

/** The part of a page with the form of an operation. */
const formIn = (text: string, operation: string) =>
  new RegExp(`<details class="action-form[^>]*data-operation="${operation}"[\\s\\S]*?</details>`)
    .exec(text)?.[0]
    .replaceAll(/\s+/g, ' ') ?? '';

const namesIn = (html: string): string[] =>
  [...html.matchAll(/>([^<>]+)<\/a>/g)].map(([, name]) => name as string);

const addressOf = ({ paths: [address] }: Operation): string => address as string;

describe('the forms of the pages', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_CURRENCY: 'EUR' });
    await store.call('POST', '/api/v2/products', {
      body: { name: ATTACK, description: ATTACK, price: { amount: 1250, currency: 'EUR' } },
    });
    await store.call('POST', '/api/v2/users', { body: { name: 'Ada', email: 'ada@example.com' } });
  });
  afterAll(() => store.close());

  const page = (path: string, headers: Record<string, string> = {}) =>
    store.call('GET', path, { headers: { accept: 'text/html', ...headers } });

  it('exist for every operation that changes data, unless a reason is listed here', () => {
    const changing = Object.values(OPERATIONS).filter(({ method }) => method !== 'GET');
    const patched = new Set(changing.filter(({ method }) => method === 'PATCH').map(addressOf));
    /** ADR 51 has the same reasons. */
    const reasons: Readonly<Record<string, (row: Operation) => boolean>> = {
      'PATCH has a form at the same address. This form does the same, and keeps members that were not shown.':
        (row) => row.method === 'PUT' && patched.has(addressOf(row)),
      'No form can make the body, which is a list of changes of several kinds. A person imports a file instead.':
        (row) => addressOf(row).endsWith('/batch'),
    };
    const forms = Object.values(FORMS).flat();
    const made = new Set<string>(forms.map(({ operation }) => operation));
    const without = changing.filter(({ id }) => !made.has(id));
    const reasonsOf = (row: Operation): number => Object.values(reasons).filter((holds) => holds(row)).length;
    expect(without.filter((row) => reasonsOf(row) !== 1).map(({ id }) => id)).toEqual([]);
    expect(changing.filter((row) => made.has(row.id) && reasonsOf(row) > 0).map(({ id }) => id)).toEqual([]);
    expect(made.size).toBe(forms.length);
    expect(made.size).toBeGreaterThan(25);
  });

  it('are not on the page of a row that has ended', async () => {
    const endings = Object.entries(FORMS).map(([id, [form]]) => [id, form?.ended ?? null]);
    expect(Object.fromEntries(endings.filter(([, ended]) => ended !== null))).toEqual({
      getApiKey: 'revoked_at',
      getApiKeyV2: 'revoked_at',
      getClient: 'revoked_at',
      getClientV2: 'revoked_at',
      getImport: 'ended_at',
    });
    const made = await store.call('POST', '/api/v2/imports', { body: { kind: 'products', format: 'csv' } });
    const path = `/api/v2/imports/${made.body.id}`;
    const formsOn = async (): Promise<number> =>
      (await page(path)).text.match(/data-operation="/g)?.length ?? 0;
    expect(await formsOn()).toBe(2);
    await store.call('DELETE', path);
    expect(await formsOn()).toBe(0);
  });

  it('have plain words: no code, no status codes, and no names of standards or members', () => {
    const wordsIn = (fields: readonly Field[]): readonly string[] =>
      fields.flatMap(({ label, hint, fields: inner = [] }) => [label, hint, ...wordsIn(inner)]);
    const words = Object.values(FORMS)
      .flat()
      .flatMap(({ title, about, path, query, fields }) => [
        title,
        about,
        ...wordsIn([...path, ...query, ...(fields ?? [])]),
      ]);
    const plain = words.map((text) => text.replaceAll(/“[^”]*”/g, ''));
    const technical =
      /[`_{}]|(?<![,\d])\b[1-5]\d\d\b(?! characters)|\b(?:RFC|JSON|HTTP|JWT|URI|null|true|false|body|header)s?\b/;
    expect(plain.filter((text) => technical.test(text))).toEqual([]);
    expect(words.length).toBeGreaterThan(100);
  });

  it('come last if they delete something', () => {
    for (const forms of Object.values(FORMS)) {
      const methods = forms.map(({ operation }) => OPERATIONS[operation].method);
      expect(methods).toEqual(methods.toSorted((a, b) => Number(a === 'DELETE') - Number(b === 'DELETE')));
    }
  });

  it('are hidden, name the rights that they need, and are sent to the address of the operation', async () => {
    const { text } = await page('/api/v2/users/1');
    const form = formIn(text, 'endSignIns');
    expect(form).toMatch(/^<details[^>]* data-scopes="users:write" data-owner[^>]* hidden/);
    expect(form).toContain('data-address="/api/v2/users/1/sign-ins"');
    expect(form).toContain('data-method="DELETE"');
    expect(formIn(text, 'deleteUserV2')).toMatch(/data-field="anonymise" data-control="boolean" data-query/);
    expect(formIn(text, 'updateUserV2')).toContain('type="password"');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Without JavaScript, you can change your own data');
    const products = await page('/api/v2/products');
    expect(products.text.replaceAll(/\s+/g, ' ')).toContain('switch on JavaScript, or use a terminal');
  });

  it('have the values of the row as text, and the entity tag of the row', async () => {
    const { text, headers } = await page('/api/v2/products/1');
    const form = formIn(text, 'updateProductV2');
    expect(form).toContain(
      `data-etag="${headers.get('etag')?.replace('.gzip', '').replaceAll('"', '&quot;')}"`,
    );
    expect(form).toContain('value="&lt;/textarea&gt;&lt;img src=x onerror=alert(1)&gt;&quot;"');
    expect(form).toMatch(/rows="4">&lt;\/textarea&gt;/);
    expect(form).toMatch(/value="12\.50"[^>]* data-currency="EUR"/);
    expect(text).not.toContain('<img src=x');
  });

  it('say what is required and allowed', async () => {
    const form = formIn((await page('/api/v2/products')).text, 'createProductV2');
    expect(form).toMatch(/data-field="name".*?\(required\).*? required minlength="1" data-longest="200"/);
    expect(form).not.toContain(' maxlength=');
    expect(form).toContain('From 0 to 10,000,000 EUR.');
    expect(form).toContain('data-least="0" data-most="10000000"');
    const order = formIn((await page('/api/v2/orders')).text, 'createOrderV2');
    expect(order).toMatch(/data-control="lines"[^>]* data-least="1" data-most="100"/);
    expect(order).toContain('data-list="/api/v2/products"');
    // Without a script, the page shows these words too, but no suggestions. So the words ask for the id.
    expect(order).toContain('The product to order. Enter the id.<span data-find hidden>');
    expect(order).toContain('title="Enter the id of the row. It is a number."');
    expect(form).toContain('title="Enter an amount such as 18.50, without a thousands separator."');
    const keys = formIn((await page('/api/v2/api-keys')).text, 'createApiKeyV2');
    expect(keys).toContain('data-once="key"');
    expect(keys).toContain('data-keyed');
    expect(keys).toContain('type="datetime-local"');
  });

  it('have amounts of version 1 in major units, without a currency', async () => {
    const { text } = await page('/api/v1/products/1');
    const form = formIn(text, 'updateProduct');
    expect(form).toMatch(/value="12\.50"/);
    expect(form).not.toContain('data-currency');
  });

  it('do not prevent the answer 304 for a page that has not changed', async () => {
    const { headers } = await page('/api/v2/products/1');
    const again = await page('/api/v2/products/1', { 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });
});

describe('the pages', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
    const price = { amount: 1250, currency: 'USD' };
    await store.call('POST', '/api/v2/products', { body: { name: 'Lighthouse mug', price } });
    await store.call('POST', '/api/v2/users', { body: { name: 'Ada', email: 'ada@example.com' } });
    await store.call('POST', '/api/v2/orders', {
      body: { user_id: 1, items: [{ product_id: 1, quantity: 1 }] },
    });
  });
  afterAll(() => store.close());

  it.each([
    ['/api/v2/products', 'Products'],
    ['/api/v1/products/1', 'Lighthouse mug'],
    ['/api/v1/users/1', 'Ada'],
    ['/api/v2/orders/1', 'Order 1'],
    ['/api/v2/users/1/orders', 'Orders of user 1'],
    ['/api/v2/products/1/stock', 'Counted stock of product 1'],
  ])('have titles: the title of %s is “%s”', async (path, title) => {
    const { text } = await store.call('GET', path, { headers: { accept: 'text/html' } });
    expect(/<h1><bdi>([^<]*)</.exec(text)?.[1]).toBe(title);
    expect(text).toContain(`<title>${title} – ${path}</title>`);
  });

  it('link first to the lists that most people use, and separately to the lists for administrators', async () => {
    const { text } = await store.call('GET', '/api/v2/products', { headers: { accept: 'text/html' } });
    const [, lists = '', administration = ''] =
      /aria-label="Lists">([\s\S]*?)<\/nav>[\s\S]*aria-label="Administration">([\s\S]*?)<\/nav>/.exec(text) ??
      [];
    const forAdministrators = [
      'Users',
      'API keys',
      'Identities',
      'Clients',
      'Signing keys',
      'Imports',
      'Events',
    ];
    const known = ['Products', 'Orders', ...forAdministrators];
    const knownIn = (part: string) => namesIn(part).filter((name) => known.includes(name));
    expect(knownIn(lists)).toEqual(['Products', 'Orders']);
    expect(knownIn(administration)).toEqual(forAdministrators);
  });
});
