import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';

let store: TestApp;
const audits = serverAudits({ url: () => `${store.url}/graphql` });

describe('the audit of GraphQL over HTTP', () => {
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  it('has 61 checks', () => {
    expect(audits).toHaveLength(61);
  });

  it.each(audits.map(({ id, name, fn }) => [id, name, fn] as const))('%s %s', async (_id, _name, audit) => {
    const { status, ...rest } = await audit();
    // The package accepts a notice or a warning. This test does not.
    expect({ status, reason: 'reason' in rest ? rest.reason : undefined }).toEqual({
      status: 'ok',
      reason: undefined,
    });
  });
});
