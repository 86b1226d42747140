import { DataSource } from 'typeorm';
import { Writable } from 'node:stream';
import { pino, stdSerializers } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ForgottenRevocations } from '../../../src/store/tokens/revocations.purge.js';
import { CredentialChanges } from '../../../src/engine/access/credential-changes.js';
import { SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { Database } from '../../../src/engine/database/database.js';
import { one, raw, run, sql } from '../../../src/engine/database/sql.js';
import { ExpiredArtifacts } from '../../../src/store/oauth/artifacts.purge.js';
import type { TestApp } from '../../support/clients/app.js';
import { createUserWithPassword, PASSWORD } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import {
  aCodeClient,
  createClient,
  type ClientBody,
  PUBLIC_URL,
  startOAuth,
  tokenRequest,
  tokensOf,
  Visitor,
} from '../../support/clients/oauth.js';
import { asBearer } from '../../support/clients/tokens.js';

describeOnEachEngine('the stored data of the authorization server', (engine) => {
  let store: TestApp;
  let log = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  beforeAll(async () => {
    const logger = pino({ level: 'trace', serializers: { err: stdSerializers.errWithCause } }, stream);
    store = await startOAuth(engine, { STORE_LOG_LEVEL: 'trace' }, logger);
  });
  afterAll(() => store.close());

  const database = () => store.app.get(Database, { strict: false });

  it('contains no secret that could be used, and the log contains none', async () => {
    const client = await createClient(store, aCodeClient());
    const { email } = await createUserWithPassword(store);
    const visitor = new Visitor(store);
    const asked: string[] = [];
    const { tokens, code } = await tokensOf(store, client, email, { resource: PUBLIC_URL }, visitor);
    const opaque = await tokensOf(store, client, email, {}, visitor);
    const next = await tokenRequest(store, client, {
      grant_type: 'refresh_token',
      refresh_token: opaque.tokens.refresh_token as string,
    });
    asked.push(tokens.access_token, opaque.tokens.access_token, next.body.access_token, code, opaque.code);
    await store.call('GET', '/api/orders', asBearer(next.body.access_token));
    const cookies = [...visitor.cookies.values()].map(({ value }) => value);
    const tables = [
      'oauth_artifacts',
      ...store.app.get(DataSource).entityMetadatas.map(({ tableName }) => tableName),
    ];
    const rows = await Promise.all(
      tables.map((table) => database().reads.all(raw(`SELECT * FROM ${table}`, []))),
    );
    const said = JSON.stringify(rows);
    expect(said).toContain(client.client_id);
    expect(log.includes('"/oauth/token"')).toBe(true);
    const secrets = [
      ...asked,
      opaque.tokens.refresh_token as string,
      next.body.refresh_token as string,
      client.client_secret as string,
      PASSWORD,
      ...cookies,
    ];
    for (const secret of secrets) {
      expect([secret, secret.length > 20, said.includes(secret), log.includes(secret)]).toEqual([
        secret,
        true,
        false,
        false,
      ]);
    }
  });

  it('is removed after it has expired, and not before', async () => {
    const count = async () =>
      Number((await database().reads.one<{ n: number }>(sql`SELECT COUNT(*) AS n FROM oauth_artifacts`))?.n);
    const client = await createClient(store);
    const grant = { grant_type: 'client_credentials', scope: 'orders:read' };
    const { body } = await tokenRequest(store, client, grant);
    const before = await count();
    await database().unitOfWork.run(function* () {
      for (let at = 0; at < 1_100; at += 1) {
        yield* run(sql`
          INSERT INTO oauth_artifacts (model, id_hash, payload, expires_at)
          VALUES ('AccessToken', ${`old ${at}`}, '', ${new Date(Date.now() - 25 * 3_600_000)})`);
      }
    });
    await store.app.get(ExpiredArtifacts, { strict: false }).purge.run();
    expect(await count()).toBe(before);
    expect((await store.call('GET', '/api/orders', asBearer(body.access_token))).status).toBe(200);
  });

  it('keeps a revocation until none of the revoked tokens can be valid', async () => {
    const [old, recent] = [await createUserWithPassword(store), await createUserWithPassword(store)];
    for (const { id } of [old, recent]) {
      const { status } = await store.call('PATCH', `/api/users/${id}`, {
        body: { password: 'another horse battery' },
      });
      expect(status).toBe(200);
    }
    const longAgo = new Date(Date.now() - 49 * 3_600_000);
    await database().unitOfWork.run(() =>
      run(sql`UPDATE revocations SET not_before = ${longAgo} WHERE holder = ${`user ${old.id}`}`),
    );
    await store.app.get(ForgottenRevocations, { strict: false }).purge.run();
    const left = await database().reads.all(
      sql`SELECT holder FROM revocations WHERE holder IN (${`user ${old.id}`}, ${`user ${recent.id}`})`,
    );
    expect(left).toEqual([{ holder: `user ${recent.id}` }]);
  });

  it('keeps the previous secret of a client valid during the overlap', async () => {
    const client = await createClient(store);
    const grant = { grant_type: 'client_credentials', scope: 'orders:read' };
    const statusOf = async (secret: string | null) =>
      (await tokenRequest(store, { ...client, client_secret: secret }, grant)).status;
    const rotate = async (overlap_seconds: number): Promise<string> =>
      (await store.call('POST', `/api/clients/${client.id}/rotate`, { body: { overlap_seconds } })).body
        .client_secret;
    const second = await rotate(60);
    expect([await statusOf(client.client_secret), await statusOf(second)]).toEqual([200, 200]);
    const third = await rotate(0);
    expect([await statusOf(client.client_secret), await statusOf(second), await statusOf(third)]).toEqual([
      401, 401, 200,
    ]);
  });

  /** A JWT that a client gets for itself; undefined if the client is refused. */
  const jwtOf = async (client: ClientBody): Promise<string | undefined> => {
    const grant = { grant_type: 'client_credentials', scope: 'orders:read', resource: PUBLIC_URL };
    return (await tokenRequest(store, client, grant)).body.access_token as string | undefined;
  };
  const statusWith = async (token: string): Promise<number> =>
    (await store.call('GET', '/api/v1/orders', asBearer(token))).status;

  it('makes a JWT end when the overlap of its signing key ends, even if the JWT was used before', async () => {
    const token = (await jwtOf(await createClient(store))) as string;
    expect(await statusWith(token)).toBe(200);
    const body = { overlap_seconds: 2 };
    expect((await store.call('POST', '/api/v2/signing-keys', { body })).status).toBe(201);
    await expect.poll(() => statusWith(token), { interval: 200 }).toBe(401);
  });

  it('keeps a revoked key revoked, even while the clock is set back', async () => {
    const token = (await jwtOf(await createClient(store))) as string;
    expect(await statusWith(token)).toBe(200);
    const { kid } = JSON.parse(Buffer.from(token.split('.')[0] as string, 'base64url').toString());
    const { data } = (await store.call('GET', '/api/v2/signing-keys?limit=100')).body;
    const { id } = data.find((each: { kid: string }) => each.kid === kid);
    expect((await store.call('DELETE', `/api/v2/signing-keys/${id}`)).status).toBe(200);
    expect(await statusWith(token)).toBe(401);
    // The end of the key is now in the future, as for a clock that was set back.
    const later = new Date(Date.now() + 3_600_000);
    await database().unitOfWork.run(function* (tx) {
      yield* run(sql`UPDATE signing_keys SET good_until = ${later} WHERE id = ${id}`);
      yield* store.app.get(CredentialChanges, { strict: false }).note(tx);
    });
    expect(await statusWith(token)).toBe(401);
  });

  it('leaves no JWT valid that was requested while its client was being revoked', async () => {
    for (let round = 0; round < 5; round++) {
      const client = await createClient(store);
      const asked = Array.from({ length: 20 }, () => jwtOf(client));
      await asked[0];
      expect((await store.call('DELETE', `/api/clients/${client.id}`)).status).toBe(200);
      const tokens = (await Promise.all(asked)).filter((token) => token !== undefined);
      expect(tokens.length).toBeGreaterThan(0);
      expect(new Set(await Promise.all(tokens.map(statusWith)))).toEqual(new Set([401]));
    }
  });

  it('includes the newest key, which signs, and the previous key, which is published too', async () => {
    const client = await createClient(store);
    const kidOfNext = async (): Promise<string> => {
      const grant = { grant_type: 'client_credentials', scope: 'orders:read', resource: PUBLIC_URL };
      const { access_token } = (await tokenRequest(store, client, grant)).body;
      return JSON.parse(Buffer.from(access_token.split('.')[0], 'base64url').toString()).kid;
    };
    const before = await kidOfNext();
    const { kid } = await store.app.get(SigningKeys, { strict: false }).rotate(60_000);
    expect(await kidOfNext()).toBe(kid);
    const { body } = await store.call('GET', '/oauth/jwks');
    expect(body.keys.map((key: { kid: string }) => key.kid)).toEqual([kid, before]);
    expect(body.keys.every((key: object) => !('d' in key))).toBe(true);
  });

  it('is removed with the user', async () => {
    const client = await createClient(store, aCodeClient());
    const user = await createUserWithPassword(store);
    await tokensOf(store, client, user.email);
    const left = () =>
      database().unitOfWork.run(() => one(sql`SELECT model FROM oauth_artifacts WHERE user_id = ${user.id}`));
    expect(await left()).toBeDefined();
    await store.call('DELETE', `/api/users/${user.id}?anonymise=true`);
    expect(await left()).toBeUndefined();
  });
});
