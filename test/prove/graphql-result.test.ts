import { describe, expect, it } from 'vitest';
import type { Sent } from '../../prove/contract/client.ts';
import { resultIn } from '../../prove/contract/graphql-result.ts';
import type { RootField } from '../../prove/contract/sdl.ts';
import { Broken } from '../../prove/options.ts';

const JSON_TYPE = 'application/graphql-response+json';
const FIELD = { id: 'Query.product' } as RootField;

interface Shape {
  readonly accept?: string;
  readonly type?: string;
  readonly status?: number;
}

function read(text: string, { accept = JSON_TYPE, type = accept, status = 200 }: Shape = {}): unknown {
  const sent = { headers: { accept } } as unknown as Sent;
  return resultIn(FIELD, sent, { status, headers: { 'content-type': type }, text });
}

describe('the result of a GraphQL operation', () => {
  it('is the JSON of an answer', () => {
    expect(read('{"data": null}', { type: `${JSON_TYPE}; charset=utf-8` })).toEqual({ data: null });
  });

  it('is the first event of a stream', () => {
    const accept = 'text/event-stream';
    expect(read('event: next\ndata: {"data": {"a": 1}}\n\n', { accept })).toEqual({ data: { a: 1 } });
  });

  it('is one error for a problem of HTTP', () => {
    const type = 'application/problem+json';
    expect(read('{"status": 429}', { type, status: 429 })).toEqual({
      errors: [{ extensions: { status: 429 } }],
    });
  });

  it.each([
    [
      'a text that is not JSON',
      '<html>',
      {},
      'Query.product answers with a text that cannot be read as JSON',
    ],
    ['JSON that is not an object', '[]', {}, 'Query.product answers with JSON that is not an object.'],
    [
      'an unknown member',
      '{"data": null, "hints": []}',
      {},
      'Query.product answers with hints. A result has only data, errors, extensions.',
    ],
    [
      'a media type that was not requested',
      '{"data": null}',
      { type: 'text/html' },
      `Query.product answers as text/html, but the request accepts only ${JSON_TYPE}.`,
    ],
    [
      'a stream without an event',
      ':\n\n',
      { accept: 'text/event-stream' },
      'Query.product answers with a stream in which no event has a JSON object.',
    ],
    [
      'a problem that names another status',
      '{"status": 400}',
      { type: 'application/problem+json', status: 429 },
      'Query.product: the problem says status 400, but the answer has the status 429.',
    ],
    [
      'a problem that is not JSON',
      'Too many requests',
      { type: 'application/problem+json', status: 429 },
      'Query.product answers with a text that cannot be read as JSON',
    ],
  ])('fails the proof for %s', (_name, text, answer, message) => {
    expect(() => read(text, answer)).toThrow(Broken);
    expect(() => read(text, answer)).toThrow(message);
  });
});
