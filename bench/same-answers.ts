import { deepStrictEqual, ok } from 'node:assert/strict';
import { LoadConnection } from './load-connection.ts';
import { REQUESTS, type RequestSettings } from './requests.ts';
import type { Contender } from './rows.ts';

interface Answer {
  readonly type: string | undefined;
  readonly body: unknown;
}

/**
 * Compares what the two sides of a row answer to the same request before their speed is: a server that does something
 * else is no measure. Of GraphQL answers only the data counts, the service adds what they cost.
 *
 * @throws AssertionError when the answers differ
 */
export async function requireSameAnswers(
  [first, second]: readonly [Contender, Contender],
  settingsOf: (contender: Contender) => RequestSettings,
): Promise<void> {
  const left = await answerOf(first, settingsOf(first));
  const right = await answerOf(second, settingsOf(second));
  if (first.server !== second.server) deepStrictEqual(left, right);
  // Pages of one server differ in what they show, but must be equally full.
  else if (Array.isArray(left.body)) {
    deepStrictEqual(left.body.length, (right.body as unknown[]).length);
  } else deepStrictEqual(left, right);
}

async function answerOf({ kind }: Contender, settings: RequestSettings): Promise<Answer> {
  const connection = new LoadConnection(settings.port);
  try {
    const answer = await connection.ask(REQUESTS[kind](settings)());
    const headEnd = answer.indexOf('\r\n\r\n');
    const type = /\r\ncontent-type: *([^\r]*)/i.exec(answer.slice(0, headEnd))?.[1];
    const body: unknown = JSON.parse(answer.slice(headEnd), timeless);
    return { type, body: kind.startsWith('graphql') ? (body as { data: unknown }).data : body };
  } finally {
    connection.close();
  }
}

/** What subscribers of the two sides heard of the same order. @throws AssertionError when it differs */
export function requireSameNews([first, second]: readonly unknown[]): void {
  const [left, right] = [first, second].map((news) => JSON.parse(JSON.stringify(news), timeless) as Frame);
  // How many orders it took until everybody was there is chance.
  for (const frame of [left, right]) {
    ok(frame);
    for (const value of [frame.payload.data.newOrder, frame.payload.extensions]) {
      for (const name of Object.keys(value)) value[name] = typeof value[name];
    }
  }
  deepStrictEqual(left, right);
}

interface Frame {
  readonly payload: {
    readonly data: { readonly newOrder: Record<string, unknown> };
    readonly extensions: Record<string, unknown>;
  };
}

/** Without the moment at which something was done. */
function timeless(name: string, value: unknown): unknown {
  return name === 'created_at' ? typeof value : value;
}
