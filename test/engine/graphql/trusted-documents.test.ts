import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOf } from '../../../src/engine/graphql/trusted-documents.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { ask } from '../../support/clients/graphql.js';
import { connect } from '../../support/clients/live.js';
import { openStream } from '../../support/clients/sse.js';
import { TRANSPORTS } from '../../support/clients/transports.js';

const FILE = new URL('../../../documents/products.graphql', import.meta.url);
const TEXT = readFileSync(FILE, 'utf8');
const HASH = hashOf(TEXT);
const UNKNOWN = 'ab'.repeat(32);
const OTHER = '{ products { id } }';

const persisted = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });

const WAYS = Object.entries(TRANSPORTS);

/** An Apollo Client that sends hashes, and the requests that it has sent. */
function apollo(url: string, useGETForHashedQueries = false) {
  const sent: string[] = [];
  const http = new HttpLink({
    uri: `${url}/graphql`,
    headers: { 'x-api-key': ADMIN_KEY },
    fetch: (input, init) => {
      sent.push(JSON.stringify([input, init?.body ?? null]));
      return fetch(input, init);
    },
  });
  const link = new PersistedQueryLink({ sha256: hashOf, useGETForHashedQueries }).concat(http);
  return { client: new ApolloClient({ link, cache: new InMemoryCache() }), sent };
}

describe('trusted documents', () => {
  let store: TestApp;
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  beforeAll(async () => {
    store = await startApp('sqlite', { STORE_TRUSTED_DOCUMENTS: 'only' });
    await create(store);
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  describe.each(WAYS)('sent by %s', (_way, send) => {
    it.each([
      ['the hash', persisted(HASH)],
      ['documentId', { documentId: HASH }],
      ['documentId with its prefix', { documentId: `sha256:${HASH}` }],
      ['the text', { query: TEXT }],
      ['the text and the hash', { query: TEXT, ...persisted(HASH) }],
    ])('are executed for a request with %s', async (_what, operation) => {
      const { body } = await send(store, { ...operation, variables: { limit: 1 } });
      expect(body).toMatchObject({ data: { products: [{ name: expect.any(String) }] } });
    });

    it.each([
      ['another text', { query: OTHER }, 'DOCUMENT_NOT_TRUSTED'],
      ['a text that is not GraphQL', { query: '{' }, 'DOCUMENT_NOT_TRUSTED'],
      ['introspection', { query: '{ __schema { types { name } } }' }, 'DOCUMENT_NOT_TRUSTED'],
      ['an unknown hash', persisted(UNKNOWN), 'PERSISTED_QUERY_NOT_FOUND'],
      ['an unknown documentId', { documentId: UNKNOWN }, 'PERSISTED_QUERY_NOT_FOUND'],
      ['an invalid hash', persisted('__proto__'), 'VALIDATION_FAILED'],
      ['a hash that is not a text', persisted(7), 'VALIDATION_FAILED'],
      ['the hash of another text', { query: TEXT, ...persisted(UNKNOWN) }, 'VALIDATION_FAILED'],
      ['another text under a known hash', { query: OTHER, ...persisted(HASH) }, 'VALIDATION_FAILED'],
    ])('do not include %s, which is refused', async (_what, operation, code) => {
      const { body } = await send(store, operation);
      expect(body.data).toBeUndefined();
      expect(body.errors).toMatchObject([{ extensions: { code } }]);
    });
  });

  it.each(
    WAYS.flatMap(([way, send]) =>
      [
        ['that is not a hash', { documentId: 'x' }, 'PATTERN'] as const,
        ['of another text', { documentId: UNKNOWN, query: TEXT }, 'PATTERN'] as const,
        // In a GET request, all values are texts.
        ['that is a number', { documentId: 5 }, way === 'GET' ? 'PATTERN' : 'WRONG_TYPE'] as const,
      ].map((each) => [way, ...each, send] as const),
    ),
  )(
    'are not executed by %s for a documentId %s, and the answer points to the documentId',
    async (_way, _what, operation, code, send) => {
      const { body } = await send(store, operation);
      const faults = body.errors[0].extensions?.errors ?? body.errors;
      expect(faults).toMatchObject([{ pointer: '#/documentId', code }]);
    },
  );

  it('are required: the refusal of any other text contains the hash of this text', async () => {
    const { status, body } = await ask(store, { query: OTHER });
    expect([status, body.errors[0].message]).toEqual([
      403,
      `This service executes only trusted documents. This document, sha256:${hashOf(OTHER)}, is not one of them.`,
    ]);
  });

  it('have the same limits as other operations, and the same rules for arguments', async () => {
    const { body } = await ask(store, { ...persisted(HASH), variables: { limit: 101 } });
    expect(body.errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    const tight = await startApp('sqlite', {
      STORE_TRUSTED_DOCUMENTS: 'only',
      STORE_GRAPHQL_MAX_COST: '10',
    });
    const refused = await ask(tight, persisted(HASH));
    expect(refused.body.errors).toMatchObject([{ extensions: { code: 'GRAPHQL_LIMIT_EXCEEDED' } }]);
    await tight.close();
  });

  it('work for subscriptions over WebSocket and SSE', async () => {
    const hash = hashOf(readFileSync(new URL('new-order.graphql', FILE), 'utf8'));
    const live = connect(store);
    // The client of graphql-ws sends no message without a text.
    const events = live.send({ query: '', ...persisted(hash) });
    const stream = await openStream(store, '/graphql/stream', { body: persisted(hash) });
    await stream.next();
    await live.run({ query: TEXT });
    const { id } = await placeOrder(store);
    expect((await events.next()).data.newOrder.id).toBe(String(id));
    expect((await stream.event())?.data.data.newOrder.id).toBe(String(id));
    live.close();
    stream.leave();
  });

  it.each([true, false])('work with the persisted queries of Apollo Client; by GET: %s', async (isGet) => {
    const { client, sent } = apollo(store.url, isGet);
    const { id } = await createUser(store);
    const document = gql(readFileSync(new URL('user-with-orders.graphql', FILE), 'utf8'));
    const { data } = await client.query({ query: document, variables: { id } });
    expect(data).toMatchObject({ user: { id: String(id), __typename: 'User' } });
    expect(sent).toHaveLength(1);
    expect(sent[0]).not.toContain('query UserWithOrders');
  });

  it('are the only documents that Apollo Client can execute', async () => {
    const { client, sent } = apollo(store.url);
    await expect(client.query({ query: gql(OTHER) })).rejects.toThrow(
      /^This service executes only trusted documents/,
    );
    // The client sends the hash first. Then it sends the text, because the server does not know the hash.
    expect(sent).toHaveLength(2);
  });

  it('are not required in the mode `log`, which logs each unknown text once, and only if the text is executed', async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
    const logging = await startApp('sqlite', { STORE_TRUSTED_DOCUMENTS: 'log' }, () => {}, logger);
    for (let n = 0; n < 2; n++) {
      for (const [, send] of WAYS) {
        expect((await send(logging, { query: OTHER })).body.data).toEqual({ products: [] });
        expect((await send(logging, { query: TEXT })).body.data).toEqual({ products: [] });
        for (const query of ['{', '{ nothing }', 'query A { products { id } } query B { products { id } }'])
          expect((await send(logging, { query })).body.errors).toHaveLength(1);
      }
    }
    expect((await ask(logging, persisted(HASH))).body.data).toEqual({ products: [] });
    expect(lines).toMatchObject([
      { context: 'TrustedDocuments', sha256: hashOf(OTHER), requestId: expect.any(String) },
    ]);
    // The server does not know this hash. So the client sends the text too, as it does with any such server.
    const { client } = apollo(logging.url);
    expect((await client.query({ query: gql('{ products { name } }') })).data).toEqual({ products: [] });
    await logging.close();
  });

  it('are not needed by an Apollo Client that sends hashes, if the service has no trusted documents', async () => {
    const plain = await startApp('sqlite');
    const { client, sent } = apollo(plain.url);
    for (const query of [gql(OTHER), gql('query Again { products { name } }')]) {
      expect((await client.query({ query, fetchPolicy: 'no-cache' })).data).toEqual({ products: [] });
    }
    // The client has learned from the first answer to send texts.
    expect(sent).toHaveLength(3);
    expect((await ask(plain, { documentId: HASH } as object)).body.errors).toMatchObject([
      { extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
    ]);
    await plain.close();
  });

  it('prevent the start if they are faulty or cannot be read, and the error lists all faulty ones', async () => {
    const settings = { STORE_TRUSTED_DOCUMENTS: 'only', STORE_TRUSTED_DOCUMENTS_DIR: folder };
    writeFileSync(join(folder, 'syntax.graphql'), '{');
    writeFileSync(join(folder, 'field.graphql'), '{ nothing }');
    writeFileSync(
      join(folder, 'condition.graphql'),
      'subscription ($s: Boolean!) { newOrder @skip(if: $s) { id } }',
    );
    writeFileSync(join(folder, 'fragment.graphql'), 'fragment F on Product { id }');
    writeFileSync(join(folder, 'other.txt'), '{');
    await expect(startApp('sqlite', settings)).rejects.toThrow(
      /condition\.graphql: The root of a subscription[^]*field\.graphql: Cannot query field "nothing"[^]*fragment\.graphql: [^]*syntax\.graphql: Syntax Error/,
    );
    const nowhere = { ...settings, STORE_TRUSTED_DOCUMENTS_DIR: join(folder, 'nowhere') };
    await expect(startApp('sqlite', nowhere)).rejects.toThrow(/STORE_TRUSTED_DOCUMENTS_DIR cannot be read/);
  });
});
