import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch, serve, type Service } from '../../../testkit/process.js';

const run = promisify(execFile);
const TOP = fileURLToPath(new URL('../../../', import.meta.url));
const KEY = /sk_demo_[A-Za-z0-9_-]{43}/;

async function statusOfCreating(url: string, key: string): Promise<number> {
  const { status } = await fetch(`${url}/api/products`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"name":"Chai","price":18}',
  });
  return status;
}

async function total(url: string): Promise<string | null> {
  return (await fetch(`${url}/api/products?limit=1`)).headers.get('x-total-count');
}

describe('the demo store', () => {
  let folder: string;
  const running: Service[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-demo-'));
    // The service finds its program and its contracts in the folder in which it is started, and stores its data there.
    for (const name of ['dist', 'openapi.yaml', 'schema.graphql'])
      await symlink(join(TOP, name), join(folder, name));
  });
  afterEach(async () => {
    for (const service of running.splice(0)) await service.stop('SIGINT');
    await rm(folder, { recursive: true, force: true });
  });

  async function serveDemo(settings: Record<string, string> = {}): Promise<Service> {
    const service = await serve(settings, { folder, args: ['--demo'] });
    running.push(service);
    await expect.poll(() => service.output()).toContain('STORE_DEMO=false npm start');
    return service;
  }

  it('is filled with data only at its first start', async () => {
    const first = await serveDemo();
    expect(await total(first.url)).toBe('24');
    const soldOut = await fetch(`${first.url}/api/products?in_stock=false`);
    expect(await soldOut.json()).toMatchObject([{ name: 'Deck chair' }]);
    const key = KEY.exec(first.output())?.[0] ?? '';
    expect(await statusOfCreating(first.url, key)).toBe(201);
    expect(existsSync(join(folder, 'data/demo.sqlite'))).toBe(true);
    await first.stop('SIGINT');
    const second = await serveDemo();
    expect(await total(second.url)).toBe('25');
  });

  it('creates a key that ends with the process and is shown only in the banner', async () => {
    const first = await serveDemo();
    const key = KEY.exec(first.output())?.[0] ?? '';
    expect(await statusOfCreating(first.url, key)).toBe(201);
    expect(await statusOfCreating(first.url, `${key.slice(0, -1)}_`)).toBe(401);
    await first.stop('SIGINT');
    const log = first
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(log.join('\n')).not.toContain('sk_demo_');
    const second = await serveDemo({ STORE_ADMIN_KEY: 'k'.repeat(32) });
    expect(await statusOfCreating(second.url, key)).toBe(401);
    expect(await statusOfCreating(second.url, 'k'.repeat(32))).toBe(201);
  });

  it.each([
    ['', {}, '/api/v1/'],
    [' when version 1 has ended', { STORE_V1_SUNSET: '2020-01-01' }, '/api/v2/'],
  ])('shows examples that work without changes%s', async (_when, settings, root) => {
    const service = await serveDemo(settings);
    const banner = service.output().replaceAll('\\\n', ' ');
    const commands = [...banner.matchAll(/^ +(curl .*)$/gm)].map((match) => match[1] as string);
    expect(commands).toHaveLength(3);
    expect(service.output()).toContain(`REST      ${service.url}${root}products`);
    for (const command of commands) {
      const { stdout } = await run('sh', ['-c', `${command} -sS -w '\\n%{http_code}'`]);
      expect(stdout).toMatch(/\n20[01]$/);
      expect(stdout).not.toContain('"errors"');
    }
  });

  it('is refused if STORE_DEMO=true is set together with another database', async () => {
    const { process: child, output } = launch(
      { STORE_DEMO: 'true', STORE_DATABASE_URL: 'sqlite:./x.sqlite' },
      { folder },
    );
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output()).toContain('STORE_DEMO uses a database of its own');
  });

  it.each([
    ['STORE_DATABASE_URL', { STORE_DATABASE_URL: 'sqlite:./own.sqlite' }, 'own.sqlite'],
    ['STORE_DEMO=false', { STORE_DEMO: 'false' }, 'data/store.sqlite'],
  ])('is not used if --demo is given together with %s', async (_what, settings, file) => {
    const service = await serve(settings, { folder, args: ['--demo'] });
    running.push(service);
    expect(await (await fetch(`${service.url}/api/products`)).json()).toEqual([]);
    expect(existsSync(join(folder, file))).toBe(true);
    expect(existsSync(join(folder, 'data/demo.sqlite'))).toBe(false);
  });

  it('is not started without --demo', async () => {
    const service = await serve({}, { folder });
    running.push(service);
    expect(await (await fetch(`${service.url}/api/products`)).json()).toEqual([]);
    expect(existsSync(join(folder, 'data/store.sqlite'))).toBe(true);
  });

  it('is not started by a misspelt argument, and the message names --demo', async () => {
    const { process: child, output } = launch({}, { folder, args: ['--dmeo'] });
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(output()).toContain('--demo');
  });
});
