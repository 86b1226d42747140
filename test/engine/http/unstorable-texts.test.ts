import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GraphQLObjectType } from 'graphql';
import { buildSchema, getNamedType, isInputType, isLeafType } from 'graphql';
import { SCHEMA_GRAPHQL } from '../../../src/engine/contract/documents.js';
import { FIELDS } from '../../../src/generated/fields.js';
import { ROOTS } from '../../../src/engine/graphql/roots.js';
import { filledPath } from '../../../testkit/contract/good-requests.js';
import { bodyOf } from '../../../testkit/contract/relations.js';
import { flat, typesOf } from '../../../testkit/contract/schemas.js';
import type { Operation } from '../../../testkit/contract/model.js';
import { ADMIN_KEY, type TestApp } from '../../support/clients/app.js';
import { basic } from '../../support/clients/basic.js';
import { ask } from '../../support/clients/graphql.js';
import { open } from '../../support/clients/live.js';
import {
  aCodeClient,
  authorizationRequest,
  createClient,
  OWN_FORM,
  relyingParty,
  startOAuth,
  Visitor,
} from '../../support/clients/oauth.js';
import {
  goodArguments,
  goodPathValues,
  RELATED_OPERATIONS,
  requestsTo,
} from '../../support/clients/requests.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';

/*
 * PostgreSQL cannot store a NUL, and refuses a statement with one. UTF-8 has no lone surrogates. A caller that sends
 * such a text gets the answer to a wrong value on both engines, and not the status 500.
 */

/** Only JSON can say a lone surrogate. */
const IN_JSON = ['a\0b', 'a\uD800b'];
const IN_FORMS = ['%00', 'a%00b', '%ED%A0%80'];

/** The copies of a value in which one text is replaced. */
function replaced(value: unknown, text: string): readonly unknown[] {
  if (typeof value === 'string') return [text];
  if (Array.isArray(value))
    return value.flatMap((item, i) => replaced(item, text).map((other) => value.with(i, other)));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    replaced(each, text).map((other) => ({ ...value, [name]: other })),
  );
}

/** The copies of a good body in which one text is replaced, or added as a member that the body does not have. */
function bodiesWith(operation: Operation, good: object | undefined, text: string): readonly unknown[] {
  const members = Object.entries(flat(bodyOf(operation) ?? {}).properties ?? {});
  const absent = members.filter(([name, member]) => !(name in (good ?? {})) && isText(member));
  return [...replaced(good, text), ...absent.map(([name]) => ({ ...good, [name]: text }))];
}

function isText(schema: Operation['parameters'][number]['schema']): boolean {
  return typesOf(flat(schema)).includes('string');
}

function getRequest(path: string, text: string) {
  return ['GET', `${path}?${text}`, {}] as const;
}

describeOnEachEngine('a text that PostgreSQL cannot store', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startOAuth(engine);
  });
  afterAll(() => store.close());

  /** Sends requests one after another. Returns those that were answered with an error of the service. */
  const failing = async (
    requests: readonly (readonly [method: string, path: string, init: RequestInit])[],
  ) => {
    const failed: string[] = [];
    for (const [method, path, init] of requests) {
      const { status } = await fetch(store.url + path, { redirect: 'manual', ...init, method });
      if (status >= 500) failed.push(`${method} ${path} ${JSON.stringify(init.body ?? '')}: ${status}`);
    }
    return failed;
  };
  const headers = { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' };

  it.each(
    RELATED_OPERATIONS.filter(({ method }) => method !== 'OPTIONS').map((each) => [each.id, each] as const),
  )('is refused, or has no effect: %s', async (id, operation) => {
    const { method, parameters } = operation;
    const path = filledPath(operation.path, await goodPathValues(store, id));
    const good = await requestsTo(store).body(operation);
    const texts = parameters.filter(({ schema }) => isText(schema));
    const requests = [
      ...IN_JSON.flatMap((text) => bodiesWith(operation, good, text)).map(
        (body) => [method, path, { headers, body: JSON.stringify(body) }] as const,
      ),
      ...IN_FORMS.flatMap((text) =>
        texts.flatMap(({ in: place, name }) => {
          if (place === 'header') return [];
          const other =
            place === 'query'
              ? `${path}?${name}=${text}`
              : operation.path.replace(`{${name}}`, text).replaceAll(/\{\w+\}/g, '1');
          return [[method, other, { headers, ...(good && { body: JSON.stringify(good) }) }] as const];
        }),
      ),
    ];
    expect(await failing(requests)).toEqual([]);
  });

  it('is refused, or has no effect, in the arguments of GraphQL', async () => {
    const schema = buildSchema(SCHEMA_GRAPHQL);
    const names = Object.keys(FIELDS).filter(
      (name) => FIELDS[name]?.args && ROOTS.has(name.split('.')[0] ?? ''),
    );
    const sent: string[] = [];
    for (const name of names.filter((each) => !each.startsWith('Subscription.'))) {
      const [type = '', field = ''] = name.split('.');
      const declared = (schema.getType(type) as GraphQLObjectType).getFields()[field];
      const good = await goodArguments(store, name);
      const asText = declared?.args.filter(
        (argument) =>
          isInputType(argument.type) && ['String', 'ID'].includes(getNamedType(argument.type).name),
      );
      const isLeaf = isLeafType(getNamedType(declared?.type));
      for (const text of IN_JSON) {
        const others = [
          ...replaced(good, text),
          ...(asText ?? []).map((argument) => ({ ...good, [argument.name]: text })),
        ] as Record<string, unknown>[];
        for (const variables of others) {
          const given = declared?.args.filter((argument) => argument.name in variables) ?? [];
          const head = given.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
          const list = given.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
          const query = `${type.toLowerCase()} (${head}) { ${field}(${list})${isLeaf ? '' : ' { __typename }'} }`;
          const { body } = await ask(store, { query, variables });
          sent.push(JSON.stringify(body));
        }
      }
    }
    expect(sent.length).toBeGreaterThan(50);
    expect(sent.filter((text) => text.includes('"INTERNAL"'))).toEqual([]);
  });

  it('is no key of a mutation, and no document', async () => {
    const query = 'mutation { createProduct(name: "a", price: 1) { id } }';
    for (const text of IN_JSON) {
      const keyed = await ask(store, { query, extensions: { idempotencyKey: text } });
      expect(keyed.body.errors[0].extensions.code).toBe('VALIDATION_FAILED');
      const unknown = await ask(store, { query: `{ product(id: 1) { id } ${text} }` });
      expect(unknown.body.errors[0].extensions.code).not.toBe('INTERNAL');
    }
  });

  it.each([
    ['Basic, in the address', basic('a\0b@example.com', 'secret')],
    ['Basic, in the password', basic('ada@example.com', 'secret\0')],
    ['Basic, another control character', basic('ada@example.com\u007F', 'secret')],
    ['a Bearer token', 'Bearer abc%00'],
  ])('is no credential: %s', async (_what, authorization) => {
    const answer = await store.call('GET', '/api/v2/users/me', { key: null, headers: { authorization } });
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it.each([
    { Authorization: basic('a\0b@example.com', 'secret') },
    { Authorization: 'Bearer a\0b' },
    { Authorization: 'Bearer a\uD800b' },
    { 'X-API-Key': `${ADMIN_KEY}\0` },
    { 'X-API-Key': 'sk_1_\0' },
  ])('is no credential of a WebSocket: %j', async (payload) => {
    const raw = await open(store);
    raw.say({ type: 'connection_init', payload });
    expect((await raw.closed).code).toBe(4401);
  });

  it('is nothing that the authorization server knows', async () => {
    const { client_id: id, client_secret: secret } = await createClient(store, aCodeClient());
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const own = { ...type, authorization: basic(id, secret ?? '') };
    const form = (path: string, body: string, more: Record<string, string> = own) =>
      ['POST', path, { headers: more, body }] as const;
    const requests = IN_FORMS.flatMap((text) => [
      form('/oauth/token', `grant_type=client_credentials&client_id=${text}&client_secret=a`, type),
      form('/oauth/token', 'grant_type=client_credentials', { ...type, authorization: basic(text, 'a') }),
      form('/oauth/token', `grant_type=${text}`),
      form('/oauth/token', `grant_type=client_credentials&scope=${text}`),
      form('/oauth/token', `grant_type=client_credentials&resource=${text}`),
      form('/oauth/token', `grant_type=authorization_code&code=${text}&redirect_uri=a&code_verifier=a`),
      form('/oauth/token', `grant_type=authorization_code&code=a&redirect_uri=${text}&code_verifier=${text}`),
      form('/oauth/token', `grant_type=refresh_token&refresh_token=${text}`),
      form('/oauth/token/revocation', `token=${text}`),
      form('/oauth/token/introspection', `token=${text}&token_type_hint=${text}`),
      form('/oauth/session/end/confirm', `xsrf=${text}&logout=${text}`, { ...type, ...OWN_FORM }),
      getRequest('/oauth/session/end', `client_id=${text}&post_logout_redirect_uri=https://a.example`),
      getRequest('/oauth/session/end', `id_token_hint=${text}&logout_hint=${text}&state=${text}`),
      getRequest('/oauth/auth', `client_id=${text}&response_type=code&redirect_uri=https://a.example`),
      ...['state', 'nonce', 'scope', 'prompt', 'login_hint', 'redirect_uri', 'resource', 'max_age'].map(
        (name) => getRequest('/oauth/auth', `client_id=${id}&response_type=code&${name}=${text}`),
      ),
      ['GET', `/oauth/auth/${text}`, {}] as const,
      ['GET', `/oauth/interaction/${text}`, {}] as const,
      ['POST', `/oauth/interaction/${text}`, { headers: { ...type, ...OWN_FORM }, body: 'a=b' }] as const,
    ]);
    expect(await failing(requests)).toEqual([]);
    const [, , init] = form(
      '/oauth/token',
      'grant_type=client_credentials&client_id=%00&client_secret=a',
      type,
    );
    const answer = await fetch(`${store.url}/oauth/token`, { ...init, method: 'POST' });
    expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  it('is no e-mail address and no password at the sign-in', async () => {
    const client = await createClient(store, aCodeClient());
    const visitor = new Visitor(store);
    for (const [email, password] of [
      ['a\0b@example.com', 'secret'],
      ['a@example.com', '\0'],
    ] as const) {
      const request = await authorizationRequest(await relyingParty(store, client));
      const page = await visitor.signIn(await visitor.open(request.address), email, password);
      expect([page.status, page.text]).toEqual([403, expect.stringContaining('password is wrong')]);
    }
  });
});
