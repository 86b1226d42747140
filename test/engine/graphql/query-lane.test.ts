import type { ApolloDriver } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi, type MockInstance } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { ask, type GraphqlCall, type Operation } from '../../support/clients/graphql.js';

describe('the query lane', () => {
  let store: TestApp;
  let apollo: MockInstance;
  beforeAll(async () => {
    store = await startApp('sqlite');
    const { instance } = store.app.get<GraphQLModule<ApolloDriver>>(GraphQLModule, {
      strict: false,
    }).graphQlAdapter;
    apollo = vi.spyOn(instance, 'executeHTTPGraphQLRequest');
  });
  afterEach(() => apollo.mockClear());
  afterAll(() => store.close());

  let texts = 0;
  /** Sends a text eight times, and returns the number of requests that Apollo answered. */
  const requestsToApollo = async (operation: Operation, call?: GraphqlCall): Promise<number> => {
    const own = { ...operation, ...(operation.query && { query: `${operation.query} #${(texts += 1)}` }) };
    for (let n = 0; n < 8; n += 1) await ask(store, own, call);
    return apollo.mock.calls.length;
  };

  it.each<[string, Operation, GraphqlCall?]>([
    ['a query', { query: '{ products { id } }' }],
    ['variables', { query: 'query ($id: ID!) { product(id: $id) { id } }', variables: { id: '1' } }],
    ['one of two operations', { query: 'query A { me { id } } query B { me { id } }', operationName: 'B' }],
    ['extensions', { query: '{ products { id } }', extensions: { clientLibrary: { name: 'x' } } }],
    [
      'the media type of Apollo Client',
      { query: '{ me { id } }' },
      { headers: { accept: 'application/graphql-response+json,application/json;q=0.9' } },
    ],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a directive', { query: '{ products { id @skip(if: true) name } }' }],
    ['an operation that is not in the text', { query: 'query A { me { id } }', operationName: 'B' }],
    ['a text that is not valid', { query: '{ nothing }' }],
    ['a text that is not GraphQL', { query: '{ me { ' }],
  ])('answers a query: %s', async (_name, operation, call) => {
    expect(await requestsToApollo(operation, call)).toBe(0);
  });

  it('answers a query with the word `mutation` from the third request on, when its text is kept', async () => {
    expect(await requestsToApollo({ query: '{ me { id } } # no mutation' })).toBe(2);
  });

  it.each<[string, Operation, GraphqlCall?]>([
    ['a mutation', { query: 'mutation { deleteProduct(id: 424242) { id } }' }],
    ['a GET request', { query: '{ products { id } }' }, { method: 'GET' }],
    ['a hash', { query: '{ me { id } }', extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }],
    ['no text', { variables: {} }],
    ['a subscription', { query: 'subscription { newOrder { id } }' }],
  ])('leaves other requests to Apollo: %s', async (_name, operation, call) => {
    expect(await requestsToApollo(operation, call)).toBe(8);
  });
});
