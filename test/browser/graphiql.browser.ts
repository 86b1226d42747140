import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic } from '../support/clients/basic.js';
import { ADMIN_KEY, describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';
import { Graphiql } from '../support/clients/graphiql.js';

describeInBrowser('GraphiQL', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing({ STORE_INTROSPECTION: 'false' });
    await browsing.call('POST', '/api/v1/products', { name: 'Chai', price: 18.5 });
  });
  afterAll(() => browsing.close());

  it('runs its first example without changes', async () => {
    const { page, faults } = await browsing.visit('/graphql');
    const graphiql = new Graphiql(page);
    await graphiql.press('Execute query');
    await expect
      .poll(() => graphiql.result())
      .toContain('"name":"Chai","priceMoney":{"amount":1850,"currency":"USD"}');
    expect(faults).toEqual([]);
  });

  it('changes the theme of its editors when the system becomes dark, and when it becomes light', async () => {
    const { page } = await browsing.visit('/graphql');
    const editor = page.locator('.graphiql-query-editor .monaco-editor').first();
    await editor.waitFor();
    for (const [colorScheme, theme] of [
      ['dark', /\bvs-dark\b/],
      ['light', /\bvs\b(?!-)/],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => editor.getAttribute('class')).toMatch(theme);
    }
  });

  it('has room for each of its parts on a phone', async () => {
    for (const [width, height] of [
      [390, 844],
      [390, 600],
      [320, 700],
    ] as const) {
      const { page } = await browsing.visit('/graphql', { viewport: { width, height } });
      for (const part of ['.graphiql-query-editor', '.graphiql-editor-tool', '.graphiql-response']) {
        const editor = page.locator(`${part} .monaco-editor`).filter({ visible: true }).first();
        await expect.poll(async () => (await editor.boundingBox())?.height).toBeGreaterThan(80);
      }
      // No tab lies over the editor.
      const tab = await page.locator('.graphiql-tab').last().boundingBox();
      const editors = await page.locator('.graphiql-editors').boundingBox();
      expect((tab?.y ?? 0) + (tab?.height ?? 0)).toBeLessThanOrEqual(editors?.y ?? 0);
    }
  });

  it('marks the button of the open query, and gives its tabs no ARIA roles', async () => {
    const { page } = await browsing.visit('/graphql');
    const marked = page.locator('.graphiql-tab-button[aria-current="true"]');
    await new Graphiql(page).open('CreateProduct');
    await expect.poll(() => marked.allTextContents()).toEqual(['CreateProduct']);
    expect(await page.locator('.graphiql-tabs[role], .graphiql-tab[role]').count()).toBe(0);
  });

  it('runs an operation that is typed into it', async () => {
    const { page, faults } = await browsing.visit('/graphql');
    const graphiql = new Graphiql(page);
    await graphiql.writeQuery('query One($id: ID!) { product(id: $id) { name } }');
    await graphiql.writeVariables({ id: '1' });
    await graphiql.press('Execute query');
    await expect.poll(() => graphiql.result()).toContain('{"data":{"product":{"name":"Chai"}}');
    expect(faults).toEqual([]);
  });

  it('sends the key from the editor of headers with a mutation, and never stores it in the browser', async () => {
    const { page, faults } = await browsing.visit('/graphql');
    const graphiql = new Graphiql(page);
    await graphiql.open('CreateProduct');
    await graphiql.press('Execute query');
    await expect.poll(() => graphiql.result()).toContain('"code":"UNAUTHENTICATED"');
    await graphiql.writeHeaders({ 'X-API-Key': ADMIN_KEY });
    await graphiql.writeVariables({ name: 'Green tea', price: 4 });
    await graphiql.press('Execute query');
    await expect
      .poll(() => graphiql.result())
      .toContain('{"data":{"createProduct":{"id":"2","name":"Greentea"}}');
    expect((await browsing.call('GET', '/api/v1/products/2')).status).toBe(200);
    const kept = () => page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    // The tabs and the history contain the operation, but not the key.
    await expect.poll(async () => (await kept()).split('Green tea').length).toBeGreaterThan(2);
    expect(await kept()).not.toContain(ADMIN_KEY);
    await page.reload();
    await page.getByRole('button', { name: 'CreateProduct', exact: true }).waitFor();
    expect(await kept()).not.toContain(ADMIN_KEY);
    expect(faults).toEqual([]);
  });

  it('sends e-mail address and password from the editor of headers, and never stores them in the browser', async () => {
    const [email, password] = ['ada@example.com', 'correct horse battery staple'];
    await browsing.call('POST', '/api/v1/users', { name: 'Ada', email, password });
    const { page, faults } = await browsing.visit('/graphql');
    const graphiql = new Graphiql(page);
    const credential = basic(email, password);
    await graphiql.writeQuery('{ me { email } }');
    await graphiql.writeHeaders({ Authorization: credential });
    await graphiql.press('Execute query');
    await expect.poll(() => graphiql.result()).toContain(`{"data":{"me":{"email":"${email}"}}`);
    const kept = () => page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    // The tabs and the history contain the operation.
    await expect.poll(async () => (await kept()).split('{ me { email } }').length).toBeGreaterThan(2);
    expect(await kept()).not.toContain(credential.slice('Basic '.length));
    expect(faults).toEqual([]);
  });

  it('knows the schema from the contract, even when introspection is switched off', async () => {
    const { page, faults } = await browsing.visit('/graphql');
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Mutation' }).click();
    await page.getByRole('link', { name: 'createProduct' }).click();
    await page.getByText('Stores a new product').waitFor();
    expect(faults).toEqual([]);
  });

  it('marks fields that the schema does not have', async () => {
    const { page, faults } = await browsing.visit('/graphql');
    await new Graphiql(page).writeQuery('{ products { nothing } }');
    // The worker of the editor marks the field. The script of the worker is one of our own files.
    await page.locator('.graphiql-query-editor .squiggly-error').waitFor();
    expect(faults).toEqual([]);
  });
});
