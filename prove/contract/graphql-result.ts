import { requireThat } from '../options.ts';
import type { Answer, Sent } from './client.ts';
import type { Problem } from './judge.ts';
import type { RootField } from './sdl.ts';

interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly extensions?: { readonly cost?: unknown };
  readonly errors?: readonly { readonly extensions: Problem; readonly path?: readonly (string | number)[] }[];
}

const MEMBERS: ReadonlySet<string> = new Set(['data', 'errors', 'extensions']);

/** @throws Broken when the answer is neither a result in the requested media type nor a problem */
export function resultIn({ id }: RootField, sent: Sent, { status, headers, text }: Answer): Result {
  const type = (headers['content-type'] ?? '').split(';', 1)[0] as string;
  if (type === 'application/problem+json' && status >= 400) {
    const problem = JSON.parse(text) as Problem;
    requireThat(problem.status === status, () => `${id}: the problem says status ${problem.status}.`);
    return { errors: [{ extensions: problem }] };
  }
  requireThat(type === sent.headers['accept'], () => `${id} has the media type ${type}.`);
  const data = type === 'text/event-stream' ? /^data: (\{.*)$/m.exec(text)?.[1] : text;
  requireThat(data !== undefined, () => `${id} sends no event.`);
  const body = JSON.parse(data) as Result;
  const odd = Object.keys(body).filter((name) => !MEMBERS.has(name));
  requireThat(odd.length === 0, () => `${id} answers with ${odd.join(', ')}, which no result has.`);
  return body;
}
