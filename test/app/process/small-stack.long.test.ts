import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../../../testkit/process.js';

/**
 * The size of the stack in kilobytes: a third of the default of Node. The first run of code needs several times the
 * stack of later runs.
 */
const STACK = 330;
const UNDER = ['sh', '-c', `node=$1; shift; exec "$node" --stack-size=${STACK} "$@"`, 'sh'];

const deep = (levels: number, [open, close]: readonly [string, string]): string =>
  open.repeat(levels) + close.repeat(levels);
const many = (count: number, part: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => part(n)).join(' ');
const chain = (links: number): string =>
  `{ ...F0 } ${many(links, (n) => `fragment F${n} on Query { ...F${n + 1} }`)} fragment F${links} on Query { __typename }`;

const LIMIT = 'GRAPHQL_LIMIT_EXCEEDED';
const post = (query: string, variables = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
});

/** The first request of the process, and the code of the error in its answer; undefined without an error. */
const FIRST: Readonly<Record<string, readonly [path: string, init: RequestInit, code: string | undefined]>> =
  {
    'lists 3,000 deep': ['/graphql', post(`{ products(sort: ${deep(3_000, ['[', ']'])}) { id } }`), LIMIT],
    'brackets that are never closed': ['/graphql', post(`{ products(sort: ${'['.repeat(1_900)}`), LIMIT],
    'selections 900 deep': ['/graphql', post(`{ ${deep(900, ['... { ', '} '])}`), LIMIT],
    'lists of the greatest allowed depth': [
      '/graphql',
      post(`{ products(sort: ${deep(126, ['[', ']'])}) { id } }`),
      'GRAPHQL_VALIDATION_FAILED',
    ],
    'selections of the greatest allowed depth': [
      '/graphql',
      post(`{ ${'... { '.repeat(127)} __typename ${'} '.repeat(128)}`),
      undefined,
    ],
    'a long chain of fragments': ['/graphql', post(chain(240)), undefined],
    'variables 30 deep': [
      '/graphql',
      post('query ($s: [ProductSort!]) { products(sort: $s) { id } }', {
        s: JSON.parse(deep(30, ['[', ']'])) as unknown,
      }),
      'VALIDATION_FAILED',
    ],
    'JSON 100,000 deep': ['/graphql', { ...post(''), body: deep(100_000, ['[', ']']) }, 'VALIDATION_FAILED'],
  };

/** The code of an answer: of its problem details, or of its first GraphQL error. */
const ofAnswer = (text: string): string | undefined => {
  const answer = JSON.parse(text) as { code?: string; errors?: { extensions: { code: string } }[] };
  return answer.code ?? answer.errors?.[0]?.extensions.code;
};

describe('the first request of a process with a small stack', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'small-stack-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.concurrent.each(Object.entries(FIRST))(
    'does not overflow the stack: %s',
    async (what, [path, init, code]) => {
      const service = await serve(
        { STORE_DATABASE_URL: `sqlite:${join(folder, `${what.replaceAll(/\W/g, '-')}.sqlite`)}` },
        { under: UNDER },
      );
      try {
        const response = await fetch(service.url + path, init);
        const text = await response.text();
        expect(text).not.toMatch(/stack/i);
        expect(ofAnswer(text)).toBe(code);
      } finally {
        await service.stop('SIGINT');
      }
    },
  );
});
