import { once } from 'node:events';
import { cp, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { store } from '../../support/clients/cli.js';
import { launch, serve, type Service } from '../../support/fixtures/process.js';

const top = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

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

  it('makes the administrator’s key at first start, shows it once, and keeps it and what was stored', async () => {
    const first = await serve(settings('first.sqlite'));
    // The two streams of a process come in no order.
    await expect.poll(() => first.output()).toMatch(/sk_1_[A-Za-z0-9_-]{43}/);
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

  it('names the command that makes a key when it shows none, and nobody brought one', async () => {
    const command = /^ +npm run store -- (keys create .*)$/m;
    const first = await serve(settings('lost.sqlite'));
    await expect.poll(() => first.output()).toContain('curl -X POST');
    expect(first.output()).not.toMatch(command);
    await first.stop('SIGTERM');

    const second = await serve(settings('lost.sqlite'));
    await expect.poll(() => second.output()).toMatch(command);
    const words = command.exec(second.output())?.[1] ?? '';
    expect(second.output()).toContain(`in a container: node dist/app/cli/main.js ${words}\n`);
    const { code, stdout } = await store(words.split(' '), { settings: settings('lost.sqlite') });
    expect(code).toBe(0);
    const answer = await fetch(`${second.url}/api/api-keys`, { headers: { 'x-api-key': stdout.trim() } });
    expect(answer.status).toBe(200);
    await second.stop('SIGTERM');

    const third = await serve(settings('lost.sqlite', { STORE_ADMIN_KEY: 'k'.repeat(32) }));
    await expect.poll(() => third.output()).toContain('Database  ');
    expect(third.output()).not.toMatch(command);
    await third.stop('SIGTERM');
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

  it('stays open on SIGTERM where connections are kept, and takes what comes on them', async () => {
    const service = await serve(settings('stay.sqlite', { STORE_ADMIN_KEY: 'k'.repeat(32) }));
    const { socket, answer } = await anIdleConnection(service);
    const stopped = service.stop('SIGTERM');
    await expect.poll(() => service.output()).toContain('"staysMs":3000');
    // Idle when the signal came: what a proxy sends now would be lost if the connection were closed.
    const body = '{"name":"Last","price":1}';
    socket.write(
      `POST /api/products HTTP/1.1\r\nHost: x\r\nX-API-Key: ${'k'.repeat(32)}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const text = await answer();
    expect(text).toContain('201 Created');
    expect(text).toMatch(/^connection: close/im);
    // New ones are taken as well, from who does not know yet.
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
    expect(await stopped).toEqual({ code: 0, signal: null });
  });

  it('does not stay on SIGINT: somebody is at the terminal', async () => {
    const service = await serve(settings('go.sqlite'));
    await anIdleConnection(service);
    expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null });
    expect(service.output()).toContain('"staysMs":0');
  });

  it('ends at once on SIGTERM when nobody was there', async () => {
    const service = await serve(settings('unused.sqlite'));
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.output()).toContain('"staysMs":0');
  });

  it('closes WebSockets on SIGTERM for their clients to come back, and ends with 0', async () => {
    const service = await serve(settings('live.sqlite'));
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    await once(socket, 'message');
    socket.send('{"type":"subscribe","id":"1","payload":{"query":"{ __typename }"}}');
    await once(socket, 'message');
    const closed = once(socket, 'close') as Promise<[number, Buffer]>;
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    const [code, reason] = await closed;
    expect([code, String(reason)]).toEqual([1012, 'Service restart']);
    const line = service
      .output()
      .split('\n')
      .find((each) => each.includes('"msg":"socket"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      path: '/graphql',
      code: 1012,
      operations: 1,
      principal: 'anonymous',
    });
  });

  it('logs a line for each request with its id, and neither credentials nor queries nor bodies', async () => {
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
  });

  it('loses no line of the log when it ends, and keeps none back for long', async () => {
    const service = await serve(settings('lines.sqlite'));
    const lines = () => service.output().split('"msg":"request"').length - 1;
    await fetch(`${service.url}/health/live`);
    await expect.poll(lines, { timeout: 60_000 }).toBe(1);
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(Array.from({ length: 30 }, () => fetch(`${service.url}/health/live`)));
    }
    await service.stop('SIGTERM');
    expect(lines()).toBe(301);
    expect(service.output().indexOf('"stopping"')).toBeGreaterThan(
      service.output().lastIndexOf('/health/live'),
    );
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

  it.each([
    ['a host that nobody knows', { HOST: 'no-such-host.invalid' }, /HOST no-such-host\.invalid is not known/],
    ['a host that is not its own', { HOST: '192.0.2.1' }, /HOST 192\.0\.2\.1 is no address of this machine/],
    ['a proxy that is none', { STORE_TRUST_PROXY: '999.1.1.1' }, /STORE_TRUST_PROXY must be/],
    [
      'a database that does not answer',
      { STORE_DATABASE_URL: 'postgres://store:hidden@127.0.0.1:1/store' },
      /"level":"warn".*The database postgres:\/\/store@127\.0\.0\.1:1\/store cannot be reached \(.*ECONNREFUSED.*Retrying \(2\)[^]*The database postgres:\/\/store@127\.0\.0\.1:1\/store cannot be reached \(.*ECONNREFUSED.*STORE_DATABASE_URL/,
    ],
  ])('says in words that it was given %s', async (_what, wrong, words) => {
    const { process: child, output } = launch(settings('words.sqlite', wrong));
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toMatch(words);
    expect(output()).not.toMatch(/^ {4}at /m);
    expect(output()).not.toContain('hidden');
  });

  it.each([
    ['true', 1],
    ['loopback', 0],
  ])('warns at the start when every client is believed (STORE_TRUST_PROXY=%s)', async (trusted, times) => {
    const service = await serve(settings(`trust-${trusted}.sqlite`, { STORE_TRUST_PROXY: trusted }));
    await service.stop('SIGINT');
    const lines = service.output().match(/"level":"warn".*STORE_TRUST_PROXY=true/g) ?? [];
    expect(lines).toHaveLength(times);
  });

  it('ignores what Kubernetes sets, with a line in the log', async () => {
    const ofKubernetes = { STORE_PORT: 'tcp://10.0.0.11:3000', STORE_SERVICE_HOST: '10.0.0.11' };
    const service = await serve(settings('kubernetes.sqlite', ofKubernetes));
    await service.stop('SIGINT');
    const lines = service.output().match(/^.*STORE_SERVICE_HOST.*$/gm) ?? [];
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', names: Object.keys(ofKubernetes) });
  });

  it('does not start on prices in another currency', async () => {
    const first = await serve(settings('currency.sqlite'));
    await first.stop('SIGINT');
    const { process: child, output } = launch(settings('currency.sqlite', { STORE_CURRENCY: 'EUR' }));
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toContain('the prices in the database are in USD');
  });

  it('says that a port is taken, and keeps the key that is shown once for the start that succeeds', async () => {
    const first = await serve(settings('port.sqlite'));
    const { process: child, output } = launch(settings('port2.sqlite', { PORT: new URL(first.url).port }));
    const [code] = (await once(child, 'exit')) as [number];
    await first.stop('SIGINT');
    expect(code).toBe(1);
    expect(output()).toMatch(/is taken/);
    expect(output()).not.toContain('    at ');
    const second = await serve(settings('port2.sqlite'));
    // The two streams of a process come in no order.
    await expect.poll(() => second.output()).toMatch(/sk_1_/);
    await second.stop('SIGINT');
  });

  it('starts without its pages, and says where they would be how to build them', async () => {
    const unbuilt = join(folder, 'unbuilt');
    for (const name of ['dist', 'package.json', 'openapi.yaml', 'schema.graphql']) {
      await cp(top(name), join(unbuilt, name), { recursive: true });
    }
    await symlink(top('node_modules'), join(unbuilt, 'node_modules'));
    const service = await serve(settings('unbuilt.sqlite'), unbuilt);
    for (const path of ['/', '/docs', '/graphql', '/assets/docs.js']) {
      const answer = await fetch(service.url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).toContain('npm run build:pages');
    }
    expect((await fetch(`${service.url}/api/products`)).status).toBe(200);
    expect((await fetch(`${service.url}/graphql?query=%7B__typename%7D`)).status).toBe(200);
    await service.stop('SIGINT');
  });
});

/** One that was used once and is kept. */
async function anIdleConnection({ url }: Service) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answer = async (): Promise<string> => String(((await once(socket, 'data')) as [Buffer])[0]);
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await answer()).not.toMatch(/^connection: close/im);
  return { socket, answer };
}
