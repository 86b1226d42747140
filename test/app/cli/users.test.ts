import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/engine/database/database.js';
import { all, run, sql } from '../../../src/engine/database/sql.js';
import { startApp, type Call, type TestApp } from '../../support/clients/app.js';
import { asBasic, createUserWithPassword, PASSWORD } from '../../support/clients/basic.js';
import { settingsOf, runCommand, runOnTerminal, type Finished } from '../../support/clients/cli.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { aUser, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { createKey } from '../../support/clients/keys.js';
import { asBearer, userTokenOf } from '../../support/clients/tokens.js';

/**
 * A change by another process takes effect in the service within a second. The rest of this time-out is for a busy
 * machine.
 */
const WITHIN = { timeout: 60_000 };

describeOnEachEngine('store users', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine);
  });
  afterAll(() => app.close());

  const users = (args: readonly string[], input = ''): Promise<Finished> =>
    runCommand(['users', ...args], { settings: settingsOf(app), input });
  const statusAs = async (email: string, password: string): Promise<number> =>
    (await app.call('GET', '/api/users/me', asBasic(email, password))).status;

  it('creates a user that a running service knows at once, and prints the id', async () => {
    const { name, email } = aUser();
    const made = await users(['create', ` ${name} `, email]);
    const id = made.stdout.trimEnd();
    expect(made).toEqual({ code: 0, stdout: `${id}\n`, stderr: `The user ${id} (${email}) is made.\n` });
    expect((await app.call('GET', `/api/users/${id}`)).body).toEqual({
      user: { id: Number(id), name, email },
    });
    const events = async () =>
      (await app.call('GET', '/api/v1/events?type=user.created&limit=100')).body.data;
    const actor = { kind: 'service', user_id: null };
    await expect
      .poll(events, WITHIN)
      .toContainEqual(expect.objectContaining({ entity_id: Number(id), actor }));
    const again = await users(['create', name, email.toUpperCase()]);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toBe(`Another user has the e-mail address ${email.toUpperCase()}.\n`);
  });

  it('reads the password of a new user from the standard input', async () => {
    const { name, email } = aUser();
    const made = await users(['create', name, email, '--password-stdin'], `${PASSWORD}\n`);
    expect(made.code).toBe(0);
    expect(made.stdout + made.stderr).not.toContain(PASSWORD);
    expect(await statusAs(email, PASSWORD)).toBe(200);
  });

  it('sets a password, and a running service no longer accepts the old password', async () => {
    const { id, email } = await createUserWithPassword(app);
    expect(await statusAs(email, PASSWORD)).toBe(200);
    const changed = await users(['password', email.toUpperCase(), '--stdin'], 'another good password\r\n');
    expect(changed).toEqual({
      code: 0,
      stdout: '',
      stderr: `The user ${id} (${email}) has a new password.\n`,
    });
    await expect.poll(() => statusAs(email, PASSWORD), WITHIN).toBe(401);
    expect(await statusAs(email, 'another good password')).toBe(200);
  });

  it('asks for a password twice on a terminal, and does not show it', async () => {
    const { id, email } = await createUserWithPassword(app);
    const type = (first: string, second: string) =>
      runOnTerminal(['users', 'password', String(id)], settingsOf(app), [
        ['New password: ', `${first}\r`],
        ['Repeat the password: ', `${second}\r`],
      ]);
    const prompts = 'New password: \r\nRepeat the password: \r\n';
    expect(await type('typed with care 1', 'typed with care 2')).toEqual({
      code: 1,
      screen: `${prompts}The two passwords are not the same. Nothing was changed.\r\n`,
    });
    expect(await statusAs(email, PASSWORD)).toBe(200);
    expect(await type('typed with cart\u007fe', 'typed with care')).toEqual({
      code: 0,
      screen: `${prompts}The user ${id} (${email}) has a new password.\r\n`,
    });
    expect(await statusAs(email, 'typed with care')).toBe(200);
  });

  it('makes no change when it is interrupted while it asks for a password', async () => {
    const { email } = await createUserWithPassword(app);
    const interrupted = await runOnTerminal(['users', 'password', email], settingsOf(app), [
      ['New password: ', 'typed\u0003'],
    ]);
    expect(interrupted).toEqual({ code: 130, screen: 'New password: \r\nNothing was changed.\r\n' });
    expect(await statusAs(email, PASSWORD)).toBe(200);
  });

  it('refuses passwords that are easy to guess', async () => {
    const { id, email } = await createUser(app);
    for (const [input, words] of [
      ['password123', /^The password must not be a very common password/],
      [email, /^The password must not be a very common password/],
    ] as const) {
      const refused = await users(['password', String(id), '--stdin'], input);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(words);
    }
  });

  it('shows a user by id and by e-mail address', async () => {
    const { id, name, email } = await createUserWithPassword(app);
    const { code, stdout, stderr } = await users(['show', String(id)]);
    expect([code, stderr]).toEqual([0, '']);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    const minute = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/) as string;
    expect(rows).toEqual([
      ['ID', String(id)],
      ['NAME', name],
      ['E-MAIL', email],
      ['PASSWORD', 'yes'],
      ['CREATED', minute],
      ['CHANGED', minute],
    ]);
    const shown = JSON.parse((await users(['show', email.toUpperCase(), '--json'])).stdout) as object;
    expect(shown).toMatchObject({ id, name, email, has_password: true });
  });

  it('lists users as a table and as the JSON of the REST interface', async () => {
    const { id, name, email } = await createUser(app);
    const line = new RegExp(`^ID +NAME +E-MAIL +CREATED\\n${id} +${name} +${email} +\\S+Z\\n$`);
    expect((await users(['list', '--email', email.toUpperCase()])).stdout).toMatch(line);
    const { stdout } = await users(['list', '--json']);
    expect(JSON.parse(stdout)).toEqual((await app.call('GET', '/api/users?limit=100')).body);
  });

  it('lists the first users, and reports when there are more or none', async () => {
    await createUser(app);
    await createUser(app);
    const one = await users(['list', '--limit', '1']);
    expect(one.stdout.split('\n')).toHaveLength(3);
    expect(one.stderr).toMatch(/^These are the first 1 of \d+ users; --limit shows more\.\n$/);
    expect(await users(['list', '--email', 'nobody@example.com'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No users were found.\n',
    });
  });

  it('deletes a user, and ends the keys of the user', async () => {
    const { id, email } = await createUser(app);
    const key = await createKey(app, [], id);
    const deleted = await users(['delete', email]);
    expect(deleted).toEqual({ code: 0, stdout: '', stderr: `The user ${id} (${email}) is deleted.\n` });
    const statusWithKey = async () => (await app.call('GET', '/api/users/me', { key })).status;
    await expect.poll(statusWithKey, WITHIN).toBe(401);
    expect((await users(['show', email])).stderr).toBe(
      `There is no user with the e-mail address ${email}.\n`,
    );
  });

  it('accepts an id only in the form that the tables show', async () => {
    const { id } = await createUser(app);
    for (const who of [`0x${id.toString(16)}`, `${id}e0`, `0${id}`, ` ${id}`]) {
      for (const command of ['show', 'delete']) {
        expect(await users([command, who])).toEqual({
          code: 2,
          stdout: '',
          stderr: 'Name the user by the id (a whole number) or by the e-mail address.\n',
        });
      }
    }
    expect((await users(['show', String(id)])).code).toBe(0);
  });

  it('deletes a user with orders only with --anonymise', async () => {
    const order = await placeOrder(app);
    const buyer = String(order.user_id);
    const refused = await users(['delete', buyer]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toBe(
      `The user ${buyer} has orders. Use anonymise to keep the orders without a reference to the user.\n`,
    );
    expect((await users(['delete', buyer, '--anonymise'])).code).toBe(0);
    expect((await app.call('GET', `/api/orders/${order.id}`)).body.user_id).toBeNull();
    expect(await users(['delete', buyer])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no user with the id ${buyer}.\n`,
    });
  });

  it('signs a user out: tokens and sessions end in a running service, but keys do not', async () => {
    const { id, email } = await createUser(app);
    const key = await createKey(app, [], id);
    const token = asBearer(await userTokenOf(app, id, 'users:read'));
    const status = async (call: Call) => (await app.call('GET', '/api/users/me', call)).status;
    expect(await status(token)).toBe(200);
    const { unitOfWork } = app.app.get(Database, { strict: false });
    await unitOfWork.run(() =>
      run(sql`
        INSERT INTO oauth_artifacts (model, id_hash, payload, user_id)
        VALUES ('Session', 'a session', 'sealed', ${id})`),
    );
    expect(await users(['sign-out', String(id)])).toEqual({
      code: 0,
      stdout: '',
      stderr: `The user ${id} (${email}) is signed out everywhere.\n`,
    });
    await vi.waitFor(async () => expect(await status(token)).toBe(401), 10_000);
    const sessions = await unitOfWork.run(() =>
      all(sql`SELECT id_hash FROM oauth_artifacts WHERE user_id = ${id}`),
    );
    expect(sessions).toEqual([]);
    expect(await status({ key })).toBe(200);
    expect(await status(asBearer(await userTokenOf(app, id, 'users:read')))).toBe(200);
  });

  it('creates an identity of a user, and deletes it', async () => {
    const { id, email } = await createUser(app);
    const names = ['--issuer', 'https://login.example', '--subject', `auth0|${id}`];
    const linked = await users(['link', email, ...names]);
    expect(linked).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) as string });
    const link = linked.stdout.trim();
    const { body } = await app.call('GET', `/api/identities/${link}`);
    expect(body).toMatchObject({ issuer: 'https://login.example', subject: `auth0|${id}`, user_id: id });
    const again = await users(['link', String(id), ...names]);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toBe('This subject of the issuer is already an identity of a user.\n');
    const unlinked = await users(['unlink', link]);
    expect([unlinked.code, unlinked.stderr]).toEqual([
      0,
      `The identity ${link} of the user ${id} is deleted.\n`,
    ]);
    expect((await app.call('GET', `/api/identities/${link}`)).status).toBe(404);
  });

  it('lists identities', async () => {
    const { id } = await createUser(app);
    const subject = `somebody ${id}`;
    await app.call('POST', '/api/identities', {
      body: { issuer: 'https://a.example', subject, user_id: id },
    });
    const json = await users(['links', String(id), '--json']);
    expect(JSON.parse(json.stdout)).toEqual((await app.call('GET', `/api/identities?user_id=${id}`)).body);
    expect((await users(['links'])).stdout).toMatch(
      new RegExp(`^ID +USER +ISSUER[^]*^\\d+ +${id} +https://a\\.example +${subject} +\\S+Z$`, 'm'),
    );
  });
});

describe('store users', () => {
  const settings = { STORE_DATABASE_URL: 'sqlite:/nowhere/at/all.sqlite' };

  it.each([
    ['a password as an argument', ['password', '7', 'correct horse'], /too many arguments/],
    [
      'the password of a new user as an argument',
      ['create', 'Ada', 'ada@example.com', 'correct horse'],
      /too many arguments/,
    ],
    ['a password as the value of an option', ['password', '7', '--stdin=correct horse'], /--stdin/],
    ['to ask for a password without a terminal', ['password', '7'], /no terminal to ask[^]*--stdin/],
    ['two wrong arguments', ['create', '', 'ada'], /^NAME must [^\n]+\nEMAIL must be an e-mail address/],
    ['an invalid e-mail address', ['list', '--email', 'ada'], /^--email must be an e-mail address/],
  ] as const)('refuses %s', async (_what, args, words) => {
    const { code, stdout, stderr } = await runCommand(['users', ...args], { settings });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });

  it.each([
    ['short7!', /^The password must be at least 8 characters long\.\n$/],
    ['two\nlines of text', /^The password must have no control characters/],
  ])('refuses a password such as %j', async (input, words) => {
    const args = ['users', 'create', 'Ada', 'ada@example.com', '--password-stdin'];
    const refused = await runCommand(args, { settings, input });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(words);
  });

  it('refuses a password that is not UTF-8', async () => {
    const input = Buffer.from('caf\u00e9 au lait', 'latin1');
    const args = ['users', 'create', 'Ada', 'ada@example.com', '--password-stdin'];
    expect(await runCommand(args, { settings, input })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The password on the standard input is not UTF-8.\n',
    });
  });
});
