import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve, type Service } from '../testkit/process.ts';
import { readFlushes } from './flushes.ts';
import { prove, requireThat, tell } from './options.ts';

const KEY = 'proof-'.repeat(6);
const CLIENTS = 8;
const CALLS = 'write,writev,sendto,sendmsg,pwrite64,pwritev,fsync,fdatasync';
/** More than a page of the database, so that the trace contains whole pages. */
const SHOWN_BYTES = 6_000;

const HELP = `npm run prove:flush -- [options]

Proves that a change is on the disk before it is acknowledged. The built service runs on SQLite under strace. The commit of
each answer 201 must have been written to the write-ahead log, and flushed, before the answer was written to its socket.

  --answers N     the number of answers (200)
`;

/**
 * Each request has its own id. The id is in the answer. It is also in the event of the request, and so in a page of the
 * commit. The proof is for SQLite only, because PostgreSQL flushes in its own processes, and this strace does not see
 * them.
 */
await prove(HELP, { answers: { fallback: 200, least: 3, most: 10_000 } }, async ({ answers }) => {
  if (spawnSync('strace', ['--version']).error) {
    throw new Error(
      'There is no strace here: apt-get install strace, dnf install strace or apk add strace. It is for Linux only.',
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'store-prove-'));
  try {
    const trace = join(folder, 'trace');
    await record(`sqlite:${join(folder, 'store.sqlite')}`, trace, answers);
    const lines = createInterface({ input: createReadStream(trace), crlfDelay: Infinity });
    const seen = await readFlushes(lines, /prove-flush-\d+/g);
    requireThat(
      seen.answers === answers,
      () => `The trace has ${seen.answers} of the ${answers} answers 201.`,
    );
    tell(
      `${seen.answers} answers 201, ${seen.commits} commits in ${seen.writes} writes of the write-ahead log, each answer after the flush of its commit.`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function record(database: string, trace: string, answers: number): Promise<void> {
  const settings = {
    STORE_DATABASE_URL: database,
    STORE_ADMIN_KEY: KEY,
    STORE_RATE_LIMIT: 'off',
    STORE_ACCESS_LOG: 'errors',
  };
  // With -D, the started process is the service, and strace runs beside it.
  const strace = ['strace', '-D', '-f', '-y', '-s', String(SHOWN_BYTES), '-o', trace, '-e', `trace=${CALLS}`];
  const service = await serve(settings, { under: strace });
  try {
    await ask(service, answers);
  } finally {
    await service.stop('SIGINT');
  }
  // strace ends a little later than the service. The trace is complete when strace has ended.
  while (!(await endOf(trace)).includes('+++ exited')) await sleep(20);
}

async function endOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read({ buffer: Buffer.alloc(100), position: Math.max(0, size - 100) });
    return buffer.toString();
  } finally {
    await handle.close();
  }
}

async function ask({ url }: Service, answers: number): Promise<void> {
  let asked = 0;
  const post = async <T>(path: string, body: object): Promise<T> => {
    const id = `prove-flush-${asked++}`;
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers: {
        'x-api-key': KEY,
        'content-type': 'application/json',
        'x-request-id': id,
        'idempotency-key': id,
      },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const { user } = await post<{ user: { id: number } }>('users', { name: 'Ann', email: 'ann@example.com' });
  const product = await post<{ id: number }>('products', { name: 'Chai', price: 18 });
  const order = { user_id: user.id, items: [{ product_id: product.id, quantity: 1 }] };
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = client; n < answers - 2; n += CLIENTS) {
        if (n % 4) await post('orders', order);
        else await post('products', { name: 'Chang', price: 19 });
      }
    }),
  );
}
