import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/clients/app.js';
import { settingsOf, runCommand, type Finished } from '../../support/clients/cli.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { createClient } from '../../support/clients/oauth.js';

const SECRET = /^[A-Za-z0-9_-]{43}\n$/;
const NATIVE = 'com.example.courier:/back';

describeOnEachEngine('store clients', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine);
  });
  afterAll(() => app.close());

  const clients = (...args: string[]): Promise<Finished> =>
    runCommand(['clients', ...args], { settings: settingsOf(app) });

  it('creates a client that acts for itself, and prints its secret once', async () => {
    const made = await clients('create', 'Nightly report', '--scopes', 'orders:read,users:read');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(SECRET) as string });
    expect(made.stderr).not.toContain(made.stdout.trim());
    const said =
      /^The client (\d+) \(Nightly report\) is made; its client_id is (c_\S+)\. Its secret is not shown again\.\n$/;
    const [, id, clientId] = said.exec(made.stderr) ?? [];
    expect((await app.call('GET', `/api/clients/${id}`)).body).toMatchObject({
      client_id: clientId,
      confidential: true,
      grant_types: ['client_credentials'],
      scopes: ['orders:read', 'users:read'],
      redirect_uris: [],
      may_introspect: false,
    });
  });

  it('creates a public client for users, which has no secret', async () => {
    const uris = ['--redirect-uri', NATIVE, '--redirect-uri', 'https://courier.example/back'];
    const made = await clients('create', ...uris, '--public', 'Courier');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^c_\S+\n$/) as string });
    const id = /^The client (\d+) \(Courier\) is made; [^\n]+ It has no secret\.\n$/.exec(made.stderr)?.[1];
    const { body } = await app.call('GET', `/api/clients/${id}`);
    expect(body).toMatchObject({
      client_id: made.stdout.trim(),
      confidential: false,
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [NATIVE, 'https://courier.example/back'],
    });
    expect(await clients('rotate', String(id))).toEqual({
      code: 1,
      stdout: '',
      stderr: `The client ${id} is public and has no secret.\n`,
    });
  });

  it('prints a new client as JSON with --json', async () => {
    const { stdout } = await clients('create', 'Gateway', '--may-introspect', '--json');
    const { client_secret: secret, ...shown } = JSON.parse(stdout) as { id: number; client_secret: string };
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect((await app.call('GET', `/api/clients/${shown.id}`)).body).toEqual(shown);
  });

  it('rotates the secret of a client, and revokes the client', async () => {
    const { id, client_secret } = await createClient(app);
    const rotated = await clients('rotate', String(id), '--overlap', '1h');
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(SECRET) as string });
    expect(rotated.stdout.trim()).not.toBe(client_secret);
    expect(rotated.stderr).toMatch(
      /has a new secret, which is not shown again; the previous secret ends \d{4}/,
    );
    const revoked = await clients('revoke', String(id));
    expect(revoked).toMatchObject({ code: 0, stdout: '' });
    expect(revoked.stderr).toMatch(/ was revoked at \S+Z, with its tokens\.\n$/);
    expect((await app.call('GET', `/api/clients/${id}`)).body.revoked_at).not.toBeNull();
    expect(await clients('rotate', String(id))).toEqual({
      code: 1,
      stdout: '',
      stderr: `The client ${id} was revoked: make another one.\n`,
    });
  });

  it('lists and shows clients, without their secrets', async () => {
    const { client_id: clientId, client_secret: secret, id } = await createClient(app, { name: 'Shown' });
    const table = await clients('list');
    const line = new RegExp(`^${id} +${clientId} +Shown +confidential +orders:read +\\S+Z +good$`, 'm');
    expect(table.stdout).toMatch(/^ID +CLIENT ID +NAME +KIND +SCOPES +CREATED +STATE\n/);
    expect(table.stdout).toMatch(line);
    const json = await clients('list', '--json');
    expect(JSON.parse(json.stdout)).toEqual((await app.call('GET', '/api/clients?limit=100')).body);
    const shown = await clients('show', String(id));
    expect(shown.stdout).toMatch(/^NAME +Shown$[^]*^GRANTS +client_credentials$[^]*^INTROSPECTS +no$/m);
    for (const { stdout } of [table, json, shown]) expect(stdout).not.toContain(secret);
  });

  it('refuses options that exclude each other, and unknown clients', async () => {
    const wrong = ['--public', '--grant', 'client_credentials', '--redirect-uri', 'http://courier.example'];
    const refused = await clients('create', 'x', ...wrong);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^--grant must not have [^\n]+\n--redirect-uri must be empty [^\n]+\n--redirect-uri "http:\/\/courier\.example" must be https/,
    );
    expect(await clients('show', '999999')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no client with the id 999999.\n',
    });
  });
});

describe('store clients', () => {
  it('refuses impossible arguments before it opens the database', async () => {
    const args = ['clients', 'create', '', '--grant', 'password', '--scopes', 'everything'];
    const settings = { STORE_DATABASE_URL: 'sqlite:/nowhere/at/all.sqlite' };
    const refused = await runCommand(args, { settings });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^NAME must [^\n]+\n--grant "password" must be one of: [^\n]+\n--scopes "everything" must be one of: [^\n]+\n$/,
    );
  });
});
