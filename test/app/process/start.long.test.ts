import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { runCommand } from '../../support/clients/cli.js';
import { launch, serve, type Service } from '../../../testkit/process.js';

const top = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

// Some tests run at the same time (`it.concurrent`), because they mostly wait.
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

  it('at a later start, prints the command that creates a new key, if its settings have no key', async () => {
    const command = /^ +npm run store -- (keys create .*)$/m;
    const first = await serve(settings('lost.sqlite'));
    await expect.poll(() => first.output()).toContain('curl -X POST');
    expect(first.output()).not.toMatch(command);
    await first.stop('SIGINT');

    const second = await serve(settings('lost.sqlite'));
    await expect.poll(() => second.output()).toMatch(command);
    const words = command.exec(second.output())?.[1] ?? '';
    expect(second.output()).toContain(`in a container: node dist/app/cli/main.js ${words}\n`);
    const { code, stdout } = await runCommand(words.split(' '), { settings: settings('lost.sqlite') });
    expect(code).toBe(0);
    const answer = await fetch(`${second.url}/api/api-keys`, { headers: { 'x-api-key': stdout.trim() } });
    expect(answer.status).toBe(200);
    await second.stop('SIGINT');

    const third = await serve(settings('lost.sqlite', { STORE_ADMIN_KEY: 'k'.repeat(32) }));
    await expect.poll(() => third.output()).toContain('Database  ');
    expect(third.output()).not.toMatch(command);
    await third.stop('SIGINT');
  });

  it.concurrent('finishes running requests on SIGTERM, is not ready meanwhile, and ends with 0', async () => {
    const service = await serve(settings('drain.sqlite', { STORE_ADMIN_KEY: 'k'.repeat(32) }));
    const { port } = new URL(service.url);
    const body = '{"name":"Last","price":1}';
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/products HTTP/1.1\r\nHost: x\r\nX-API-Key: ${'k'.repeat(32)}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await once(socket, 'connect');
    // A second connection stays open during the stop, to ask whether the service is ready.
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

  it.concurrent('keeps connections open on SIGTERM for a while, and answers requests on them', async () => {
    const service = await serve(settings('stay.sqlite', { STORE_ADMIN_KEY: 'k'.repeat(32) }));
    const { socket, answer } = await anIdleConnection(service);
    const stopped = service.stop('SIGTERM');
    await expect.poll(() => service.output()).toContain('"staysMs":3000');
    // The connection is idle at the signal. If the service closed it now, a request that a proxy sends on it would be
    // lost.
    const body = '{"name":"Last","price":1}';
    socket.write(
      `POST /api/products HTTP/1.1\r\nHost: x\r\nX-API-Key: ${'k'.repeat(32)}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const text = await answer();
    expect(text).toContain('201 Created');
    expect(text).toMatch(/^connection: close/im);
    // The service also accepts new connections, because some clients do not know yet that it stops.
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
    expect(await stopped).toEqual({ code: 0, signal: null });
  });

  it.concurrent('does not wait on SIGTERM for connections that never sent anything', async () => {
    const service = await serve(settings('spare.sqlite', { STORE_ADMIN_KEY: 'k'.repeat(32) }));
    const { port } = new URL(service.url);
    const connected = async () => {
      const socket = connect(Number(port), '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    };
    const [spare, busy] = [await connected(), await connected()];
    const body = '{"name":"Last","price":1}';
    busy.write(
      `POST /api/products HTTP/1.1\r\nHost: x\r\nX-API-Key: ${'k'.repeat(32)}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    const closed = once(spare, 'close');
    spare.resume();
    const stopped = service.stop('SIGTERM');
    await closed;
    // The service has closed the unused connection while it still waits for the request under way.
    busy.write(body.slice(5));
    expect(String(((await once(busy, 'data')) as [Buffer])[0])).toContain('201 Created');
    expect(await stopped).toEqual({ code: 0, signal: null });
  });

  it('ends at once on SIGINT, because a person is at the terminal', async () => {
    const service = await serve(settings('go.sqlite'));
    await anIdleConnection(service);
    expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null });
    expect(service.output()).toContain('"staysMs":0');
  });

  it('ends at once on SIGTERM when no client was connected', async () => {
    const service = await serve(settings('unused.sqlite'));
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(service.output()).toContain('"staysMs":0');
  });

  it.concurrent('closes WebSockets on SIGTERM so that their clients reconnect, and ends with 0', async () => {
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

  it('writes the log while it runs, and loses no line of the log when it ends', async () => {
    const service = await serve(settings('lines.sqlite'));
    const lines = () => service.output().split('"msg":"request"').length - 1;
    await fetch(`${service.url}/health/live`);
    await expect.poll(lines, { timeout: 60_000 }).toBe(1);
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(Array.from({ length: 30 }, () => fetch(`${service.url}/health/live`)));
    }
    await service.stop('SIGINT');
    expect(lines()).toBe(301);
    expect(service.output().indexOf('"stopping"')).toBeGreaterThan(
      service.output().lastIndexOf('/health/live'),
    );
  });

  it.each([
    ['true', 1],
    ['loopback', 0],
  ])(
    'warns at the start only if X-Forwarded-For of every client is trusted (STORE_TRUST_PROXY=%s)',
    async (trusted, times) => {
      const service = await serve(settings(`trust-${trusted}.sqlite`, { STORE_TRUST_PROXY: trusted }));
      await service.stop('SIGINT');
      const lines = service.output().match(/"level":"warn".*STORE_TRUST_PROXY=true/g) ?? [];
      expect(lines).toHaveLength(times);
    },
  );

  it('ignores the variables that Kubernetes sets for services named store and store-metrics, with one warning', async () => {
    const links = {
      STORE_PORT: 'tcp://10.0.0.11:3000',
      STORE_SERVICE_HOST: '10.0.0.11',
      STORE_SERVICE_PORT_HTTP: '3000',
      STORE_PORT_3000_TCP_ADDR: '10.0.0.11',
      STORE_METRICS_PORT: 'tcp://10.0.0.12:9090',
    };
    const service = await serve(settings('links.sqlite', links));
    await service.stop('SIGINT');
    const lines = service.output().match(/^.*(STORE_SERVICE_HOST|STORE_METRICS_PORT).*$/gm) ?? [];
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', names: Object.keys(links) });
  });

  it('refuses a misspelt setting among the variables that Kubernetes sets', async () => {
    const { process: child, output } = launch(
      settings('misspelt.sqlite', {
        STORE_SERVICE_HOST: '10.0.0.11',
        STORE_PORT: '3000',
        STORE_PROT: '3000',
      }),
    );
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toContain('STORE_PORT is not a setting. Did you mean PORT?');
    expect(output()).toContain('STORE_PROT is not a setting. Did you mean PORT?');
    expect(output()).not.toContain('STORE_SERVICE_HOST is not');
  });

  it('reports that a port is in use, and shows the first key at the next successful start', async () => {
    const first = await serve(settings('port.sqlite'));
    const { process: child, output } = launch(settings('port2.sqlite', { PORT: new URL(first.url).port }));
    const [code] = (await once(child, 'exit')) as [number];
    await first.stop('SIGINT');
    expect(code).toBe(1);
    expect(output()).toMatch(/is in use/);
    expect(output()).not.toContain('    at ');
    const second = await serve(settings('port2.sqlite'));
    // The two output streams of a process have no common order.
    await expect.poll(() => second.output()).toMatch(/sk_1_/);
    await second.stop('SIGINT');
  });

  it.concurrent('reports after several attempts that its database cannot be reached', async () => {
    const url = 'postgres://store:hidden@127.0.0.1:1/store';
    const { process: child, output } = launch({ STORE_DATABASE_URL: url });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toMatch(
      /"level":"warn".*The database postgres:\/\/store@127\.0\.0\.1:1\/store cannot be reached \(.*ECONNREFUSED.*This was try 2 of 10\.[^]*The database postgres:\/\/store@127\.0\.0\.1:1\/store cannot be reached \(.*ECONNREFUSED.*STORE_DATABASE_URL/,
    );
    expect(output()).not.toMatch(/^ {4}at /m);
    expect(output()).not.toContain('hidden');
  });

  it('starts without its pages, and shows instead how to build them', async () => {
    const unbuilt = join(folder, 'unbuilt');
    for (const name of ['dist', 'package.json', 'openapi.yaml', 'schema.graphql']) {
      await cp(top(name), join(unbuilt, name), { recursive: true });
    }
    await symlink(top('node_modules'), join(unbuilt, 'node_modules'));
    const service = await serve(settings('unbuilt.sqlite'), { folder: unbuilt });
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

/** A connection that was used once and stays open. */
async function anIdleConnection({ url }: Service) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const answer = async (): Promise<string> => String(((await once(socket, 'data')) as [Buffer])[0]);
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await answer()).not.toMatch(/^connection: close/im);
  return { socket, answer };
}
