import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp, type Answer, type TestApp } from '../../support/clients/app.js';
import { CONTRACT, operationAt, type ContractOperation } from '../../support/fixtures/contract.js';
import { describeOnEachEngine } from '../../support/fixtures/database.js';
import { storyOf } from '../../support/fixtures/first-examples.js';

/**
 * Version 1 is frozen. These files hold requests and their recorded answers. Each file is a story: its requests are
 * sent to a new store, one after another. `npm run record:v1` writes a story for the operations that have no example,
 * and records missing answers. It does not change recorded answers. Only the words of an error may be changed, by hand
 * (ADR 36).
 */
interface Example {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
    /** The key to send; by default the key of the administrator. */
    readonly key?: string | null;
  };
  /** Names for members of the answer. A later request writes a name in braces to use the value of the member. */
  readonly keep?: Record<string, string>;
  /** The previous request takes effect only after a moment. So the test asks again until the answer is as recorded. */
  readonly soon?: boolean;
  answer?: Recorded;
}

interface Recorded {
  readonly status: number;
  /** The headers that clients rely on. The answer may have other headers too. */
  readonly headers: Record<string, string>;
  readonly body: string;
}

const FOLDER = new URL('v1-examples/', import.meta.url);
const HEADERS = [
  'content-type',
  'location',
  'link',
  'x-total-count',
  'etag',
  'cache-control',
  'allow',
  'www-authenticate',
];
const isRecording = process.env['RECORD_V1'] === '1';
const FROZEN = CONTRACT.filter(({ address }) => /^\/(api\/v1|users)\//.test(address));
if (isRecording) await writeFirstExamples();
const STORIES = storiesIn(FOLDER);

type Story = readonly [name: string, examples: Example[]];

function storiesIn(folder: URL): readonly Story[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Example[]] as const);
}

/** The operations of version 1 that have no example. */
function withoutExample(stories: readonly Story[]): readonly ContractOperation[] {
  const shown = new Set(
    stories.flatMap(([, examples]) =>
      examples.map(({ request: { method, path } }) => operationAt(method, path)?.operationId),
    ),
  );
  return FROZEN.filter(({ operationId }) => !shown.has(operationId));
}

/**
 * Writes a story for each resource that has operations without an example. The story of `/api/v1/reviews` is
 * `reviews.json`. An existing file is not changed.
 */
async function writeFirstExamples(): Promise<void> {
  const stories = storiesIn(FOLDER);
  const resources = Map.groupBy(
    withoutExample(stories),
    ({ address }) => /^\/(?:api\/v1\/)?([\w-]+)/.exec(address)?.[1] ?? '',
  );
  for (const [resource, operations] of resources) {
    const taken = stories.filter(([file]) => file.startsWith(resource)).length;
    const name = taken === 0 ? `${resource}.json` : `${resource}-${taken + 1}.json`;
    await writeStory(name, await storyOf(operations));
  }
}

async function writeStory(name: string, examples: readonly object[]): Promise<void> {
  const text = await format(JSON.stringify(examples), { parser: 'json', ...(await resolveConfig(name)) });
  writeFileSync(new URL(name, FOLDER), text);
}

/** Replaces values that differ in each run, but always have the same form. */
function masked(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<moment>')
    .replaceAll(/(sk_\d+_)[\w-]{43}/g, '$1<secret>')
    .replaceAll(/("client_secret":")[\w-]{43}/g, '$1<secret>')
    .replaceAll(/c_[\w-]{22}/g, '<client>')
    .replaceAll(/("[\w-]+-v1)-[^"]*"/g, '$1-<build>"');
}

function recordedFrom({ status, headers, text }: Answer): Recorded {
  const shown = HEADERS.map((name) => [name, headers.get(name)] as const).filter(
    ([, value]) => value !== null,
  );
  return {
    status,
    headers: Object.fromEntries(shown.map(([name, value]) => [name, masked(value as string)])),
    body: masked(text),
  };
}

/** An empty text if the answer equals the recorded answer. Additional headers are allowed. */
function whatDiffers(story: string, now: Recorded, then: Recorded): string {
  const parts = [
    ['status', then.status, now.status],
    ...Object.entries(then.headers).map(([name, value]) => [name, value, now.headers[name]]),
    ['body', then.body, now.body],
  ];
  const lines = parts
    .filter(([, old, own]) => old !== own)
    .flatMap(([name, old, own]) => [`- ${name}: ${old}`, `+ ${name}: ${own ?? '(none)'}`]);
  if (lines.length === 0) return '';
  return `Version 1 is frozen: make this change in version 2. In v1-examples/${story} (-) and now (+):\n${lines.join('\n')}`;
}

it('there is an example of every operation of version 1', () => {
  expect(withoutExample(STORIES).map(({ operationId }) => operationId)).toEqual([]);
});

describeOnEachEngine('version 1', (engine) => {
  describe.each(STORIES)('answers the requests of %s as recorded', (name, examples) => {
    let store: TestApp;
    const kept: Record<string, string> = {};
    let isNew = false;
    beforeAll(async () => {
      store = await startApp(engine);
    });
    afterAll(async () => {
      await store.close();
      if (isNew) await writeStory(name, examples);
    });

    const filled = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (all, key: string) => kept[key] ?? all)) as T;

    it.each(examples.map((example) => [example.request.method, example.request.path, example] as const))(
      '%s %s',
      async (_method, _path, example) => {
        const { method, path, headers, body, key = ADMIN_KEY } = filled(example.request);
        const ask = async (): Promise<Recorded> => {
          const all = { 'x-request-id': 'recorded', ...headers };
          const answer = await store.call(method, path, { key, headers: all, body });
          for (const [variable, member] of Object.entries(example.keep ?? {})) {
            kept[variable] = String(answer.body[member]);
          }
          return recordedFrom(answer);
        };
        const { answer } = example;
        if (!answer && isRecording && engine === 'sqlite') {
          example.answer = await ask();
          isNew = true;
          return;
        }
        if (!answer) throw new Error('This example has no answer yet: npm run record:v1 writes it.');
        let now = await ask();
        const deadline = Date.now() + 10_000;
        while (example.soon === true && whatDiffers(name, now, answer) !== '' && Date.now() < deadline) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          now = await ask();
        }
        expect(whatDiffers(name, now, answer)).toBe('');
      },
    );
  });
});
