import { Broken, requireThat } from '../options.ts';
import type { Answer, Sent } from './client.ts';
import type { Problem } from './judge.ts';
import type { RootField } from './sdl.ts';

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly extensions?: { readonly cost?: unknown };
  readonly errors?: readonly { readonly extensions: Problem; readonly path?: readonly (string | number)[] }[];
}

const MEMBERS: ReadonlySet<string> = new Set(['data', 'errors', 'extensions']);

/**
 * Reads the result of a GraphQL operation out of an answer: a JSON document, the first event of a stream, or a problem
 * of HTTP, which becomes a result with one error.
 *
 * @throws Broken when the answer has another media type than the request accepts, cannot be read, or is no result; also
 * when a problem names another status than the answer
 */
export function resultIn({ id }: RootField, sent: Sent, { status, headers, text }: Answer): Result {
  const type = (headers['content-type'] ?? '').split(';', 1)[0] as string;
  if (type === 'application/problem+json' && status >= 400) {
    const problem = jsonIn(id, text) as Problem;
    requireThat(
      problem.status === status,
      () => `${id}: the problem says status ${problem.status}, but the answer has the status ${status}.`,
    );
    return { errors: [{ extensions: problem }] };
  }
  requireThat(
    type === sent.headers['accept'],
    () => `${id} answers as ${type}, but the request accepts only ${sent.headers['accept']}.`,
  );
  const data = type === 'text/event-stream' ? /^data: (\{.*)$/m.exec(text)?.[1] : text;
  requireThat(data !== undefined, () => `${id} answers with a stream in which no event has a JSON object.`);
  const body = jsonIn(id, data) as Result;
  const unknownMembers = Object.keys(body).filter((name) => !MEMBERS.has(name));
  requireThat(
    unknownMembers.length === 0,
    () => `${id} answers with ${unknownMembers.join(', ')}. A result has only ${[...MEMBERS].join(', ')}.`,
  );
  return body;
}

/** @throws Broken when the text is not a JSON object */
function jsonIn(id: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Broken(`${id} answers with a text that cannot be read as JSON: ${String(error)}.`, {
      cause: error,
    });
  }
  requireThat(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    () => `${id} answers with JSON that is not an object.`,
  );
  return value;
}
