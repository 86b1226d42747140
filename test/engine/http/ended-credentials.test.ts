import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword, hashCheaply } from '../../support/clients/basic.js';
import { createKey } from '../../support/clients/keys.js';
import { createUser } from '../../support/fixtures/fixtures.js';
import { bearer, userTokenOf } from '../../support/clients/tokens.js';

let store: TestApp;
beforeAll(async () => {
  store = await startApp('sqlite');
  hashCheaply(store);
});
afterAll(() => store.close());

const QUERY = JSON.stringify({ query: '{ usersConnection(first: 1) { totalCount } }' });
const PRODUCT = JSON.stringify({ name: 'Late', price: 1 });

interface Answered {
  readonly status: number;
  readonly text: string;
}

/**
 * Begins a request, and waits until the service has the headers. Returns a function that sends the body and returns the
 * answer.
 */
async function begin(
  method: string,
  path: string,
  headers: object,
  body: string,
): Promise<() => Promise<Answered>> {
  const type = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  // The service answers `Expect` when it begins to read the body. So it has checked the credential by then.
  const expects = path === '/graphql' ? {} : { expect: '100-continue' };
  const sent: ClientRequest = request(store.url + path, {
    method,
    headers: { ...type, ...expects, ...headers },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  sent.flushHeaders();
  if (path === '/graphql') await new Promise((resolve) => setTimeout(resolve, 300));
  else await new Promise((resolve) => sent.once('continue', resolve));
  return async () => {
    sent.end(body);
    const response = await answered;
    return { status: response.statusCode as number, text: await text(response) };
  };
}

describe('a credential that ends while the client sends the body', () => {
  it.each([
    ['POST', '/api/v1/products', PRODUCT, 201],
    ['POST', '/api/v2/api-keys', '{"name": "Next"}', 201],
    ['POST', '/graphql', QUERY, 200],
  ])('is refused: %s %s', async (method, path, body, good) => {
    const key = await createKey(store, ['admin']);
    const headers = { 'x-api-key': key };
    const [early, late] = [
      await begin(method, path, headers, body),
      await begin(method, path, headers, body),
    ];
    const answer = await early();
    expect(answer.status).toBe(good);
    expect(JSON.parse(answer.text)).not.toHaveProperty('errors');
    await store.call('DELETE', `/api/v2/api-keys/${key.split('_')[1]}`);
    expect((await late()).status).toBe(401);
  });

  it('is refused if it is a password, or a token of the user', async () => {
    const user = await createUserWithPassword(store);
    const path = `/api/v1/users/${user.id}`;
    const old = asBasic(user.email).headers as object;
    const body = JSON.stringify({ password: 'the phrase of an attacker' });
    const token = bearer(await userTokenOf(store, user.id, 'users:write'));
    const renaming = JSON.stringify({ name: 'Late' });
    const late = [await begin('PATCH', path, old, body), await begin('PATCH', path, token, renaming)];
    await store.call('PATCH', path, { body: { password: 'the new phrase of the user' } });
    for (const send of late) expect((await send()).status).toBe(401);
    const { status } = await store.call(
      'GET',
      '/api/users/me',
      asBasic(user.email, 'the new phrase of the user'),
    );
    expect(status).toBe(200);
  });

  it('has no effect on a request with another credential', async () => {
    const user = await createUser(store);
    const [key, other] = [await createKey(store, [], user.id), await createKey(store, [], user.id)];
    const body = JSON.stringify({ name: 'Ada King' });
    const send = await begin('PATCH', `/api/v1/users/${user.id}`, { 'x-api-key': key }, body);
    await store.call('DELETE', `/api/v2/api-keys/${other.split('_')[1]}`);
    expect((await send()).status).toBe(200);
  });
});
