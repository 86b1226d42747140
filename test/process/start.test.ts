import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build, launch, serve } from '../support/process.js';

describe('the service as a process', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-process-'));
    await build();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const settings = (name: string, more: Record<string, string> = {}) => ({
    STORE_DATABASE_URL: `sqlite:${join(folder, name)}`,
    ...more,
  });

  it('makes the administrator’s key at first start, shows it once, and keeps it and what was stored', async () => {
    const first = await serve(settings('first.sqlite'));
    const key = /sk_1_[A-Za-z0-9_-]{43}/.exec(first.output())?.[0] as string;
    const create = (url: string) =>
      fetch(`${url}/api/products`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: '{"name":"Chai","price":18}',
      });
    expect((await create(first.url)).status).toBe(201);
    expect(await first.stop('SIGTERM')).toEqual({ code: 0, signal: null });

    const second = await serve(settings('first.sqlite'));
    expect(second.output()).not.toContain('sk_');
    expect((await create(second.url)).status).toBe(201);
    const list = await fetch(`${second.url}/api/products`);
    expect(((await list.json()) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2]);
    expect(await second.stop('SIGINT')).toEqual({ code: 0, signal: null });
    // The log, unlike what is written to the person who starts it, never has the key.
    const log = first
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(log.length).toBeGreaterThan(2);
    expect(log.join('\n')).not.toContain(key);
  });

  it('finishes on SIGTERM what it has begun, is not ready meanwhile, and ends with 0', async () => {
    const service = await serve(settings('drain.sqlite', { STORE_ADMIN_KEY: 'k'.repeat(32) }));
    const { port } = new URL(service.url);
    const body = '{"name":"Last","price":1}';
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/products HTTP/1.1\r\nHost: x\r\nX-API-Key: ${'k'.repeat(32)}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await once(socket, 'connect');
    // A second connection is held open over the signal to ask whether the service is ready.
    const asking = connect(Number(port), '127.0.0.1');
    await once(asking, 'connect');
    asking.write('GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(((await once(asking, 'data')) as [Buffer])[0])).toContain('200 OK');
    asking.write('GET /health/ready HTTP/1.1\r\n');
    const stopped = service.stop('SIGTERM');
    await expect.poll(() => service.output()).toContain('"stopping"');
    asking.write('Host: x\r\n\r\n');
    expect(String(((await once(asking, 'data')) as [Buffer])[0])).toContain('503 Service Unavailable');
    socket.write(body.slice(5));
    expect(String(((await once(socket, 'data')) as [Buffer])[0])).toContain('201 Created');
    expect(await stopped).toEqual({ code: 0, signal: null });
  });

  it('lists everything that is wrong with its settings, and does not start', async () => {
    const { process: child, output } = launch({ PORT: 'x', STORE_CURRENCY: 'XXY', STORE_DATABSE_URL: 'y' });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toMatch(/PORT must be an integer/);
    expect(output()).toMatch(/STORE_CURRENCY must be/);
    expect(output()).toMatch(/STORE_DATABSE_URL is not a setting/);
    expect(output()).not.toContain('    at ');
  });

  it('says in words what is wrong with its database', async () => {
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
  });

  it('does not start on prices in another currency', async () => {
    const first = await serve(settings('currency.sqlite'));
    await first.stop('SIGTERM');
    const { process: child, output } = launch(settings('currency.sqlite', { STORE_CURRENCY: 'EUR' }));
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toContain('the prices in the database are in USD');
  });

  it('says that a port is taken', async () => {
    const first = await serve(settings('port.sqlite'));
    const { process: child, output } = launch(settings('port2.sqlite', { PORT: new URL(first.url).port }));
    const [code] = (await once(child, 'exit')) as [number];
    await first.stop('SIGTERM');
    expect(code).toBe(1);
    expect(output()).toMatch(/is taken/);
    expect(output()).not.toContain('    at ');
  });
});
