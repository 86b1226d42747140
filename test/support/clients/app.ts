import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { loadConfig } from '../../../src/engine/config/config.js';
import { createApp } from '../../../src/app/create-app.js';
import type { Engine } from '../../../src/engine/database/sql.js';
import { createLogger } from '../../../src/engine/http/log.js';
import { judge } from '../fixtures/contract.js';
import { migratedDatabase } from '../fixtures/database.js';

export const ADMIN_KEY = 'an-administrator-key-for-tests-only-0123456789';

export const SECRET = 'a-secret-for-tests-only-0123456789-abcdef';
/**
 * No test reaches this limit. Requests are counted nevertheless, and the answers have the headers of the
 * limit.
 */
export const NO_LIMIT = 'anonymous=900000000/h,caller=900000000/h';
/** No test reaches these limits of open WebSockets and subscriptions. */
const MANY_AT_A_TIME = 'anonymous=20000,caller=20000,process=40000';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The value of a JSON body; undefined if the body is empty or is not JSON. */
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- every answer was checked against the contract
}

export interface Call {
  readonly headers?: Record<string, string>;
  /**
   * An object is sent as JSON. A text or bytes are sent unchanged, as application/json unless `headers` gives
   * another type.
   */
  readonly body?: unknown;
  /** By default the key of the administrator; null for no key. */
  readonly key?: string | null;
}

export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly port: number;
  /** Sends a request to the real server. Fails the test if the contract does not allow the answer. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Sends an operation to /graphql and returns its result. */
  graphql(query: string, variables?: Record<string, unknown>, call?: Omit<Call, 'body'>): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  close(): Promise<void>;
}

/** The real application on a fresh database, listening on a port of its own. */
export async function startApp(
  engine: Engine,
  settings: Record<string, string> = {},
  prepare: (app: NestFastifyApplication) => void = () => {},
  logger?: Logger,
): Promise<TestApp> {
  const database = await migratedDatabase(engine);
  const config = loadConfig({
    STORE_DATABASE_URL: database.url,
    STORE_ADMIN_KEY: ADMIN_KEY,
    STORE_LOG_LEVEL: 'silent',
    // On SQLite the service makes the secret itself, as it does for each operator who does not set it.
    ...(engine === 'postgres' && { STORE_SECRET: SECRET }),
    STORE_RATE_LIMIT: NO_LIMIT,
    STORE_SUBSCRIPTION_LIMITS: MANY_AT_A_TIME,
    ...settings,
  });
  const app = await createApp(config, logger ?? createLogger(config.log));
  try {
    prepare(app);
    await app.listen(0, '127.0.0.1');
  } catch (error) {
    await app.close();
    await database.drop();
    throw error;
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  const send = async (method: string, path: string, { headers = {}, body, key = ADMIN_KEY }: Call = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== null && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
    };
  };

  return {
    app,
    url,
    port,
    call: async (method, path, call) => {
      const [parameter] = /\{\w+\}/.exec(path) ?? [];
      if (parameter !== undefined)
        throw new Error(`There is no value for ${parameter} in ${method} ${path}.`);
      const answer = await send(method, path, call);
      judge(method, path, answer);
      return answer;
    },
    graphql: async (query, variables, call) => {
      const answer = await send('POST', '/graphql', {
        ...call,
        body: { query, ...(variables && { variables }) },
      });
      return answer.body;
    },
    close: async () => {
      await app.close();
      await database.drop();
    },
  };
}
