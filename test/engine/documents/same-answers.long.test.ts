import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, parse, validate } from 'graphql';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, it, vi, type MockInstance } from 'vitest';
import { SCHEMA_GRAPHQL } from '../../../src/engine/contract/documents.js';
import { Plan } from '../../../src/engine/documents/plan.js';
import { hashOf } from '../../../src/engine/graphql/trusted-documents.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { bytesOf } from '../../support/clients/graphql-bytes.js';
import { createKey } from '../../support/clients/keys.js';
import { randomFrom } from '../../../testkit/random.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { RandomQueries, type RandomQuery } from '../../support/fixtures/random-queries.js';

const CASES = Number(process.env['DOCUMENT_CASES'] ?? 600);
const SEED = Number(process.env['DOCUMENT_SEED'] ?? 1);
const CASES_OF_A_DOCUMENT = 12;
const ROOTS = new Set(['user', 'me', 'order', 'product', 'orders']);
const ODD = 'A "B" \\ / <\u2028\u2029> \u007F 😀 \uFEFFé e\u0301';

/** Makes random queries that are valid. */
function documentsOf(random: () => number, count: number): RandomQuery[] {
  const schema = buildSchema(SCHEMA_GRAPHQL);
  const queries = new RandomQueries(schema, random, ROOTS);
  const found = new Map<string, RandomQuery>();
  while (found.size < count) {
    const query = queries.next();
    if (isValid(query)) found.set(query.query, query);
  }
  return [...found.values()];

  function isValid({ query }: RandomQuery): boolean {
    try {
      return validate(schema, parse(query)).length === 0;
    } catch {
      return false;
    }
  }
}

/**
 * Sorts the errors of an answer, because the errors of several fields of Query come in the order in which the database
 * answered. An answer without errors stays as it is.
 */
function inOrder(answer: string): string {
  const [head = '', body = ''] = answer.split('\n');
  if (!body.startsWith('{"errors":')) return answer;
  const { errors, ...rest } = JSON.parse(body) as { errors: readonly object[] };
  return `${head}\n${JSON.stringify({ errors: errors.map((error) => JSON.stringify(error)).toSorted(), ...rest })}`;
}

describeOnEachEngine('a trusted document as SQL', (engine) => {
  const random = randomFrom(SEED);
  const documents = documentsOf(random, Math.ceil(CASES / CASES_OF_A_DOCUMENT));
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  const agent = new Agent({ keepAlive: true });
  let store: TestApp;
  let callers: readonly (string | null)[];
  let runs: MockInstance<Plan['run']>;

  beforeAll(async () => {
    for (const [index, { query }] of documents.entries()) {
      writeFileSync(join(folder, `${index}.graphql`), query);
    }
    runs = vi.spyOn(Plan.prototype, 'run');
    const settings = { STORE_TRUSTED_DOCUMENTS: 'log', STORE_TRUSTED_DOCUMENTS_DIR: folder };
    store = await startApp(engine, settings);
    const [user, other] = [await createUser(store), await createUser(store)];
    const texts = [ODD, 'two\nlines\tand\r\b\f', '\u0000\u0001\u001F', ''];
    for (const name of ['Chai', 'Alt', '"', '😀', 'Öl']) {
      await create(store, { name, price: 0.07 });
    }
    for (const { id } of [user, user, user, other]) {
      const items = [1, 3, 1, 4].map((product_id) => ({ product_id, quantity: product_id }));
      await placeOrder(store, { user_id: id, items });
    }
    const gone = await createUser(store);
    await placeOrder(store, { user_id: gone.id });
    await store.call('DELETE', `/api/users/${gone.id}?anonymise=true`);
    await store.call('DELETE', '/api/products/3');
    await store.graphql('mutation { setProductStock(id: 1, quantity: 7) { id } }');
    // Values that the service itself would not store, or would store only after years.
    const database = store.app.get(DataSource, { strict: false });
    const write = (text: string) => database.query(text);
    const moment = (iso: string) => (engine === 'sqlite' ? Date.parse(iso) : `'${iso}'`);
    await write('UPDATE orders SET total_minor = 7036874417766399 WHERE id = 1');
    await write('UPDATE orders SET total_minor = 9007199254740991 WHERE id = 2');
    await write('UPDATE order_items SET total_minor = -5, quantity = -3 WHERE order_id = 3');
    await write('UPDATE products SET price_minor = 9007199254740990 WHERE id = 4');
    await write(`UPDATE products SET created_at = ${moment('1969-12-31T23:59:59.999Z')} WHERE id = 2`);
    await write(`UPDATE users SET created_at = ${moment('9999-12-31T23:59:59.999Z')} WHERE id = 1`);
    const placeholder = engine === 'sqlite' ? '?' : '$1';
    for (const [index, text] of texts.entries()) {
      if (engine === 'postgres' && text.includes('\u0000')) continue;
      const id = index + 1;
      await database.query(`UPDATE products SET description = ${placeholder} WHERE id = ${id}`, [text]);
      await database.query(`UPDATE users SET name = ${placeholder} WHERE id = ${id}`, [text]);
      await database.query(`UPDATE order_items SET name = ${placeholder} WHERE order_id = ${id}`, [text]);
    }
    callers = [
      ADMIN_KEY,
      await createKey(store, [], user.id),
      await createKey(store, ['orders:read', 'users:read']),
      await createKey(store, ['orders:read']),
      await createKey(store, ['users:read'], other.id),
      null,
      'sk_wrong',
    ];
  });
  afterAll(async () => {
    agent.destroy();
    runs.mockRestore();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it(
    `answers ${CASES} random cases of seed ${SEED} with the same status, headers and bytes as without SQL`,
    { timeout: 3_600_000 },
    async () => {
      let cases = 0;
      for (const { query, operationName, variables } of documents) {
        for (let n = 0; n < CASES_OF_A_DOCUMENT; n += 1) {
          const caller = callers[Math.floor(random() ** 1.5 * callers.length)] as string | null;
          const values = variables[Math.floor(random() * variables.length)];
          const rest = { ...(operationName !== undefined && { operationName }), variables: values };
          const way = random() < 0.5 ? { query } : { documentId: hashOf(query) };
          const expected = await bytesOf(store, agent, { query: `${query} #`, ...rest }, { key: caller });
          const found = await bytesOf(store, agent, { ...way, ...rest }, { key: caller });
          const sent = { query, ...rest, caller };
          expect({ sent, answer: inOrder(found) }).toEqual({ sent, answer: inOrder(expected) });
          cases += 1;
        }
      }
      const answered = (await Promise.all(runs.mock.results.map(({ value }) => value))).filter(Boolean);
      expect(answered.length / cases).toBeGreaterThan(0.3);
    },
  );
});
