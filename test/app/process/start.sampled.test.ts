import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launch, serve } from '../../../testkit/process.js';
import { onlyLong, sampled } from '../../support/sampled.js';

describe('the service as a process', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-process-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const settings = (name: string, more: Record<string, string> = {}) => ({
    STORE_DATABASE_URL: `sqlite:${join(folder, name)}`,
    ...more,
  });

  it.concurrent(
    'creates the key of the administrator at the first start, shows it once, and keeps the key, the data and the currency',
    async () => {
      const first = await serve(settings('first.sqlite'));
      // The two output streams of a process have no common order.
      const key = await vi.waitFor(
        () => {
          const [shown] = /sk_1_[A-Za-z0-9_-]{43}/.exec(first.output()) ?? [];
          if (shown === undefined) throw new Error(`There is no key in ${first.output()}`);
          return shown;
        },
        { timeout: 30_000 },
      );
      const create = (url: string) =>
        fetch(`${url}/api/products`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body: '{"name":"Chai","price":18}',
        });
      expect((await create(first.url)).status).toBe(201);
      expect(await first.stop('SIGINT')).toEqual({ code: 0, signal: null });

      const second = await serve(settings('first.sqlite'));
      expect(second.output()).not.toContain('sk_');
      expect((await create(second.url)).status).toBe(201);
      const list = await fetch(`${second.url}/api/products`);
      expect(((await list.json()) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2]);
      expect(await second.stop('SIGINT')).toEqual({ code: 0, signal: null });

      // The prices of a store are all in its currency.
      const other = launch(settings('first.sqlite', { STORE_CURRENCY: 'EUR' }));
      expect(await once(other.process, 'exit')).toEqual([1, null]);
      expect(other.output()).toContain('the prices in the database are in USD');
      // The message for the person who starts the service has the key. The log never has it.
      const log = first
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'));
      expect(log.length).toBeGreaterThan(2);
      expect(log.join('\n')).not.toContain(key);
    },
  );

  it.concurrent(
    'sets the options of V8 for the collection of garbage when the service is ready',
    async () => {
      const watch = join(folder, 'watch.cjs');
      await writeFile(watch, `require('v8').setFlagsFromString = (flags) => console.log('V8 ' + flags);`);
      const service = await serve(settings('garbage.sqlite', { NODE_OPTIONS: `--require=${watch}` }));
      const set = 'V8 --heap-growing-percent=20\nV8 --no-allocation-site-pretenuring\n';
      await vi.waitFor(() => expect(service.output()).toContain(set), 30_000);
      expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null });
    },
  );

  it.concurrent(
    'logs a line for each request with its id, and without credentials, queries and bodies',
    async () => {
      const key = `secret-key-${'k'.repeat(32)}`;
      const service = await serve(settings('log.sqlite', { STORE_ADMIN_KEY: key }));
      await fetch(`${service.url}/api/products?q=secret-query`, {
        headers: { 'x-request-id': 'trace-1', 'x-api-key': key },
      });
      await fetch(`${service.url}/api/products`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{"name":"secret-name","price":1}',
      });
      await fetch(`${service.url}/api/products`, { headers: { authorization: 'Basic secret-basic' } });
      await service.stop('SIGINT');
      const lines = service
        .output()
        .split('\n')
        .filter((line) => line.includes('"msg":"request"'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines).toHaveLength(3);
      expect(lines[0]).toMatchObject({
        requestId: 'trace-1',
        method: 'GET',
        path: '/api/products',
        status: 200,
      });
      expect(lines[1]).toMatchObject({ method: 'POST', status: 201, principal: 'STORE_ADMIN_KEY' });
      expect(lines[2]).toMatchObject({ status: 401 });
      expect(service.output()).not.toContain('secret');
    },
  );

  it.concurrent('lists all faults of its settings, and does not start', async () => {
    const { process: child, output } = launch({ PORT: 'x', STORE_CURRENCY: 'XXY', STORE_DATABSE_URL: 'y' });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toMatch(/PORT must be an integer/);
    expect(output()).toMatch(/STORE_CURRENCY must be/);
    expect(output()).toMatch(/STORE_DATABSE_URL is not a setting/);
    expect(output()).not.toContain('    at ');
  });

  it.concurrent(
    'names a database file that is not SQLite, and does not change its size',
    onlyLong,
    async () => {
      const file = join(folder, 'no-database');
      await writeFile(
        file,
        'this is some other file, longer than a header of SQLite would be, and not SQLite at all...',
      );
      const before = (await stat(file)).size;
      const { process: child, output } = launch({ STORE_DATABASE_URL: `sqlite:${file}` });
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(1);
      expect(output()).toContain(file);
      expect(output()).not.toContain('    at ');
      expect((await stat(file)).size).toBe(before);
    },
  );

  const faults = [
    ['an unknown host', { HOST: 'no-such-host.invalid' }, /HOST no-such-host\.invalid is not known/],
    [
      'a host of another machine',
      { HOST: '192.0.2.1' },
      /HOST 192\.0\.2\.1 is not an address of this machine/,
    ],
    ['an invalid proxy', { STORE_TRUST_PROXY: '999.1.1.1' }, /STORE_TRUST_PROXY must be/],
  ] as const;
  it.concurrent.each(sampled(faults, 1))(
    'reports a fault of its settings in words: %s',
    async (_what, wrong, words) => {
      const { process: child, output } = launch(settings('words.sqlite', wrong));
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(1);
      expect(output()).toMatch(words);
      expect(output()).not.toMatch(/^ {4}at /m);
    },
  );
});
