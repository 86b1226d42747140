import { deepStrictEqual } from 'node:assert/strict';
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
    const body: unknown = JSON.parse(answer.slice(headEnd));
    return { type, body: kind.startsWith('graphql') ? (body as { data: unknown }).data : body };
  } finally {
    connection.close();
  }
}
