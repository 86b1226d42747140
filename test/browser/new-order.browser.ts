import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_KEY, describeInBrowser, startBrowsing, type Browsing } from '../support/clients/browser.js';
import { Graphiql } from '../support/clients/graphiql.js';

describeInBrowser('a subscription in GraphiQL', () => {
  let browsing: Browsing;
  beforeAll(async () => {
    browsing = await startBrowsing();
  });
  afterAll(() => browsing.close());

  const create = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await browsing.call('POST', path, body);
    expect([path, answer.status]).toEqual([path, 201]);
    return answer.json();
  };

  it('shows an order as soon as it is placed over REST', async () => {
    await create('/api/v1/products', { name: 'Chai', price: 18.5 });
    await create('/api/v1/users', { name: 'Ada', email: 'ada@store.example' });
    const { page, faults } = await browsing.visit('/graphql');
    const graphiql = new Graphiql(page);
    await graphiql.open('NewOrder');
    await graphiql.writeHeaders({ 'X-API-Key': ADMIN_KEY });
    const [socket] = await Promise.all([page.waitForEvent('websocket'), graphiql.press('Execute query')]);
    expect(socket.url()).toBe(`${browsing.url.replace('http', 'ws')}/graphql`);

    // Nothing shows that a subscription has started, so the first orders may be placed before its start.
    const order = { user_id: 1, items: [{ product_id: 1, quantity: 2 }] };
    await expect
      .poll(
        async () => {
          await create('/api/v1/orders', order);
          return graphiql.result();
        },
        { interval: 500, timeout: 20_000 },
      )
      .toMatch(/"data":\{"newOrder":\{"id":"\d+","total":37,"createdAt":"[^"]+Z"\}\}/);

    await graphiql.press('Stop query');
    await page.getByRole('button', { name: 'Execute query' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the reason when the key is wrong', async () => {
    const { page } = await browsing.visit('/graphql');
    const graphiql = new Graphiql(page);
    await graphiql.open('NewOrder');
    await graphiql.writeHeaders({ 'X-API-Key': 'wrong' });
    await graphiql.press('Execute query');
    await expect.poll(() => graphiql.result()).toMatch(/Socketclosedwithevent44\d\d|UNAUTHENTICATED/);
  });
});
