import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { LongReads } from '../../../src/engine/database/long-reads.js';
import { run, sql, type Sql } from '../../../src/engine/database/sql.js';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { imported } from '../../support/clients/imports.js';
import { createKey } from '../../support/clients/keys.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, type UserBody } from '../../support/fixtures/fixtures.js';

const NAMES = ['Zoë Straße', 'Ann "the" Lee', 'Li', 'O_Neil 100%', 'Ada Lovelace'];
const PEOPLE = Array.from({ length: 40 }, (_, n) => ({
  name: `${NAMES[n % 5]} ${n}`,
  email: `Person.${n}@${n % 2 === 0 ? 'north' : 'south'}.example`,
}));
const TEXTS = [
  'zoe',
  'STRASSE 1',
  'ann "the',
  'li',
  'l',
  '_',
  '0%',
  '%',
  'person.1',
  '@south',
  '7@SOUTH.ex',
  ' north ',
  'zzz',
];

const file = (name: string): string => `id,name,email\nimp1,${name},imported.one@example.com\n`;

const normalised = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .toUpperCase();

describeOnEachEngine('a search of users', (engine) => {
  let store: TestApp;
  const users: UserBody[] = [];
  beforeAll(async () => {
    store = await startApp(engine);
    users.length = 0;
    for (const person of PEOPLE) users.push(await createUser(store, person));
  });
  afterAll(() => store.close());

  const found = async (text: string): Promise<string[]> => {
    const { body } = await store.call('GET', `/api/v2/users?limit=100&q=${encodeURIComponent(text)}`);
    return (body.data as UserBody[]).map(({ name }) => name);
  };

  it.for(TEXTS)(
    'for %s finds the users with this text in the name or the address, page by page',
    async (text) => {
      const expected = users
        .filter(({ name, email }) =>
          [name, email].some((each) => normalised(each).includes(normalised(text.trim()))),
        )
        .map(({ name }) => name);
      const seen: string[] = [];
      let next: string | undefined = `/api/v2/users?limit=7&q=${encodeURIComponent(text)}`;
      while (next !== undefined) {
        const { body, headers } = await store.call('GET', next);
        expect(body.page.total).toBe(expected.length);
        seen.push(...(body.data as UserBody[]).map(({ name }) => name));
        next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect(seen).toEqual(expected);
      const query = `query ($q: String!) { usersConnection(q: $q, last: 3) { totalCount nodes { name } } }`;
      const { data } = await store.graphql(query, { q: text });
      expect(data.usersConnection).toEqual({
        totalCount: expected.length,
        nodes: expected.slice(-3).map((name) => ({ name })),
      });
    },
  );

  it('does not find a text that begins in the name and ends in the address', async () => {
    expect(await found('39person')).toEqual([]);
  });

  it('with `email` and a text finds only a user that matches both', async () => {
    const address = encodeURIComponent('person.3@south.example');
    for (const [q, total] of [
      ['neil', 1],
      ['ann', 0],
    ] as const) {
      const { body } = await store.call('GET', `/api/v2/users?email=${address}&q=${q}`);
      expect([q, body.page.total, body.data.length]).toEqual([q, total, total]);
    }
  });

  it('refuses a text that is blank or too long, and refuses the parameter `q` in version 1', async () => {
    for (const [path, detail] of [
      ['/api/v2/users?q=', /must not be empty/],
      ['/api/v2/users?q=%20', /not blank/],
      [`/api/v2/users?q=${'x'.repeat(101)}`, /100/],
      ['/api/v1/users?q=ann', /./],
    ] as const) {
      const { status, body } = await store.call('GET', path);
      expect([path, status]).toEqual([path, 400]);
      expect(body.errors[0]).toMatchObject({ parameter: 'q', detail: expect.stringMatching(detail) });
    }
  });

  it('is refused without `users:read`, and the refusal does not depend on the text', async () => {
    const key = { key: await createKey(store, ['orders:read']) };
    const texts = await Promise.all(
      ['zoe', 'zzz'].map(async (text) => {
        const { status, body } = await store.call('GET', `/api/v2/users?q=${text}`, key);
        return [status, body.code, body.detail];
      }),
    );
    expect(texts[0]).toEqual(texts[1]);
    expect(texts[0]?.[0]).toBe(403);
    const { errors } = await store.graphql('{ usersConnection(q: "zoe") { totalCount } }', {}, key);
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('finds a changed user only by the new texts, and finds no deleted or anonymised user', async () => {
    const user = await createUser(store, { name: 'Quentin Old', email: 'quentin.old@example.com' });
    await store.call('PATCH', `/api/v2/users/${user.id}`, { body: { name: 'Quentin Fresh' } });
    expect(await found('quentin fresh')).toEqual(['Quentin Fresh']);
    expect(await found('quentin old')).toEqual([]);
    await store.call('PATCH', `/api/v2/users/${user.id}`, { body: { email: 'fresh.q@example.com' } });
    expect(await found('quentin.old')).toEqual([]);
    const other = await createUser(store, { name: 'Quentin Other', email: 'q.other@example.com' });
    expect(await found('quentin')).toHaveLength(2);
    await store.call('DELETE', `/api/v2/users/${user.id}`);
    await store.call('DELETE', `/api/v2/users/${other.id}?anonymise=true`);
    expect(await found('quentin')).toEqual([]);
    expect(await found('q.')).toEqual([]);
  });

  it('finds users of an import, even after a second import has changed them', async () => {
    await imported(store, { kind: 'users', format: 'csv' }, file('Imogen First'));
    expect(await found('imported.one')).toEqual(['Imogen First']);
    await imported(store, { kind: 'users', format: 'csv' }, file('Imogen Second'));
    expect(await found('imogen')).toEqual(['Imogen Second']);
    expect(await found('imogen first')).toEqual([]);
  });
});

describe('a search of users on SQLite', () => {
  let store: TestApp;
  const statements: Sql[] = [];
  beforeAll(async () => {
    store = await startApp('sqlite');
    const scans = store.app.get(LongReads, { strict: false });
    const original = scans.run.bind(scans);
    scans.run = (asker, statement: Sql) => {
      statements.push(statement);
      return original(asker, statement);
    };
  });
  afterAll(() => store.close());

  it('scans the index of trigrams, and not the table of users', async () => {
    await createUser(store);
    expect((await store.call('GET', '/api/v2/users?q=lovelace')).body.data).toHaveLength(1);
    const { dataSource } = store.app.get(Database, { strict: false });
    expect(statements).toHaveLength(2);
    for (const { source, values } of statements) {
      // The writing connection does not have this function.
      const text = String(source).replaceAll('scan_goes_on()', '1');
      const steps = (await dataSource.query(`EXPLAIN QUERY PLAN ${text}`, [...values])) as {
        detail: string;
      }[];
      const plan = steps.map(({ detail }) => detail).join('; ');
      expect(plan).toMatch(/SCAN t VIRTUAL TABLE/);
      expect(plan).not.toMatch(/SCAN u|TEMP B-TREE/);
      expect(text).not.toContain('password');
    }
  });

  it('leaves no part of a deleted user in the index', async () => {
    const { reads, unitOfWork } = store.app.get(Database, { strict: false });
    const traces = async (): Promise<number> => {
      const blocks = await reads.all<{ block: Buffer }>(sql`SELECT block FROM users_trigrams_data`);
      return blocks.filter(({ block }) => /KVY|VYP|YPQ/.test(Buffer.from(block).toString('latin1'))).length;
    };
    // There are users before and after the deleted user, so that its entries are in the middle of larger blocks.
    for (let n = 0; n < 30; n += 1) await createUser(store, { name: `Person ${n}` });
    const { id } = await createUser(store, { name: 'Kvypq' });
    for (let n = 0; n < 30; n += 1) await createUser(store, { name: `Someone ${n}` });
    expect(await traces()).toBeGreaterThan(0);
    await store.call('DELETE', `/api/v2/users/${id}`);
    expect(await traces()).toBe(0);
    // The index still agrees with the rows.
    await unitOfWork.run(() =>
      run(sql`INSERT INTO users_trigrams (users_trigrams) VALUES ('integrity-check')`),
    );
    expect((await store.call('GET', '/api/v2/users?q=someone')).body.page.total).toBe(30);
  });
});
