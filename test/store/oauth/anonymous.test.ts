import { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { all, one, raw, run, sql } from '../../../src/engine/database/sql.js';
import { hashOf } from '../../../src/store/accounts/api-key.js';
import { ArtifactsRepository } from '../../../src/store/oauth/artifacts.repository.js';
import { ExpiredArtifacts } from '../../../src/store/oauth/artifacts.purge.js';
import { subjectOf } from '../../../src/store/tokens/subject.js';
import type { TestApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword } from '../../support/clients/basic.js';
import {
  aCodeClient,
  authorizationRequest,
  createClient,
  PUBLIC_URL,
  relyingParty,
  startOAuth,
  tokenRequest,
  tokensOf,
  Visitor,
  type ClientBody,
} from '../../support/clients/oauth.js';
import { asBearer } from '../../support/clients/tokens.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import type { UserBody } from '../../support/fixtures/fixtures.js';

/** The bounds that docs/security.md and docs/guides/oauth.md state. */
const MOST_OF_ONE = 200;
const MOST_OF_ALL = 10_000;
const MOST_OF_CLIENT = 10_000;
const MAX_QUERY = 4_096;
/** The largest row that a query of this length can make. */
const MAX_ROW_BYTES = 24_576;
/** The number of requests that a flood sends at a time. */
const AT_A_TIME = 40;
const FLOODER = '192.0.2.66';

/** A visitor whose requests come from an address of its own. */
class VisitorFrom extends Visitor {
  constructor(
    store: TestApp,
    readonly ip: string,
  ) {
    super(store);
  }

  override open(address: string, init: RequestInit = {}) {
    const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': this.ip };
    return super.open(address, { ...init, headers });
  }
}

const flood = async (count: number, send: () => Promise<Response>) => {
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < count; sent += AT_A_TIME) {
    const answers = await Promise.all(Array.from({ length: Math.min(AT_A_TIME, count - sent) }, send));
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return Object.fromEntries(statuses);
};

/** A query of the largest length that makes the largest row: the value is stored twice, and each byte is escaped. */
const largest = (begun: string) => {
  const [, query = ''] = begun.split('?');
  const room = MAX_QUERY - query.length - '&login_hint='.length;
  return `${begun}&login_hint=${'%01'.repeat(Math.floor(room / 3))}`;
};

const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
const json = (body: object, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: {
    'content-type': 'application/json',
    'idempotency-key': '"anonymous-0123456789"',
    ...headers,
  },
});

describeOnEachEngine('the data that the authorization server keeps for callers', (engine) => {
  let store: TestApp;
  let client: ClientBody;
  let user: UserBody;
  /** The path of a valid authorization request, with its query. */
  let path: string;
  beforeAll(async () => {
    store = await startOAuth(engine, { STORE_TRUST_PROXY: 'true' });
    client = await createClient(store, aCodeClient());
    user = await createUserWithPassword(store);
    const { address } = await authorizationRequest(await relyingParty(store, client));
    path = address.replace(PUBLIC_URL, '');
  });
  afterAll(() => store.close());

  const database = () => store.app.get(Database, { strict: false });
  beforeEach(() => database().unitOfWork.run(() => run(sql`DELETE FROM oauth_artifacts`)));

  const kept = async () => {
    const row = await database().unitOfWork.run(() =>
      one<{ n: number; bytes: number | null; longest: number | null }>(sql`
        SELECT count(*) AS n, sum(length(payload)) AS bytes, max(length(payload)) AS longest FROM oauth_artifacts`),
    );
    return { rows: Number(row?.n), bytes: Number(row?.bytes), longest: Number(row?.longest) };
  };

  const begin = (ip: string, target = path, headers: Record<string, string> = {}) =>
    fetch(store.url + target, { redirect: 'manual', headers: { 'x-forwarded-for': ip, ...headers } });

  /**
   * Stores sign-ins of other senders, three of each. They expire together with the latest sign-in that is already in
   * the table.
   */
  const fill = (count: number) =>
    database().unitOfWork.run(() =>
      run(sql`
        INSERT INTO oauth_artifacts (model, id_hash, payload, expires_at, sender)
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
        SELECT 'Interaction', 'sign-in ' || n, '', (SELECT max(expires_at) FROM oauth_artifacts), 'sender ' || (n / 3)
        FROM numbers`),
    );

  /**
   * Requires that a flood has left as many rows as allowed. On PostgreSQL, requests at the same moment may leave a few
   * more or fewer. Each later request then removes one that is too many.
   */
  const requireBound = async (most: number, count: () => Promise<number>, send: () => Promise<unknown>) => {
    for (let sent = 0; sent < AT_A_TIME && (await count()) > most; sent++) await send();
    const left = await count();
    expect(left).toBeLessThanOrEqual(most);
    expect(left).toBeGreaterThan(engine === 'sqlite' ? most - 1 : most - AT_A_TIME);
  };
  const rows = async () => (await kept()).rows;

  const anonymous = async () => {
    const [row] = await database().unitOfWork.run(() =>
      all<{ n: number }>(sql`SELECT count(*) AS n FROM oauth_artifacts WHERE user_id IS NULL`),
    );
    return Number(row?.n);
  };
  const unfinished = () =>
    database().unitOfWork.run(() =>
      all<{ user_id: number; sender: string | null }>(
        sql`SELECT user_id, sender FROM oauth_artifacts WHERE model = 'Interaction'`,
      ),
    );

  it('is bounded for one address: the oldest sign-ins end', async () => {
    const first = new VisitorFrom(store, FLOODER);
    const page = await first.open(path);
    expect(page.status).toBe(200);
    expect(await flood(MOST_OF_ONE + AT_A_TIME, () => begin(FLOODER, largest(path)))).toEqual({
      303: MOST_OF_ONE + AT_A_TIME,
    });
    await requireBound(MOST_OF_ONE, rows, () => begin(FLOODER));
    const last = await new VisitorFrom(store, FLOODER).open(path);
    expect(last.text).toContain('<h1>Sign in</h1>');
    const { bytes, longest } = await kept();
    expect(longest).toBeLessThan(MAX_ROW_BYTES);
    expect(bytes).toBeLessThan((MOST_OF_ONE + 1) * MAX_ROW_BYTES);
    expect((await first.open(page.address)).status).toBe(404);
  });

  it('is bounded for all addresses together, and the address with the most sign-ins loses sign-ins', async () => {
    const visitors = [new VisitorFrom(store, '192.0.2.1'), new VisitorFrom(store, '192.0.2.2')] as const;
    const [begun, consenting] = [await visitors[0].open(path), await visitors[1].open(path)];
    const consent = await visitors[1].signIn(consenting, user.email);
    expect(consent.text).toContain('The program would be able to');
    await fill(MOST_OF_ALL - 1);
    expect(await flood(2 * AT_A_TIME, () => begin(FLOODER))).toEqual({ 303: 2 * AT_A_TIME });
    await requireBound(MOST_OF_ALL, anonymous, () => begin(FLOODER));
    const signedIn = await visitors[0].signIn(begun, user.email);
    expect(signedIn.text).toContain('The program would be able to');
    for (const [visitor, page] of [
      [visitors[0], signedIn],
      [visitors[1], consent],
    ] as const) {
      const { address } = await visitor.submit(page, { decision: 'allow' });
      expect(new URL(address).searchParams.get('code')).not.toBeNull();
    }
  });

  it('is bounded for a signed-in user: the oldest unfinished sign-ins of this user end', async () => {
    const visitor = new VisitorFrom(store, '192.0.2.3');
    await tokensOf(store, client, user.email, {}, visitor);
    const cookie = [...visitor.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
    const answers = await flood(MOST_OF_ONE + AT_A_TIME, () => begin(FLOODER, path, { cookie }));
    expect(answers).toEqual({ 303: MOST_OF_ONE + AT_A_TIME });
    const count = async () => (await unfinished()).length;
    await requireBound(MOST_OF_ONE, count, () => begin(FLOODER, path, { cookie }));
    expect((await unfinished()).every((row) => row.user_id === user.id && row.sender === null)).toBe(true);
  });

  it('loses only one sign-in for each new sign-in, even if the planner of PostgreSQL expects few rows', async () => {
    const insert = (model: string, count: number) =>
      database().unitOfWork.run(function* () {
        for (let n = 0; n < count; n++) {
          yield* run(sql`
            INSERT INTO oauth_artifacts (model, id_hash, payload, user_id, expires_at)
            VALUES (${model}, ${`sign-in ${1_000 + n}`}, '', ${user.id}, ${new Date(Date.now() + 1_000 * n)})`);
        }
      });
    await insert('Grant', 2_000);
    await database().unitOfWork.run(() => run(sql`ANALYZE oauth_artifacts`));
    await insert('Interaction', MOST_OF_ONE);
    const artifacts = store.app.get(ArtifactsRepository, { strict: false });
    await artifacts.store('Interaction', 'another sign-in', { accountId: subjectOf(user.id) }, 3_600);
    expect(await unfinished()).toHaveLength(MOST_OF_ONE);
  });

  const ownRows = () =>
    database().unitOfWork.run(() =>
      all<{ model: string; client_id: string | null; n: unknown }>(sql`
        SELECT model, client_id, count(*) AS n FROM oauth_artifacts WHERE user_id = ${user.id}
        GROUP BY model, client_id ORDER BY model, client_id`),
    );

  it('is bounded for the sessions of a user, and for the consents and tokens of a user for each program', async () => {
    const artifacts = store.app.get(ArtifactsRepository, { strict: false });
    const accountId = subjectOf(user.id);
    const issue = async (n: number, clientId: string) => {
      const grantId = `${clientId} ${n}`;
      const [owned, token] = [
        { accountId, clientId },
        { accountId, clientId, grantId },
      ];
      const lifetime = 1_000 + n;
      await artifacts.store('Session', `session ${grantId}`, { accountId }, lifetime);
      await artifacts.store('Grant', grantId, owned, lifetime);
      for (const model of ['AccessToken', 'RefreshToken']) {
        expect(await artifacts.store(model, `${model} ${grantId}`, token, lifetime)).toBe(true);
      }
    };
    for (let n = 0; n < 3; n++) await issue(n, 'other program');
    for (let n = 0; n < MOST_OF_ONE + 5; n++) await issue(n, 'program');
    const few = { client_id: 'other program', n: 3 };
    const many = { client_id: 'program', n: MOST_OF_ONE };
    expect((await ownRows()).map((row) => ({ ...row, n: Number(row.n) }))).toEqual([
      { model: 'AccessToken', ...few },
      { model: 'AccessToken', ...many },
      { model: 'Grant', ...few },
      { model: 'Grant', ...many },
      { model: 'RefreshToken', ...few },
      { model: 'RefreshToken', ...many },
      { model: 'Session', client_id: null, n: MOST_OF_ONE },
    ]);
    // The oldest grants have ended, and their tokens have ended with them.
    for (const [n, isThere] of [[4, false] as const, [5, true] as const]) {
      for (const model of ['Grant', 'AccessToken', 'RefreshToken']) {
        const id = model === 'Grant' ? `program ${n}` : `${model} program ${n}`;
        expect([id, (await artifacts.find(model, id)) !== undefined]).toEqual([id, isThere]);
      }
    }
  });

  it('ends the tokens of a consent with the consent, if a user has too many consents to a program', async () => {
    const artifacts = store.app.get(ArtifactsRepository, { strict: false });
    const owned = { accountId: subjectOf(user.id), clientId: 'program' };
    await artifacts.store('Grant', 'first', owned, 1_000);
    await artifacts.store('AccessToken', 'token', { ...owned, grantId: 'first' }, 5_000);
    for (let n = 0; n < MOST_OF_ONE; n++) await artifacts.store('Grant', `grant ${n}`, owned, 2_000);
    expect(await artifacts.find('Grant', 'first')).toBeUndefined();
    expect(await artifacts.find('AccessToken', 'token')).toBeUndefined();
    expect(await artifacts.find('Grant', 'grant 0')).toBeDefined();
  });

  const refresh = async (refresh_token: string): Promise<{ error?: string; refresh_token: string }> =>
    (await tokenRequest(store, client, { grant_type: 'refresh_token', refresh_token })).body;

  it('loses used refresh tokens first, so a device that is idle keeps its token while another device is busy', async () => {
    const idle = (await tokensOf(store, client, user.email)).tokens.refresh_token as string;
    let [last, next] = ['', (await tokensOf(store, client, user.email)).tokens.refresh_token as string];
    for (let n = 0; n < MOST_OF_ONE + 5; n++) [last, next] = [next, (await refresh(next)).refresh_token];
    const kinds = await ownRows();
    expect(Number(kinds.find(({ model }) => model === 'RefreshToken')?.n)).toBe(MOST_OF_ONE);
    expect((await refresh(idle)).error).toBeUndefined();
    // The second use of a token still ends all that came from it.
    expect((await refresh(last)).error).toBe('invalid_grant');
    expect((await refresh(next)).error).toBe('invalid_grant');
  });

  it('loses ended sessions first, so a browser that is signed in stays signed in', async () => {
    const artifacts = store.app.get(ArtifactsRepository, { strict: false });
    const accountId = subjectOf(user.id);
    await artifacts.store('Session', 'first', { accountId, uid: 'first' }, 1_000);
    for (let n = 0; n < MOST_OF_ONE + 5; n++) {
      await artifacts.store('Session', `session ${n}`, { accountId, uid: `${n}` }, 2_000);
      await artifacts.endSession(`${n}`);
    }
    expect(await artifacts.find('Session', 'first')).toBeDefined();
    expect((await ownRows()).map(({ model, n }) => [model, Number(n)])).toEqual([['Session', MOST_OF_ONE]]);
  });

  const tokenOfRobot = async ({ client_id, client_secret }: ClientBody): Promise<string> => {
    const fields = { grant_type: 'client_credentials', scope: 'orders:read' };
    return (await tokenRequest(store, { client_id, client_secret }, fields)).body.access_token;
  };
  const statusWith = async (token: string) =>
    (await store.call('GET', '/api/v1/orders', asBearer(token))).status;

  it('is bounded for the tokens that a client gets for itself: the tokens that expire first end', async () => {
    const [robot, other] = [await createClient(store), await createClient(store)];
    const [first, ofOther] = [await tokenOfRobot(robot), await tokenOfRobot(other)];
    const [past, later] = [new Date(Date.now() - 1_000), new Date(Date.now() + 86_400_000)];
    await database().unitOfWork.run(function* () {
      yield* run(sql`
        INSERT INTO oauth_artifacts (model, id_hash, payload, client_id)
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MOST_OF_CLIENT - 1})
        SELECT 'ClientCredentials', 'token ' || n, '', ${robot.client_id} FROM numbers`);
      yield* run(sql`UPDATE oauth_artifacts SET expires_at = ${later} WHERE expires_at IS NULL`);
      yield* run(sql`UPDATE oauth_artifacts SET expires_at = ${past} WHERE id_hash = 'token 1'`);
    });
    const count = async () =>
      Number(
        (
          await database().reads.one<{ n: number }>(sql`
        SELECT count(*) AS n FROM oauth_artifacts WHERE client_id = ${robot.client_id}`)
        )?.n,
      );
    expect(await count()).toBe(MOST_OF_CLIENT);
    const second = await tokenOfRobot(robot);
    expect([await count(), await statusWith(first), await statusWith(second)]).toEqual([
      MOST_OF_CLIENT,
      200,
      200,
    ]);
    await tokenOfRobot(robot);
    expect([await count(), await statusWith(first), await statusWith(second)]).toEqual([
      MOST_OF_CLIENT,
      401,
      200,
    ]);
    expect(await statusWith(ofOther)).toBe(200);
  });

  it('loses the tokens that a client got for itself soon after they have expired', async () => {
    const robot = await createClient(store);
    const [expired, valid] = [await tokenOfRobot(robot), await tokenOfRobot(robot)];
    await database().unitOfWork.run(() =>
      run(sql`
        UPDATE oauth_artifacts SET expires_at = ${new Date(Date.now() - 1_000)} WHERE id_hash = ${hashOf(expired)}`),
    );
    await store.app.get(ExpiredArtifacts, { strict: false }).purge.run();
    expect([(await kept()).rows, await statusWith(valid)]).toEqual([1, 200]);
  });

  it.each(['/oauth/auth', '/oauth/session/end'])(
    'does not grow with a query that is too long: %s',
    async (address) => {
      const base = address === '/oauth/auth' ? path : `${address}?state=a`;
      const [, query = ''] = base.split('?');
      const withState = (length: number) =>
        `${base}&ui_locales=${'x'.repeat(length - query.length - '&ui_locales='.length)}`;
      const refused = await begin(FLOODER, withState(MAX_QUERY + 1));
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        414,
        'text/html; charset=utf-8',
      ]);
      expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await refused.text()).toContain(
        'The query of this address has 4097 bytes; it may have at most 4096.',
      );
      expect((await kept()).rows).toBe(0);
      expect((await begin(FLOODER, withState(MAX_QUERY))).status).toBeLessThan(400);
      expect((await kept()).rows).toBe(1);
    },
  );

  it('includes the session of the sign-out page, which expires after the same time as a sign-in', async () => {
    const end = `/oauth/session/end?state=${'%01'.repeat(1_300)}`;
    expect(await flood(MOST_OF_ONE + AT_A_TIME, () => begin(FLOODER, end))).toEqual({
      200: MOST_OF_ONE + AT_A_TIME,
    });
    await requireBound(MOST_OF_ONE, rows, () => begin(FLOODER, end));
    expect((await kept()).longest).toBeLessThan(MAX_ROW_BYTES);
    const { last } = (await database().unitOfWork.run(() =>
      one(sql`SELECT max(expires_at) AS last FROM oauth_artifacts`),
    )) as { last: Date | number };
    expect(Number(last)).toBeLessThan(Date.now() + 31 * 60_000);
    await database().unitOfWork.run(() =>
      run(sql`UPDATE oauth_artifacts SET expires_at = ${new Date(Date.now() - 1)}`),
    );
    await store.app.get(ExpiredArtifacts, { strict: false }).purge.run();
    expect((await kept()).rows).toBe(0);
  });

  it('does not grow with other requests of anonymous callers', async () => {
    const countAll = async () => {
      const { entityMetadatas } = store.app.get(DataSource);
      const tables = ['oauth_artifacts', ...entityMetadatas.map(({ tableName }) => tableName)];
      const counts: Record<string, number> = {};
      for (const table of tables) {
        const [row] = await database().unitOfWork.run(() =>
          all<{ n: number }>(raw(`SELECT count(*) AS n FROM ${table}`, [])),
        );
        counts[table] = Number(row?.n);
      }
      return counts;
    };
    const public_ = await createClient(
      store,
      aCodeClient({ confidential: false, grant_types: ['authorization_code', 'refresh_token'] }),
    );
    const requests: [path: string, init?: RequestInit][] = [
      [path.replace('prompt=consent', 'prompt=none')],
      [path.replace(/client_id=[^&]*/, 'client_id=nobody')],
      ['/oauth/auth/unknown'],
      ['/oauth/interaction/unknown'],
      ['/oauth/interaction/unknown', form({ email: user.email, password: 'wrong', decision: 'allow' })],
      ['/oauth/session/end/confirm', form({ xsrf: 'x', logout: 'yes' })],
      ['/oauth/session/end/success'],
      [
        '/oauth/token',
        form({ grant_type: 'client_credentials', client_id: client.client_id, client_secret: 'x' }),
      ],
      ['/oauth/token', form({ grant_type: 'authorization_code', client_id: public_.client_id, code: 'x' })],
      [
        '/oauth/token',
        form({ grant_type: 'refresh_token', client_id: public_.client_id, refresh_token: 'x' }),
      ],
      ['/oauth/token/introspection', form({ client_id: public_.client_id, token: 'x' })],
      ['/oauth/token/revocation', form({ client_id: public_.client_id, token: 'x' })],
      ['/oauth/request', form({ client_id: client.client_id })],
      ['/oauth/device/auth', form({ client_id: client.client_id })],
      ['/oauth/reg', json({ redirect_uris: ['https://a.example/'] })],
      ['/oauth/backchannel', form({ client_id: client.client_id })],
      ['/api/v1/products', json({ name: 'Chai', price: 18 })],
      ['/api/v1/products', json({ name: 'Chai', price: 18 }, { authorization: 'Bearer a.b.c' })],
      ['/api/v1/orders', json({ user_id: 1, items: [] }, asBasic(user.email, 'wrong').headers)],
      ['/graphql', json({ query: 'mutation { createProduct(input: { name: "Chai", price: 18 }) { id } }' })],
    ];
    const before = await countAll();
    for (const [target, init] of requests) {
      const { status } = await fetch(store.url + target, { redirect: 'manual', ...init });
      expect([target, status < 500]).toEqual([target, true]);
    }
    expect(await countAll()).toEqual(before);
  });
});

describe('a request with a credential that the authorization server ignores', () => {
  it('is counted for its address before the work begins', async () => {
    const limit = 5;
    const store = await startOAuth('sqlite', { STORE_RATE_LIMIT: `anonymous=${limit}/h` });
    const client = await createClient(store, aCodeClient());
    const { address } = await authorizationRequest(
      await relyingParty({ url: store.url }, { ...client, client_secret: null }),
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    const artifacts = store.app.get(ArtifactsRepository, { strict: false });
    const keep = artifacts.store.bind(artifacts);
    let waiting = 0;
    vi.spyOn(artifacts, 'store').mockImplementation(async (...values) => {
      waiting += 1;
      await promise;
      return keep(...values);
    });
    let refused = 0;
    const left = limit - 1;
    const answers = Array.from({ length: 3 * limit }, async () => {
      const { status } = await fetch(address.replace(PUBLIC_URL, store.url), {
        redirect: 'manual',
        headers: { authorization: 'Bearer nothing' },
      });
      if (status === 429) refused += 1;
    });
    await expect.poll(() => waiting + refused).toBe(3 * limit);
    expect(waiting).toBe(left);
    resolve();
    await Promise.all(answers);
    await store.close();
  });
});
