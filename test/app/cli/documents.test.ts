import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOf } from '../../../src/engine/graphql/trusted-documents.js';
import { ADMIN_KEY } from '../../support/clients/app.js';
import { runCommand } from '../../support/clients/cli.js';
import { describeOnEachEngine, freshDatabase, type FreshDatabase } from '../../support/fixtures/database.js';

const USER = 'query User($id: ID!) { user(id: $id) { name orders { id } } me { id } }';
const MIXED = 'query Mixed { product(id: 1) { price } products { id } }';
const STOCK = 'mutation Stock { setProductStock(id: 1, quantity: 1) { id } }';

it('the command line imports the file `*.rows.ts` of each feature', () => {
  const declared = globSync('src/store/**/*.rows.ts').map((file) => file.replace('src', '../..'));
  const report = readFileSync('src/app/cli/documents-report.ts', 'utf8');
  const imported = [...report.matchAll(/^import '(.*)\.js';$/gm)].map(([, file]) => `${file}.ts`);
  expect(imported.toSorted()).toEqual(declared.toSorted());
  expect(declared).toContain('../../store/orders/order.rows.ts');
});

describeOnEachEngine('store documents', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  let database: FreshDatabase;
  let settings: Record<string, string>;
  beforeAll(async () => {
    database = await freshDatabase(engine);
    for (const [name, text] of Object.entries({ USER, MIXED, STOCK }))
      writeFileSync(join(folder, `${name}.graphql`), text);
    settings = {
      STORE_DATABASE_URL: database.url,
      STORE_TRUSTED_DOCUMENTS_DIR: folder,
      STORE_ADMIN_KEY: ADMIN_KEY,
    };
    await runCommand(['migrate'], { settings });
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  it('list shows which operations become SQL, and why others do not', async () => {
    const { code, stdout } = await runCommand(['documents', 'list'], { settings });
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${hashOf(USER)} +USER\\.graphql +User +yes$`, 'm'));
    expect(stdout).toMatch(/^[\da-f]{64} +MIXED\.graphql +Mixed +no: No feature says how Query\.products /m);
    expect(stdout).toMatch(/^[\da-f]{64} +STOCK\.graphql +Stock +no: Only queries become SQL, /m);
    const { stdout: json } = await runCommand(['documents', 'list', '--json'], { settings });
    expect(JSON.parse(json)).toContainEqual({
      hash: hashOf(USER),
      file: 'USER.graphql',
      operation: 'User',
      reason: null,
    });
  });

  it('explain shows each statement with the plan of the database', async () => {
    const { code, stdout } = await runCommand(['documents', 'explain', hashOf(USER).slice(0, 10)], {
      settings,
    });
    expect(code).toBe(0);
    expect(stdout).toContain(`USER.graphql, query User\n${hashOf(USER)}\n\nuser:\nSELECT '{"name":'||`);
    expect(stdout).toContain('\n\nme:\nSELECT ');
    const index = { sqlite: 'SEARCH t2 USING COVERING INDEX orders_by_user', postgres: 'Scan using' };
    expect(stdout).toContain(index[engine]);
  });

  it('explain shows the statements of an operation that does not become SQL, and the reason', async () => {
    const { stdout } = await runCommand(['documents', 'explain', `sha256:${hashOf(MIXED)}`], { settings });
    expect(stdout).toContain('It does not become SQL: No feature says how Query.products becomes SQL.');
    expect(stdout).toContain('\n\nproduct:\nSELECT ');
  });
});

describe('store documents explain', () => {
  const settings = { STORE_DATABASE_URL: 'sqlite::memory:' };

  it.each([
    ['a hash that no document has', 'ab'.repeat(32), 1, 'No trusted document has the hash '],
    [
      'a text that is not a hash',
      'user-with-orders.graphql',
      2,
      'A hash has 1 to 64 characters, each 0 to 9 or a to f: «',
    ],
    ['an empty text', '', 2, 'A hash has 1 to 64 characters, each 0 to 9 or a to f: «'],
  ])('refuses %s', async (_what, hash, expected, message) => {
    const { code, stderr } = await runCommand(['documents', 'explain', hash], { settings });
    expect(code).toBe(expected);
    expect(stderr).toContain(message);
  });
});
