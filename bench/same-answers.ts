import { deepStrictEqual, ok } from 'node:assert/strict';
import { LoadConnection } from './load-connection.ts';
import { REQUESTS, type RequestSettings } from './requests.ts';
import type { Contender, Row } from './rows.ts';

interface Answer {
  readonly type: string | undefined;
  readonly body: unknown;
}

/**
 * Compares the first answers of the two sides of a row. Speeds can be compared only if both servers do the same work.
 * So the benchmark compares the answers before it measures. Only `data` is compared in a GraphQL answer, because the
 * service also adds the cost of the operation.
 *
 * @throws Error when the answers differ, or when one of them is no success
 */
export async function requireSameAnswers(
  { contenders: [first, second], readsOtherRows = false }: Pick<Row, 'contenders' | 'readsOtherRows'>,
  settingsOf: (contender: Contender) => RequestSettings,
): Promise<void> {
  const left = await answerOf(first, settingsOf(first));
  const right = await answerOf(second, settingsOf(second));
  if (readsOtherRows) deepStrictEqual((left.body as unknown[]).length, (right.body as unknown[]).length);
  else deepStrictEqual(left, right);
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

/**
 * Compares the last events that the subscribers of the two sides received.
 *
 * @throws AssertionError when the events differ
 */
export function requireSameNews([first, second]: readonly unknown[]): void {
  const [left, right] = [first, second].map((news) => JSON.parse(JSON.stringify(news), timeless) as Frame);
  // The number of orders until all subscribers were connected depends on chance, so only types are compared.
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

/** Replaces a time by its type, because times differ. */
function timeless(name: string, value: unknown): unknown {
  return name === 'created_at' ? typeof value : value;
}
