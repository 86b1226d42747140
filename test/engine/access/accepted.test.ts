import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { CONTRACT } from '../../support/fixtures/contract.js';

const BASIC = 'e-mail address and password by Basic';
const WITHOUT_BASIC = 'This needs a credential: an API key in X-API-Key, or an access token by Bearer.';
const WITH_BASIC = `This needs a credential: an API key in X-API-Key, an access token by Bearer, or ${BASIC}.`;

const GUARDED = CONTRACT.filter(
  ({ method, security }) =>
    !['HEAD', 'OPTIONS'].includes(method) &&
    security.length > 0 &&
    security.every((entry) => Object.keys(entry).length > 0),
);

describe('a request without a credential', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_RATE_LIMIT: 'anonymous=10000/s, caller=10000/s' });
  });
  afterAll(() => store.close());

  it('gets an error that names the credentials that its operation accepts', async () => {
    expect(GUARDED.length).toBeGreaterThan(50);
    const told = await Promise.all(
      GUARDED.map(async ({ operationId, method, address, hasBody }) => {
        const path = address.replace(/\{\w+\}/g, '1');
        const { status, body } = await store.call(method, path, { key: null, ...(hasBody && { body: {} }) });
        return [operationId, status, body.detail as string];
      }),
    );
    const expected = GUARDED.map(({ operationId, security }) => {
      const takesBasic = security.some((entry) => 'basic' in entry);
      return [operationId, 401, takesBasic ? WITH_BASIC : WITHOUT_BASIC];
    });
    expect(told).toEqual(expected);
  });

  it.each([
    ['mutation { createProduct(name: "Chai", price: 18) { id } }', WITHOUT_BASIC],
    ['{ user(id: 1) { id } }', WITH_BASIC],
    ['{ me { id } }', WITH_BASIC],
  ])('gets an error that names the credentials that the field accepts: %s', async (query, detail) => {
    const { errors } = await store.graphql(query, {}, { key: null });
    expect(errors[0].message).toBe(detail);
  });
});
