import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { settingsOf, runCommand, type Finished } from '../../support/clients/cli.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aProduct, createUser } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';

const SECRET = /^sk_\d+_[A-Za-z0-9_-]{43}\n$/;

const keyOf = ({ stdout }: Finished): string => stdout.trim();
const idOf = (key: string): string => key.split('_')[1] as string;

/**
 * A change by another process takes effect in the service within a second. The rest of this time-out is for a busy
 * machine.
 */
const WITHIN = { timeout: 60_000 };

describeOnEachEngine('store keys', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine);
  });
  afterAll(() => app.close());

  const keys = (...args: string[]): Promise<Finished> =>
    runCommand(['keys', ...args], { settings: settingsOf(app) });
  const statusWith = async (key: string): Promise<number> =>
    (await app.call('POST', '/api/products', { body: aProduct(), key })).status;

  it('creates a key that works at once in a running service, and ends when it is revoked', async () => {
    const made = await keys('create', 'Till', '--scopes', 'products:write,orders:read');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(SECRET) as string });
    const key = keyOf(made);
    expect(made.stderr).toBe(
      `The API key ${idOf(key)} (Till) is made, and does not expire. It is not shown again.\n`,
    );
    expect(await statusWith(key)).toBe(201);
    const revoked = await keys('revoke', idOf(key));
    expect(revoked).toMatchObject({ code: 0, stdout: '' });
    expect(revoked.stderr).toMatch(/^The API key \d+ \(Till\) was revoked at [-\dT:]+Z\.\n$/);
    await expect.poll(() => statusWith(key), WITHIN).toBe(401);
    expect(await keys('rotate', idOf(key))).toEqual({
      code: 1,
      stdout: '',
      stderr: `The API key ${idOf(key)} has ended: make another one.\n`,
    });
  });

  it('creates a key of a user, which gives access to the user’s own data', async () => {
    const { id } = await createUser(app);
    const key = keyOf(await keys('create', 'Phone', '--user', String(id)));
    const { status, body } = await app.call('GET', '/api/users/me', { key });
    expect([status, body.user.id]).toEqual([200, id]);
    expect(await statusWith(key)).toBe(403);
  });

  it('creates a key that expires after a duration or at a date', async () => {
    const now = Date.now();
    const ends: string[] = [];
    for (const expires of ['30d', '2099-03-01']) {
      const key = keyOf(await keys('create', 'Fair', '--scopes', 'products:read', '--expires', expires));
      ends.push((await app.call('GET', `/api/api-keys/${idOf(key)}`)).body.expires_at as string);
    }
    const [end = '', other] = ends;
    expect(Date.parse(end)).toBeGreaterThanOrEqual(now + 30 * 86_400_000);
    expect(Date.parse(end)).toBeLessThanOrEqual(Date.now() + 30 * 86_400_000);
    expect(other).toBe('2099-03-01T00:00:00.000Z');
  });

  it('rotates a key: the old secret stays valid for the overlap', async () => {
    const first = await createKey(app, ['products:write']);
    const rotated = await keys('rotate', idOf(first), '--overlap', '1h');
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(SECRET) as string });
    expect(rotated.stderr).toMatch(
      /has a new secret, which is not shown again; the previous secret ends \d{4}/,
    );
    const second = keyOf(rotated);
    expect([await statusWith(first), await statusWith(second)]).toEqual([201, 201]);
    const third = keyOf(await keys('rotate', idOf(first), '--overlap', '0'));
    await expect
      .poll(async () => [await statusWith(first), await statusWith(second)], WITHIN)
      .toEqual([401, 401]);
    expect(await statusWith(third)).toBe(201);
  });

  it('lists keys as a table', async () => {
    const { id } = await createUser(app);
    const ids = [
      idOf(await createKey(app, ['orders:read', 'users:read'], id)),
      idOf(await createKey(app, [], id)),
    ];
    await app.call('DELETE', `/api/api-keys/${ids[1]}`);
    const { code, stdout, stderr } = await keys('list', '--user', String(id));
    expect([code, stderr]).toEqual([0, '']);
    const minute = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/) as string;
    const revoked = expect.stringMatching(/^revoked \d{4}-/) as string;
    const rows = stdout.trimEnd().split('\n');
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['ID', 'NAME', 'OWNER', 'SCOPES', 'CREATED', 'LAST USED', 'ENDS', 'STATE'],
      [ids[0], 'test', `user ${id}`, 'orders:read,users:read', minute, '–', '–', 'good'],
      [ids[1], 'test', `user ${id}`, '–', minute, '–', '–', revoked],
    ]);
  });

  it('lists keys as the JSON of the REST interface, without any secret', async () => {
    const { id } = await createUser(app);
    const key = await createKey(app, ['orders:read'], id);
    const { stdout, stderr } = await keys('list', '--user', String(id), '--json');
    expect(JSON.parse(stdout)).toEqual((await app.call('GET', `/api/api-keys?user_id=${id}`)).body);
    expect(stdout + stderr).not.toContain(key.split('_').slice(2).join('_'));
    const one = await keys('list', '--limit', '1');
    expect(one.stdout.split('\n')).toHaveLength(3);
    expect(one.stderr).toMatch(/^These are the first 1 of \d+ API keys; --limit shows more\.\n$/);
  });

  it('lists all keys, even if they need more than one page', async () => {
    const { id } = await createUser(app);
    for (let n = 0; n < 101; n += 1) {
      await app.call('POST', '/api/api-keys', { body: { name: `Key ${n}`, user_id: id } });
    }
    const { stdout, stderr } = await keys('list', '--user', String(id), '--json');
    expect(new Set((JSON.parse(stdout) as { id: number }[]).map((key) => key.id)).size).toBe(101);
    expect(stderr).toBe('');
  });

  it.each([
    [
      'an unknown user',
      ['create', 'x', '--user', '999999'],
      /^--user must name a user: there is none with the id 999999\.\n$/,
    ],
    ['an unknown key', ['revoke', '999999'], /^There is no API key with the id 999999\.\n$/],
    ['an unknown key to rotate', ['rotate', '999999'], /^There is no API key with the id 999999\.\n$/],
  ] as const)('refuses %s', async (_what, args, words) => {
    const refused = await keys(...args);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(words);
  });

  it.each(['', ' , '])('creates no key without a user if the list of scopes is «%s»', async (scopes) => {
    const before = (await keys('list', '--json')).stdout;
    expect(await keys('create', 'Nothing', '--scopes', scopes)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^A key needs --scopes/) as string,
    });
    expect((await keys('list', '--json')).stdout).toBe(before);
  });

  it('refuses a time of expiry in the past', async () => {
    expect(await keys('create', 'x', '--scopes', 'admin', '--expires', '2020-01-01')).toEqual({
      code: 2,
      stdout: '',
      stderr: '--expires must be in the future.\n',
    });
  });

  it('lists and rotates the signing keys of tokens, and shows no private part', async () => {
    const first = await keys('signing', 'list');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const kid = /^KID[^\n]+\n(\S{43}) {2}\S+ {2}signs$/m.exec(first.stdout)?.[1] as string;
    const rotated = await keys('signing', 'rotate', '--overlap', '1h');
    expect(rotated).toMatchObject({ code: 0, stdout: '' });
    const said = /^Tokens are signed by (\S{43}) from now on; the previous keys still verify tokens\.\n$/;
    const next = said.exec(rotated.stderr)?.[1] as string;
    const { stdout } = await keys('signing', 'list', '--json');
    const moment = expect.stringMatching(/^\d{4}-.*Z$/) as string;
    expect(JSON.parse(stdout)).toEqual([
      { kid: next, created_at: moment, good_until: null },
      { kid, created_at: moment, good_until: moment },
    ]);
  });

  it('rotates the signing keys of tokens without an overlap', async () => {
    const { stderr } = await keys('signing', 'rotate', '--overlap', '0');
    const said = /^Tokens are signed by (\S{43}) from now on; no token that was signed before is valid\.\n$/;
    const kid = said.exec(stderr)?.[1] as string;
    expect((await keys('signing', 'list')).stdout).toMatch(
      new RegExp(`^KID[^\\n]+\\n${kid} +\\S+ +signs\\n$`),
    );
  });
});

describe('store keys', () => {
  const settings = { STORE_DATABASE_URL: 'sqlite:/nowhere/at/all.sqlite' };

  it.each([
    [
      'unknown scopes together with all other faults',
      ['create', ' ', '--scopes', 'orders,products:read', '--expires', '2099-02-30'],
      /^NAME must [^\n]+\n--scopes "orders" must be one of: products:read, [^\n]+\n--expires must be a date and time [^\n]+\n$/,
    ],
    ['a key without scopes', ['create', 'x'], /needs --scopes, or --user/],
    [
      'an overlap that is too long',
      ['rotate', '1', '--overlap', '8d'],
      /^--overlap, in seconds, must be at most 604800\.\n$/,
    ],
    [
      'a secret instead of an id, and does not show it',
      ['revoke', 'sk_1_secret'],
      /^The id of an API key is a whole number, as "list" shows it\.\n$/,
    ],
  ] as const)('before it opens the database, refuses %s', async (_what, args, words) => {
    const refused = await runCommand(['keys', ...args], { settings });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(words);
  });

  it('creates no database for a wrong address', async () => {
    const refused = await runCommand(['keys', 'create', 'x', '--scopes', 'admin'], { settings });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('There is no database at /nowhere/at/all.sqlite.');
  });
});
