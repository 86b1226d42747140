import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createUser, type UserBody } from '../../support/fixtures/fixtures.js';

const COUNT = 45;

describeOnEachEngine('listUsers', (engine) => {
  let store: TestApp;
  const users: UserBody[] = [];
  beforeAll(async () => {
    store = await startApp(engine);
    users.length = 0;
    for (let n = 1; n <= COUNT; n++) {
      users.push(await createUser(store, { name: `User ${n}`, email: `User.${n}@Example.com` }));
    }
  });
  afterAll(() => store.close());

  const list = (query: string) => store.call('GET', `/api/users${query}`);

  it('returns a plain array of users, the first 20 by id, with the exact total', async () => {
    const { status, body, headers } = await list('');
    expect(status).toBe(200);
    expect(body).toEqual(users.slice(0, 20));
    expect(headers.get('x-total-count')).toBe(String(COUNT));
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('link')).toBe(
      [
        '</api/users?page=1&limit=20>; rel="first"',
        '</api/users?page=2&limit=20>; rel="next"',
        '</api/users?page=3&limit=20>; rel="last"',
      ].join(', '),
    );
  });

  it('returns every user once if the client follows the links to the next page', async () => {
    const seen: UserBody[] = [];
    let next: string | undefined = '/api/v1/users?limit=7';
    while (next !== undefined) {
      const { body, headers } = await store.call('GET', next);
      seen.push(...(body as UserBody[]));
      next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(users);
  });

  it('is empty after the last page, with the same total', async () => {
    const { status, body, headers } = await list('?page=2147483647&limit=100');
    expect(status).toBe(200);
    expect(body).toEqual([]);
    expect(headers.get('x-total-count')).toBe(String(COUNT));
  });

  it('finds the one user with an address, without regard to case and surrounding blanks', async () => {
    for (const email of ['User.3@Example.com', 'user.3@EXAMPLE.COM', ' \tuser.3@example.com ']) {
      const { body, headers } = await list(`?email=${encodeURIComponent(email)}`);
      expect(body).toEqual([users[2]]);
      expect(headers.get('x-total-count')).toBe('1');
    }
  });

  it('pages the result of an address like any other list', async () => {
    const { body, headers } = await list('?email=user.3@example.com&page=2&limit=1');
    expect(body).toEqual([]);
    expect(headers.get('x-total-count')).toBe('1');
    expect(headers.get('link')).toContain(
      '</api/users?email=user.3%40example.com&page=1&limit=1>; rel="first"',
    );
  });

  it('finds no user for an unknown address, even if it has special characters of SQL', async () => {
    for (const email of ['nobody@example.com', "'OR/**/1=1--@x", '%@%', '_ser.3@example.com', '*@*']) {
      const { status, body, headers } = await list(`?email=${encodeURIComponent(email)}`);
      expect(status).toBe(200);
      expect(body).toEqual([]);
      expect(headers.get('x-total-count')).toBe('0');
    }
  });

  it.each([
    ['page=0', 'page', 'TOO_SMALL'],
    ['page=2147483648', 'page', 'TOO_LARGE'],
    ['page=1e400', 'page', 'WRONG_TYPE'],
    ['limit=0', 'limit', 'TOO_SMALL'],
    ['limit=101', 'limit', 'TOO_LARGE'],
    ['limit=null', 'limit', 'WRONG_TYPE'],
    ['email=', 'email', 'TOO_SHORT'],
    ['email=nobody', 'email', 'PATTERN'],
    ['email=a%00@b.example', 'email', 'PATTERN'],
    ['email=a@b.example&email=a@b.example', 'email', 'REPEATED_PARAMETER'],
    ['email[$ne]=a@b.example', 'email[$ne]', 'UNKNOWN_PARAMETER'],
    ['sort=name', 'sort', 'UNKNOWN_PARAMETER'],
    ['name=Ada', 'name', 'UNKNOWN_PARAMETER'],
  ])('refuses ?%s', async (query, parameter, code) => {
    const { status, body } = await list(`?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toEqual([expect.objectContaining({ parameter, code })]);
  });

  it('answers HEAD like GET, without the body', async () => {
    const [get, head] = [await list('?limit=3'), await store.call('HEAD', '/api/users?limit=3')];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['link', 'x-total-count', 'content-length', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it('counts exactly after users were created and deleted concurrently', async () => {
    const created = await Promise.all(Array.from({ length: 20 }, () => createUser(store)));
    await Promise.all(created.slice(0, 13).map(({ id }) => store.call('DELETE', `/api/users/${id}`)));
    expect((await list('?limit=1')).headers.get('x-total-count')).toBe(String(COUNT + 7));
    await Promise.all(created.slice(13).map(({ id }) => store.call('DELETE', `/api/users/${id}`)));
    expect((await list('?limit=1')).headers.get('x-total-count')).toBe(String(COUNT));
  });
});
