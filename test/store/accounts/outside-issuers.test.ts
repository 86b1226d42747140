import { once } from 'node:events';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Collector, newId } from '../../../testkit/collector.js';
import type { OutsideIssuer } from '../../../src/engine/config/outside-issuers.js';
import { loadConfig } from '../../../src/engine/config/config.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { asBearer, ISSUER } from '../../support/clients/tokens.js';

const OUTSIDE = 'https://login.example';
const STORE = 'https://store.example';

interface Pair {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** The tests share these pairs, because it takes long to make a pair. */
const [PUBLISHED, ...OTHERS] = Array.from({ length: 4 }, () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }),
) as [KeyPair, ...KeyPair[]];
type KeyPair = Omit<Pair, 'kid'>;

let pairs = 0;
/** One of three pairs, with a key id of its own. */
function newPair(): Pair {
  pairs += 1;
  return { kid: `key ${pairs}`, ...(OTHERS[pairs % OTHERS.length] as KeyPair) };
}

function jwkOf({ kid, publicKey }: Pair): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
}

function tokenBy({ kid, privateKey }: Pair, more: JWTPayload = {}, header: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: OUTSIDE, aud: STORE, sub: 'ada', iat: now, exp: now + 600, ...more };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid, ...header })
    .sign(privateKey);
}

/** The place where an outside issuer publishes its keys. */
class Issuer {
  readonly server: Server;
  asked = 0;
  /** The headers of the last request. */
  headers: IncomingHttpHeaders = {};
  answer: (response: ServerResponse) => void = () => undefined;

  constructor() {
    this.server = createServer(({ headers }, response) => {
      this.asked += 1;
      this.headers = headers;
      this.answer(response);
    });
  }

  publish(...keys: readonly unknown[]): void {
    this.answer = (response) => response.end(JSON.stringify({ keys }));
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/jwks`;
  }
}

function settingsFor(jwksUri: string): Record<string, string> {
  const issuer = { issuer: OUTSIDE, jwks_uri: jwksUri, audience: STORE, algorithms: ['RS256'], typ: 'JWT' };
  return { STORE_JWT_ISSUERS: JSON.stringify([{ ...issuer, scopes: ['orders:read', 'users:read'] }]) };
}

describeOnEachEngine('JWTs of an outside issuer', (engine) => {
  const outside = new Issuer();
  const pair: Pair = { kid: 'published', ...PUBLISHED };
  let store: TestApp;
  beforeAll(async () => {
    outside.publish(jwkOf(pair), { kty: 'OKP', kid: 'of a kind unknown here' }, 'no key');
    store = await startApp(engine, settingsFor(await outside.listen()));
  });
  afterAll(async () => {
    await store.close();
    outside.server.close();
  });

  const get = async (path: string, token: string) => store.call('GET', path, asBearer(token));
  const link = (subject: string, user: number) =>
    store.call('POST', '/api/identities', { body: { issuer: OUTSIDE, subject, user_id: user } });

  it('have at most the scopes that the settings allow the issuer', async () => {
    await placeOrder(store);
    const token = await tokenBy(pair, { scope: 'orders:read products:write admin' });
    expect((await get('/api/orders', token)).body.length).toBeGreaterThan(0);
    expect((await get('/api/users', token)).status).toBe(403);
    const write = { ...asBearer(token), body: { name: 'a', price: 1 } };
    expect((await store.call('POST', '/api/products', write)).status).toBe(403);
    expect((await get('/api/api-keys', token)).status).toBe(403);
    expect(outside.asked).toBe(1);
  });

  it('are tokens of a user only if an identity links them to this user', async () => {
    const order = await placeOrder(store);
    const user = order.user_id as number;
    const [byId, bySubject] = [
      await tokenBy(pair, { sub: String(user) }),
      await tokenBy(pair, { sub: 'eve' }),
    ];
    const likeOurs = await tokenBy(pair, { sub: `user:${user}` });
    for (const token of [byId, bySubject, likeOurs]) {
      expect((await get(`/api/users/${user}`, token)).status).toBe(403);
    }
    const { status, body, headers } = await link('eve', user);
    expect([status, headers.get('location')]).toEqual([201, `/api/identities/${body.id}`]);
    expect((await get('/api/users/me', bySubject)).body.user.id).toBe(user);
    const orders = (await get('/api/orders', bySubject)).body as { id: number }[];
    expect(orders.map(({ id }) => id)).toEqual([order.id]);
    expect((await get(`/api/users/${user}`, byId)).status).toBe(403);
    // The token loses this access when the identity is deleted.
    expect((await store.call('DELETE', `/api/identities/${body.id}`)).status).toBe(204);
    expect((await get(`/api/users/${user}`, bySubject)).status).toBe(403);
  });

  it.each(['', 'a\0b', 'a\uD800b'])('are refused if no identity can have their subject: %j', async (sub) => {
    const { status, body } = await get('/api/orders', await tokenBy(pair, { sub, scope: 'orders:read' }));
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('end when the linked user is deleted', async () => {
    const { id } = await createUser(store);
    await link('gone', id);
    const token = await tokenBy(pair, { sub: 'gone', scope: 'orders:read' });
    expect((await get('/api/users/me', token)).status).toBe(200);
    await store.call('DELETE', `/api/users/${id}`);
    expect((await get('/api/users/me', token)).status).toBe(401);
    expect((await get('/api/orders', token)).status).toBe(401);
  });

  it('end when the linked user gets a new password; tokens that are issued later are valid', async () => {
    const { id } = await createUser(store);
    await link('changed', id);
    const iat = Math.floor(Date.now() / 1000) - 60;
    const [before, other] = (await Promise.all(
      ['changed', 'not changed'].map((sub) => tokenBy(pair, { sub, iat, scope: 'orders:read' })),
    )) as [string, string];
    expect((await get('/api/users/me', before)).status).toBe(200);
    expect((await get('/api/orders', other)).status).toBe(200);
    const change = { body: { password: 'correct horse battery staple' } };
    expect((await store.call('PATCH', `/api/users/${id}`, change)).status).toBe(200);
    const { status, body } = await get('/api/users/me', before);
    expect([status, body.detail]).toEqual([401, 'The access token has been revoked.']);
    expect((await get('/api/orders', before)).status).toBe(401);
    expect((await get('/api/orders', other)).status).toBe(200);
    // The clock of the issuer may be a little ahead.
    const after = await tokenBy(pair, { sub: 'changed', iat: Math.floor(Date.now() / 1000) + 3 });
    expect((await get('/api/users/me', after)).body.user.id).toBe(id);
  });

  it('name a subject that can be linked only once, and the identities are listed', async () => {
    const { id } = await createUser(store);
    const made = (await link('twice', id)).body;
    const again = await link('twice', (await createUser(store)).id);
    expect([again.status, again.body.code]).toEqual([409, 'IDENTITY_TAKEN']);
    const nobody = await link('nobody', 987_654);
    expect([nobody.status, nobody.body.errors[0].pointer]).toEqual([400, '#/user_id']);
    expect((await store.call('GET', `/api/identities?user_id=${id}`)).body).toEqual([made]);
    expect((await store.call('GET', `/api/identities/${made.id}`)).body).toEqual(made);
  });

  it.each([
    ['of another type', () => tokenBy(pair, {}, { typ: 'at+jwt' })],
    ['for another audience', () => tokenBy(pair, { aud: 'https://other.example' })],
    ['with the store as the issuer', () => tokenBy(pair, { iss: ISSUER })],
    ['with an algorithm that is not listed', () => tokenBy(pair, {}, { alg: 'PS256' })],
    ['signed with another key', () => tokenBy({ ...newPair(), kid: pair.kid })],
    ['signed with a key that is not published', () => tokenBy(newPair())],
    ['without a key id', () => tokenBy(pair, {}, { kid: undefined })],
  ])('are refused %s', async (_what, make) => {
    expect((await get('/api/products', await make())).status).toBe(401);
  });

  it('with unknown keys do not make the service request keys again and again', async () => {
    const asked = outside.asked;
    for (let n = 0; n < 5; n += 1) await get('/api/products', await tokenBy(newPair()));
    expect(outside.asked - asked).toBeLessThanOrEqual(1);
  });
});

describe('the keys of an outside issuer', () => {
  const pair: Pair = { kid: 'published', ...PUBLISHED };
  let outside: Issuer;
  let store: TestApp;
  const withStore = (work: () => Promise<void>) => async () => {
    outside = new Issuer();
    store = await startApp('sqlite', settingsFor(await outside.listen()));
    try {
      await work();
    } finally {
      await store.close();
      outside.server.close();
      outside.server.closeAllConnections();
    }
  };
  const status = async (token: string) => (await store.call('GET', '/api/products', asBearer(token))).status;

  it(
    'are used while the issuer cannot be reached, if they are known',
    withStore(async () => {
      outside.publish(jwkOf(pair));
      expect(await status(await tokenBy(pair))).toBe(200);
      outside.server.close();
      outside.server.closeAllConnections();
      expect(await status(await tokenBy(pair, { sub: 'eve' }))).toBe(200);
    }),
  );

  it.each<[string, (response: ServerResponse) => void]>([
    ['answers with an error', (response) => response.writeHead(500).end()],
    ['redirects elsewhere', (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()],
    ['sends an answer that is too long', (response) => response.end(`{"keys": [${'1,'.repeat(200_000)}1]}`)],
    ['answers without keys', (response) => response.end('{}')],
    ['answers without JSON', (response) => response.end('<html>')],
    ['closes the connection', (response) => response.destroy()],
  ])('give 503, not 401, when the issuer %s', (_what, answer) =>
    withStore(async () => {
      outside.answer = answer;
      const refused = await store.call('GET', '/api/products', asBearer(await tokenBy(pair)));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    })(),
  );

  it(
    'verify nothing if they are too weak or have another purpose',
    withStore(async () => {
      const weak = { kid: 'weak', ...generateKeyPairSync('rsa', { modulusLength: 1024 }) };
      const forEncryption = newPair();
      const ofAnother = newPair();
      outside.publish(
        jwkOf(weak),
        { ...jwkOf(forEncryption), use: 'enc' },
        { ...jwkOf(ofAnother), alg: 'RS512' },
        { kty: 'oct', kid: pair.kid, k: 'AAAA' },
      );
      for (const each of [forEncryption, ofAnother, pair]) {
        expect([each.kid, await status(await tokenBy(each))]).toEqual([each.kid, 401]);
      }
      // jose refuses to sign with a weak key, so this test signs the token itself.
      const [header, claims] = (await tokenBy({ ...newPair(), kid: weak.kid })).split('.');
      const signature = sign('sha256', Buffer.from(`${header}.${claims}`), weak.privateKey);
      expect(await status(`${header}.${claims}.${signature.toString('base64url')}`)).toBe(401);
      expect(outside.asked).toBe(1);
    }),
  );
});

describe('the request for the keys of an outside issuer', () => {
  const CALLER = '00f067aa0ba902b7';
  const pair: Pair = { kid: 'published', ...PUBLISHED };

  /** Starts a service, sends it a token, and returns the issuer that the service asked for its keys. */
  const askedBy = async (settings: Record<string, string>, traceparent: string): Promise<Issuer> => {
    const issuer = new Issuer();
    onTestFinished(() => void issuer.server.close());
    issuer.publish(jwkOf(pair));
    const store = await startApp('sqlite', { ...settingsFor(await issuer.listen()), ...settings });
    onTestFinished(() => store.close());
    const { headers } = asBearer(await tokenBy(pair, { scope: 'orders:read' }));
    const answer = await store.call('GET', '/api/orders', {
      key: null,
      headers: { ...headers, traceparent, tracestate: 'of=caller', baggage: 'of=caller' },
    });
    expect(answer.status).toBe(200);
    expect(issuer.asked).toBe(1);
    expect(issuer.headers).not.toHaveProperty('tracestate');
    expect(issuer.headers).not.toHaveProperty('baggage');
    return issuer;
  };

  it('continues the trace of a recorded request', async () => {
    const collector = await Collector.start();
    onTestFinished(() => collector.stop());
    const traceId = newId(16);
    const { headers } = await askedBy(
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      `00-${traceId}-${CALLER}-01`,
    );
    const spans = await collector.trace(traceId);
    const call = spans.find(({ kind, name }) => kind === 'client' && name === 'GET');
    const request = spans.find(({ kind }) => kind === 'server');
    expect(call).toMatchObject({
      parentId: request?.spanId,
      attributes: { 'url.full': expect.stringMatching(/^http:.*\/jwks$/) as string },
    });
    expect(headers['traceparent']).toBe(`00-${traceId}-${call?.spanId}-01`);
  });

  it('has no traceparent if the request of the client is not recorded', async () => {
    const collector = await Collector.start();
    onTestFinished(() => collector.stop());
    const { headers } = await askedBy(
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      `00-${newId(16)}-${CALLER}-00`,
    );
    expect(headers).not.toHaveProperty('traceparent');
  });

  it('has no traceparent if traces are off', async () => {
    const { headers } = await askedBy({}, `00-${newId(16)}-${CALLER}-01`);
    expect(headers).not.toHaveProperty('traceparent');
  });
});

function read(...issuers: readonly unknown[]): readonly OutsideIssuer[] {
  return loadConfig({ STORE_JWT_ISSUERS: JSON.stringify(issuers) }).access.jwtIssuers;
}

describe('STORE_JWT_ISSUERS', () => {
  const good = {
    issuer: OUTSIDE,
    jwks_uri: 'https://login.example/jwks',
    audience: STORE,
    algorithms: ['ES256'],
  };
  it('gives an issuer the typ at+jwt and no scopes by default', () => {
    expect(read(good)).toEqual([
      {
        issuer: OUTSIDE,
        jwksUri: 'https://login.example/jwks',
        audience: STORE,
        algorithms: ['ES256'],
        typ: 'at+jwt',
        scopes: [],
      },
    ]);
    expect(loadConfig({}).access.jwtIssuers).toEqual([]);
  });

  it('is refused with a list of all faults', () => {
    const bad = { ...good, issuer: 7, algorithms: ['HS256'], jwks_uri: 'http://login.example/jwks', more: 1 };
    expect(() => read(good, bad, 'x')).toThrow(
      /\[1\] more is not a known member.*\[1\] issuer must.*\[1\] jwks_uri must.*\[1\] algorithms must.*\[2\] must be an object/,
    );
  });

  it.each([
    ['a text that is not JSON', 'x', /must be a JSON list/],
    ['JSON that is not a list', '{}', /must be a JSON list/],
    ['a duplicate issuer', JSON.stringify([good, good]), /names https:\/\/login\.example twice/],
    ['alg none', JSON.stringify([{ ...good, algorithms: ['none'] }]), /algorithms must be a list of ES256/],
    ['no algorithm', JSON.stringify([{ ...good, algorithms: [] }]), /algorithms must/],
    ['an unknown scope', JSON.stringify([{ ...good, scopes: ['all'] }]), /scopes must be a list of/],
    ['another typ', JSON.stringify([{ ...good, typ: 'id' }]), /typ must be at\+jwt or JWT/],
    [
      'a password in an address',
      JSON.stringify([{ ...good, jwks_uri: 'https://a:b@c/' }]),
      /jwks_uri must be an https/,
    ],
    [
      'a name that begins like an address of this machine',
      JSON.stringify([{ ...good, jwks_uri: 'http://127.0.0.1.evil.example/' }]),
      /jwks_uri/,
    ],
  ])('is refused with %s', (_what, text, fault) => {
    expect(() => loadConfig({ STORE_JWT_ISSUERS: text })).toThrow(fault);
  });

  it('may not name the service itself', async () => {
    const settings = { STORE_JWT_ISSUERS: JSON.stringify([{ ...good, issuer: ISSUER }]) };
    await expect(startApp('sqlite', settings)).rejects.toThrow('names this service itself');
  });
});
