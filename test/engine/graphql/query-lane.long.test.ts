import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { afterAll, beforeAll, expect, it, vi, type MockInstance } from 'vitest';
import { QueryLane } from '../../../src/engine/graphql/query-lane.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';
import { bytesOf } from '../../support/clients/graphql-bytes.js';
import type { Operation } from '../../support/clients/graphql.js';
import { createKey } from '../../support/clients/keys.js';
import { randomFrom } from '../../../testkit/random.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { create, createUser, placeOrder } from '../../support/fixtures/fixtures.js';
import { CORPUS } from '../../support/fixtures/graphql-corpus.js';
import { RandomQueries } from '../../support/fixtures/random-queries.js';

const QUERIES = Number(process.env['LANE_QUERIES'] ?? 300);
const SEED = Number(process.env['LANE_SEED'] ?? 1);
/** After this number of requests with the same text, the query is compiled, and on SQLite its result is kept. */
const WARM = 6;
/**
 * On SQLite, the first two requests execute the query. The second request also stores the result, and the third request
 * gets this result.
 */
const TIMES = 3;
const ACCEPTS = [
  undefined,
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
];

const trusted = (file: string) => readFileSync(`documents/${file}`, 'utf8');
const DOCUMENTS: readonly Operation[] = readdirSync('documents')
  .filter((file) => !/^(subscription|mutation)\b/m.test(trusted(file)))
  .map((file) => ({ query: trusted(file), variables: { id: '1' } }));

describeOnEachEngine('the query lane', (engine) => {
  let store: TestApp;
  let callers: readonly (string | null)[];
  const agent = new Agent({ keepAlive: true });
  let served: MockInstance;
  let lane: MockInstance;

  beforeAll(async () => {
    lane = vi.spyOn(QueryLane.prototype, 'answerQuery');
    served = vi.spyOn(QueryLane.prototype as unknown as { answer: () => unknown }, 'answer');
    store = await startApp(engine);
    const [user, other] = [
      await createUser(store),
      await createUser(store, { name: 'A "B" \\ <\u2028> 😀' }),
    ];
    for (const name of ['Chai', 'Alt', 'Öl', 'A "quote", \\ and \u2028', '😀'])
      await create(store, { name, price: 0.07 });
    for (const { id } of [user, user, other]) {
      await placeOrder(store, { user_id: id, items: [{ product_id: 1, quantity: 3 }] });
    }
    const gone = await createUser(store);
    await placeOrder(store, { user_id: gone.id });
    await store.call('DELETE', `/api/users/${gone.id}?anonymise=true`);
    await store.call('DELETE', '/api/products/2');
    callers = [
      ADMIN_KEY,
      null,
      await createKey(store, [], user.id),
      await createKey(store, ['orders:read']),
      'sk_wrong',
    ];
  });
  afterAll(async () => {
    agent.destroy();
    served.mockRestore();
    lane.mockRestore();
    await store.close();
  });

  const send = (operation: Operation, key: string | null, accept: string | undefined): Promise<string> =>
    bytesOf(store, agent, operation, { key, accept });

  /** The answer of Apollo. */
  const withoutLane = async (...request: Parameters<typeof send>): Promise<string> => {
    const before = served.mock.calls.length;
    lane.mockReturnValue(null);
    const answer = await send(...request);
    lane.mockReset();
    expect(served.mock.calls.length).toBe(before);
    return answer;
  };

  let texts = 0;
  /**
   * Sends each set of variables to Apollo and to the lane, with texts that are new. Then it sends each set several
   * times with a text that is compiled.
   */
  const compare = async (
    { query, operationName }: Operation,
    variables: readonly Operation['variables'][],
    random: () => number,
  ): Promise<void> => {
    // The comment always has the same length, because an error at the end of the text names its place.
    const operation = (values: Operation['variables']): Operation => ({
      query: `${query} #${String((texts += 1)).padStart(9, '0')}`,
      ...(operationName !== undefined && { operationName }),
      ...(values !== undefined && { variables: values }),
    });
    const warm = operation(variables[0]);
    for (let n = 0; n < WARM; n += 1) await send(warm, ADMIN_KEY, undefined);
    for (const values of variables) {
      const caller = callers[Math.floor(random() ** 2 * callers.length)] as string | null;
      const accept = ACCEPTS[Math.floor(random() * ACCEPTS.length)];
      const expected = await withoutLane(operation(values), caller, accept);
      const sent = { ...warm, variables: values, caller, accept };
      expect({ sent, answer: await send(operation(values), caller, accept) }).toEqual({
        sent,
        answer: expected,
      });
      for (let n = 0; n < TIMES; n += 1) {
        const answer = await send({ ...warm, variables: values }, caller, accept);
        expect({ sent, answer }).toEqual({ sent, answer: expected });
      }
    }
  };

  it('answers queries of every kind as Apollo and graphql-js do, with the same status, headers and bytes', async () => {
    const random = randomFrom(SEED);
    for (const { variables, ...operation } of [...Object.values(CORPUS), ...DOCUMENTS]) {
      if (operation.query?.startsWith('mutation')) continue;
      await compare(operation, [variables, variables, {}], random);
    }
    expect(served.mock.calls.length).toBeGreaterThan(50);
  });

  it(
    `answers ${QUERIES} random queries of seed ${SEED} as Apollo and graphql-js do`,
    { timeout: 3_600_000 },
    async () => {
      const { schema } = store.app.get(GraphQLSchemaHost, { strict: false });
      const random = randomFrom(SEED);
      const queries = new RandomQueries(schema, random);
      served.mockClear();
      let answers = 0;
      for (let n = 0; n < QUERIES; n += 1) {
        const { query, operationName, variables } = queries.next();
        await compare({ query, ...(operationName !== undefined && { operationName }) }, variables, random);
        answers += variables.length * (TIMES + 1);
      }
      expect(served.mock.calls.length / answers).toBeGreaterThan(0.9);
    },
  );
});
