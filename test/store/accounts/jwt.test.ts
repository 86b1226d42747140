import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REVOCATION_MARK, Revocations } from '../../../src/store/tokens/revocations.js';
import { publicJwkOf, SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { subjectOf, userIdIn } from '../../../src/store/tokens/subject.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword, PASSWORD } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { open } from '../../support/clients/live.js';
import {
  asBearer,
  AUDIENCE,
  bearer,
  claimsOf,
  ISSUER,
  tokenOf,
  userTokenOf,
} from '../../support/clients/tokens.js';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

type Forge = () => Promise<string> | string;
const now = (): number => Math.floor(Date.now() / 1000);

it('a subject names a user only if it has the right form', () => {
  expect(userIdIn(subjectOf(7))).toBe(7);
  for (const other of ['7', 'user:', 'user:0', 'user:07', 'user:7 ', 'user:7:1', 'user:9999999999999999']) {
    expect([other, userIdIn(other)]).toEqual([other, null]);
  }
});

describeOnEachEngine('JWTs of the store', (engine) => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp(engine);
  });
  afterAll(() => store.close());

  const me = (token: string) => store.call('GET', '/api/users/me', asBearer(token));
  const orders = (token: string) => store.call('GET', '/api/orders', asBearer(token));

  const current = () => store.app.get(SigningKeys, { strict: false }).current();
  const parts = async (change: (parts: string[]) => string[]): Promise<string> =>
    change((await tokenOf(store)).split('.')).join('.');
  const without =
    (name: string): Forge =>
    () =>
      tokenOf(store, { [name]: undefined });

  it('give access only to the operations of their scopes', async () => {
    await placeOrder(store);
    const token = await tokenOf(store, { scope: 'orders:read unknown:scope' });
    expect((await orders(token)).body.length).toBeGreaterThan(0);
    const refused = await store.call('GET', '/api/users', asBearer(token));
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="store", error="insufficient_scope", scope="users:read"',
    );
    expect((await orders(await tokenOf(store, { scope: 'admin' }))).status).toBe(200);
  });

  it('give access to the data of a user within the granted scopes', async () => {
    const order = await placeOrder(store);
    await placeOrder(store);
    const id = order.user_id as number;
    const token = await userTokenOf(store, id, 'orders:read admin');
    expect((await orders(token)).body.map((each: { id: number }) => each.id)).toEqual([order.id]);
    expect((await store.call('GET', `/api/users/${id}`, asBearer(token))).status).toBe(403);
    const cancel = { ...asBearer(token), body: { status: 'cancelled' } };
    expect((await store.call('PATCH', `/api/orders/${order.id}`, cancel)).status).toBe(403);
    expect((await store.call('GET', '/api/products', asBearer(token))).status).toBe(200);
  });

  it('cannot change the password of the user', async () => {
    const { id, email } = await createUserWithPassword(store);
    const token = await userTokenOf(store, id, 'users:read users:write');
    const [path, call] = [`/api/users/${id}`, asBearer(token)];
    const password = 'another horse battery staple';
    expect((await store.call('PATCH', path, { ...call, body: { name: 'Ada' } })).status).toBe(200);
    expect((await store.call('PATCH', path, { ...call, body: { password } })).status).toBe(403);
    const body = { name: 'Ada', email, password };
    expect((await store.call('PUT', path, { ...call, body })).status).toBe(403);
    const update = `mutation { updateUser(id: ${id}, password: "${password}") { id } }`;
    const { errors } = await store.graphql(update, undefined, { key: null, headers: bearer(token) });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await store.call('GET', '/api/users/me', asBasic(email, PASSWORD))).status).toBe(200);
  });

  describe('are refused', () => {
    const usual = { alg: 'ES256', typ: 'at+jwt' };
    /** A token with a fault in its header or its claims, signed with the current key of the store. */
    const forged = async (header: object, claims: object = claimsOf()): Promise<string> => {
      const { kid, privateKey } = await current();
      const text = `${encoded({ ...usual, kid, ...header })}.${encoded(claims)}`;
      const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    };
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const strangers = stranger.publicKey.export({ format: 'jwk' });
    const byStranger = async (header: object): Promise<string> => {
      const { kid } = await current();
      return new SignJWT(claimsOf())
        .setProtectedHeader({ ...usual, kid, ...header })
        .sign(stranger.privateKey);
    };
    const hmac = async (secret: (pem: string, jwk: string) => string): Promise<string> => {
      const key = await current();
      const pem = key.publicKey.export({ format: 'pem', type: 'spki' }) as string;
      const text = `${encoded({ ...usual, alg: 'HS256', kid: key.kid })}.${encoded(claimsOf())}`;
      const mac = createHmac('sha256', secret(pem, JSON.stringify(publicJwkOf(key)))).update(text);
      return `${text}.${mac.digest('base64url')}`;
    };

    const FORGERIES: Record<string, Forge> = {
      'without a signature (none)': () => forged({ alg: 'none' }).then((text) => text.replace(/[^.]*$/, '')),
      'alg none with a signature': () => forged({ alg: 'none' }),
      'alg None': () => forged({ alg: 'None' }),
      'HS256 by the public key as PEM': () => hmac((pem) => pem),
      'HS256 by the public key as JWK': () => hmac((_pem, jwk) => jwk),
      'HS256 with an empty key': () => hmac(() => ''),
      'another algorithm in the header': () => forged({ alg: 'ES384' }),
      'RS256 in the header': () => forged({ alg: 'RS256' }),
      'a number as alg': () => forged({ alg: 5 }),
      'signed by a stranger': () => byStranger({}),
      'with its own key in the header': () => byStranger({ jwk: strangers }),
      'with its own key and a kid': () => byStranger({ jwk: { ...strangers, kid: 'x' }, kid: 'x' }),
      'with the address of a key': () => byStranger({ jku: 'https://evil.example/jwks' }),
      'with a good signature and jku': () => forged({ jku: `${ISSUER}/jwks` }),
      'with x5u': () => forged({ x5u: 'https://evil.example/cert' }),
      'with x5c': () => forged({ x5c: ['AAAA'] }),
      'with crit': () => forged({ crit: ['exp'] }),
      'with b64 false': () => forged({ b64: false, crit: ['b64'] }),
      'with an unknown kid': () => forged({ kid: 'unknown' }),
      'with a kid that is SQL': () => forged({ kid: "' OR 1=1 --" }),
      'with a kid that is a path': () => forged({ kid: '../../dev/null' }),
      'without a kid': () => forged({ kid: undefined }),
      'with a kid that is not a text': () => forged({ kid: ['a'] }),
      'typ JWT': () => forged({ typ: 'JWT' }),
      'without typ': () => forged({ typ: undefined }),
      'an ID token': () => forged({ typ: 'id_token+jwt' }),
      'for another audience': () => tokenOf(store, { aud: 'https://other.example' }),
      'without an audience': without('aud'),
      'for an address that begins like ours': () => tokenOf(store, { aud: `${AUDIENCE}.evil.example` }),
      'of another issuer': () => tokenOf(store, { iss: 'https://other.example' }),
      'without an issuer': without('iss'),
      'with a list of issuers': () => forged({}, { ...claimsOf(), iss: [ISSUER] }),
      expired: () => tokenOf(store, { exp: now() - 10 }),
      'that never expire': without('exp'),
      'with a text as the expiry': () => forged({}, { ...claimsOf(), exp: '9999999999' }),
      'not valid yet': () => tokenOf(store, { nbf: now() + 60 }),
      'without iat': without('iat'),
      'issued in the future': () => tokenOf(store, { iat: now() + 60 }),
      'issued two days ago': () => tokenOf(store, { iat: now() - 172_800 }),
      'without sub': without('sub'),
      'with a number as sub': () => forged({}, { ...claimsOf(), sub: 7 }),
      'without client_id': without('client_id'),
      'without jti': without('jti'),
      'with a sub other than the client_id': () => tokenOf(store, { sub: 'somebody' }),
      'of an unknown user': () => userTokenOf(store, 987_654),
      'of a user in another spelling': () => tokenOf(store, { sub: 'user:01' }),
      'with padding': () => parts(([header, ...rest]) => [`${header}==`, ...rest]),
      'with other last bits': () =>
        parts(([header = '', claims = '', signature = '']) => [header, claims, otherwise(signature)]),
      'in base64 with + and /': () => parts(([header, claims]) => [header ?? '', claims ?? '', '+/+/']),
      'with an empty part': () => parts(([header, , signature]) => [header ?? '', '', signature ?? '']),
      'of four parts': () => parts((all) => [...all, 'x']),
      'of five parts, encrypted': () => parts((all) => [...all, 'x', 'y']),
      'that are not JSON': () => parts(([, claims, signature]) => ['AAAA', claims ?? '', signature ?? '']),
      'that are a list': () => forged({}, [claimsOf()]),
      'with changed claims': () =>
        parts(([header, , signature]) => [
          header ?? '',
          encoded(claimsOf({ scope: 'admin' })),
          signature ?? '',
        ]),
      twice: async () => `${await tokenOf(store)}, Bearer ${await tokenOf(store)}`,
      empty: () => '',
      dots: () => '..',
    };

    it('only for their fault: a token without a fault that is made in the same way is accepted', async () => {
      expect((await orders(await forged({}, claimsOf({ scope: 'orders:read' })))).status).toBe(200);
    });

    it.each(Object.entries(FORGERIES))('%s', async (_what, forge) => {
      const token = await forge();
      const answer = await store.call('GET', '/api/products?limit=1', asBearer(token));
      expect(answer.status).toBe(401);
      const challenge = answer.headers.get('www-authenticate') ?? '';
      expect(challenge).toMatch(
        /Bearer realm="store", resource_metadata="[^"]+", error="invalid_token", error_description="[^"]+"/,
      );
      expect(challenge).toContain('ApiKey realm="store"');
      const longest = token.split('.').find((part) => part.length > 8) ?? 'no such text';
      expect(answer.text + challenge).not.toContain(longest);
      // A second use of the token is refused too.
      expect((await orders(token)).status).toBe(401);
    });

    it('in the query string', async () => {
      const token = await tokenOf(store, { scope: 'admin' });
      const answer = await store.call('GET', `/api/orders?access_token=${token}`, { key: null });
      expect(answer.status).toBe(401);
      const beside = await store.call('GET', `/api/products?access_token=${token}`, { key: null });
      expect(beside.status).toBe(400);
    });

    it('together with another credential', async () => {
      const token = await tokenOf(store, { scope: 'admin' });
      expect((await store.call('GET', '/api/orders', { headers: bearer(token) })).status).toBe(400);
    });
  });

  describe('end', () => {
    it('when the password of the user changes', async () => {
      const { id } = await createUserWithPassword(store);
      const token = await userTokenOf(store, id, 'users:read');
      expect((await me(token)).status).toBe(200);
      await store.call('PATCH', `/api/users/${id}`, { body: { password: 'another horse battery' } });
      expect((await me(token)).status).toBe(401);
      expect((await me(await userTokenOf(store, id, 'users:read'))).status).toBe(200);
    });

    it.each([
      ['deleted', async () => (await createUser(store)).id],
      ['anonymised', async () => (await placeOrder(store)).user_id as number],
    ])('when the user is %s', async (_how, make) => {
      const id = await make();
      const token = await userTokenOf(store, id, 'users:read');
      expect((await me(token)).status).toBe(200);
      expect((await store.call('DELETE', `/api/users/${id}?anonymise=true`)).status).toBe(204);
      expect((await me(token)).status).toBe(401);
    });

    it('when the tokens of the client are ended', async () => {
      const client = randomUUID();
      const token = await tokenOf(store, { sub: client, client_id: client, scope: 'orders:read' });
      const { id } = await createUser(store);
      const lent = await tokenOf(store, { sub: subjectOf(id), client_id: client, scope: 'users:read' });
      expect([(await orders(token)).status, (await me(lent)).status]).toEqual([200, 200]);
      await store.app.get(Revocations, { strict: false }).endAllOf({ clientId: client });
      expect([(await orders(token)).status, (await me(lent)).status]).toEqual([401, 401]);
      const next = await tokenOf(store, { sub: client, client_id: client, scope: 'orders:read' });
      expect((await orders(next)).status).toBe(200);
    });

    it('if their mark is lower than the number of a revocation, even if the clock was set back in between', async () => {
      const client = randomUUID();
      const revocations = store.app.get(Revocations, { strict: false });
      const tokenAt = async (issuedAt: number) =>
        tokenOf(store, {
          sub: client,
          client_id: client,
          scope: 'orders:read',
          iat: issuedAt / 1000,
          [REVOCATION_MARK]: await revocations.mark(),
        });
      const before = await tokenAt(Date.now() + 3_000);
      expect((await orders(before)).status).toBe(200);
      await revocations.endAllOf({ clientId: client });
      const after = await tokenAt(Date.now() - 60_000);
      expect([(await orders(before)).status, (await orders(after)).status]).toEqual([401, 200]);
    });

    it('if their mark is higher than the number of the store, as after a restore of the database', async () => {
      const client = randomUUID();
      const mark = await store.app.get(Revocations, { strict: false }).mark();
      const tokenWith = (change: number) =>
        tokenOf(store, {
          sub: client,
          client_id: client,
          scope: 'orders:read',
          [REVOCATION_MARK]: change,
        });
      expect((await orders(await tokenWith(mark))).status).toBe(200);
      expect((await orders(await tokenWith(mark + 1_000))).status).toBe(401);
    });

    it('when their signing key ends', async () => {
      const keys = store.app.get(SigningKeys, { strict: false });
      const token = await tokenOf(store, { scope: 'orders:read' });
      expect((await orders(token)).status).toBe(200);
      await keys.rotate(60_000);
      expect((await orders(token)).status).toBe(200);
      expect((await orders(await tokenOf(store, { scope: 'orders:read' }))).status).toBe(200);
      await keys.rotate(0);
      expect((await orders(token)).status).toBe(401);
    });

    it('when they expire, and then close their WebSocket', async () => {
      const order = await placeOrder(store);
      const soon = Math.floor(Date.now() / 1000) - 3;
      const claims = { sub: subjectOf(order.user_id as number), scope: 'orders:read', exp: soon };
      // The token is valid for at most two more seconds, because the service allows clocks to differ by five seconds.
      const token = await tokenOf(store, claims);
      const socket = await open(store);
      socket.say({ type: 'connection_init', payload: bearer(token) });
      expect((await socket.hear()).type).toBe('connection_ack');
      await expect.poll(async () => (await me(token)).status, { timeout: 60_000 }).toBe(401);
      socket.say({ id: '1', type: 'subscribe', payload: { query: '{ products { id } }' } });
      expect((await socket.closed).code).toBe(4401);
    });
  });
});

/** The same bytes in another spelling: the last character has unused bits. */
function otherwise(part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(part.at(-1) as string);
  return part.slice(0, -1) + alphabet[last ^ 1];
}
