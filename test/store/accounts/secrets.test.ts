import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pino, stdSerializers } from 'pino';
import { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { raw } from '../../../src/engine/database/sql.js';
import { DatabaseConfig } from '../../../src/engine/config/slices.js';
import { privateJwkOf, SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { sqliteFileOf } from '../../../src/engine/database/data-source.js';
import { ADMIN_KEY, SECRET, startApp, type TestApp } from '../../support/clients/app.js';
import { asBasic, basic, PASSWORD } from '../../support/clients/basic.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aUser } from '../../support/fixtures/fixtures.js';
import { ask } from '../../support/clients/graphql.js';
import { open } from '../../support/clients/live.js';
import { asBearer, bearer, tokenOf, userTokenOf } from '../../support/clients/tokens.js';

async function secretBeside(store: TestApp): Promise<string> {
  const { url } = store.app.get(DatabaseConfig, { strict: false });
  return (await readFile(`${sqliteFileOf(url)}.secret`, 'utf8')).trim();
}

describeOnEachEngine('secrets', (engine) => {
  it('are in no log, error, answer or table', async () => {
    let log = '';
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log += chunk.toString();
        done();
      },
    });
    const logger = pino({ level: 'trace', serializers: { err: stdSerializers.errWithCause } }, stream);
    const store = await startApp(engine, { STORE_LOG_LEVEL: 'trace' }, undefined, logger);
    let said = '';
    const call: typeof store.call = async (...request) => {
      const answer = await store.call(...request);
      said += answer.text + JSON.stringify([...answer.headers]);
      return answer;
    };
    try {
      const body = aUser();
      const { id } = (await call('POST', '/api/users', { body: { ...body, password: PASSWORD } })).body.user;
      // These two answers show a new secret, so `said` does not collect them.
      const made = await store.call('POST', '/api/api-keys', { body: { name: 'x', user_id: id } });
      const rotated = await store.call('POST', `/api/api-keys/${made.body.id}/rotate`, { body: {} });
      const [wrong, changed, short] = ['a wrong password', 'the changed password', 'short7!'] as const;
      const keys = [made.body.key, rotated.body.key] as string[];
      for (const key of [...keys, ADMIN_KEY]) {
        await call('GET', '/api/users/me', { key });
        await call('GET', '/api/api-keys', { key });
        await call('GET', '/api/users/me', { key: `${key}x` });
        await call('GET', '/api/users/me', { key, headers: { authorization: basic(body.email) } });
      }
      await call('GET', '/api/users/me', asBasic(body.email));
      await call('GET', '/api/users/me', asBasic(body.email, wrong));
      await call('PATCH', `/api/users/${id}`, { body: { password: changed, name: 7 } });
      await call('PATCH', `/api/users/${id}`, { body: { password: short } });
      await call('PATCH', `/api/users/${id}`, { body: `{"password": "${changed}", "password": "${wrong}"` });
      const update = `mutation ($p: String) { updateUser(id: ${id}, password: $p) { id } }`;
      for (const p of [changed, short, [changed]]) {
        said += (await ask(store, { query: update, variables: { p } })).text;
      }
      const literal = `mutation { updateUser(id: ${id}, password: "${short}", nothing: 1) { id } }`;
      said += (await ask(store, { query: literal })).text;
      const socket = await open(store);
      socket.say({ type: 'connection_init', payload: { authorization: basic(body.email, wrong) } });
      said += (await socket.closed).reason;

      const signing = store.app.get(SigningKeys, { strict: false });
      const privateKeys = [await signing.current(), await signing.rotate(60_000)].map((each) =>
        String(privateJwkOf(each).d),
      );
      const mine = await userTokenOf(store, id, 'users:read');
      const tokens = [mine, `${mine.slice(0, -4)}AAAA`, await tokenOf(store, { exp: 1 })];
      for (const token of tokens) {
        await call('GET', '/api/users/me', asBearer(token));
        await call('GET', '/api/orders', asBearer(token));
        await call('GET', `/api/products?access_token=${token}`, { key: null });
        said += (await ask(store, { query: '{ me { id } }' }, asBearer(token))).text;
        const bySocket = await open(store);
        bySocket.say({ type: 'connection_init', payload: bearer(`${token}x`) });
        said += (await bySocket.closed).reason;
      }
      const secret = engine === 'postgres' ? SECRET : await secretBeside(store);

      const tables = store.app.get(DataSource).entityMetadatas.map(({ tableName }) => tableName);
      expect(tables).toContain('users');
      const reads = store.app.get(Database, { strict: false }).reads;
      tables.push('settings');
      const rows = await Promise.all(tables.map((table) => reads.all(raw(`SELECT * FROM ${table}`, []))));
      expect(log).toContain('/api/users/me');
      const secrets = [PASSWORD, wrong, changed, ...keys.map((key) => key.split('_').slice(2).join('_'))];
      const inBase64 = [PASSWORD, wrong].map((password) =>
        basic(body.email, password).slice('Basic '.length),
      );
      // Only the signature of a token is a secret.
      const signatures = tokens.map((token) => token.split('.')[2] as string);
      const sealed = [secret, ...privateKeys, ...signatures];
      for (const hidden of [...secrets, short, ADMIN_KEY, ...inBase64, ...sealed]) {
        const places = Object.entries({ log, said, rows: JSON.stringify(rows) })
          .filter(([, text]) => text.includes(hidden))
          .map(([place]) => place);
        expect([hidden, places]).toEqual([hidden, []]);
      }
    } finally {
      await store.close();
    }
  });
});
