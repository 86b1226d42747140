import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExposition } from '../../support/fixtures/exposition.js';
import { speak } from '../../support/clients/socket.js';
import { launch, serve } from '../../../testkit/process.js';
import { onlyLong } from '../../support/sampled.js';

describe('the port of the metrics', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-metrics-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const settings = (name: string, more: Record<string, string> = {}) => ({
    STORE_DATABASE_URL: `sqlite:${join(folder, name)}`,
    ...more,
  });

  it.concurrent('answers without a credential, at one address, until the service has ended', async () => {
    const service = await serve(settings('open.sqlite', { STORE_METRICS_PORT: '0' }));
    const [, address = ''] = /"metricsAddress":"([^"]+)"/.exec(service.output()) ?? [];
    const { port, pathname } = new URL(address);
    expect(pathname).toBe('/metrics');
    expect(port).not.toBe(new URL(service.url).port);

    const answer = await fetch(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(parseExposition(await answer.text(), 'prometheus').length).toBeGreaterThan(10);
    const open = await fetch(address, { headers: { accept: 'application/openmetrics-text' } });
    expect(open.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
    expect(parseExposition(await open.text(), 'openmetrics').length).toBeGreaterThan(10);

    const head = await fetch(address, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const asked = async (path: string, init?: RequestInit) => {
      const refusal = await fetch(new URL(path, address), init);
      expect(refusal.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      return [refusal.status, ((await refusal.json()) as { code: string }).code];
    };
    expect(await asked('/')).toEqual([404, 'NOT_FOUND']);
    expect(await asked('/api/v1/products')).toEqual([404, 'NOT_FOUND']);
    expect(await asked('/metrics', { method: 'POST' })).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(await asked('/metrics', { headers: { accept: 'image/png' } })).toEqual([406, 'NOT_ACCEPTABLE']);
    // Many requests in one packet could block the event loop, so at most one of them is answered.
    const pipelined = await speak(Number(port), ['GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(200)]);
    expect(pipelined.split('HTTP/1.1 200 OK').length - 1).toBeLessThanOrEqual(1);
    expect((await fetch(address)).status).toBe(200);
    expect(await speak(Number(port), ['nonsense\r\n\r\n'])).toMatch(/^HTTP\/1\.1 400 /);

    expect((await fetch(`${service.url}/metrics`)).status).toBe(401);
    expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null });
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  });

  it.concurrent('stops the start if it is in use', onlyLong, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { process: child, output } = launch(settings('used.sqlite', { STORE_METRICS_PORT: String(port) }));
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output()).toContain(
      `STORE_METRICS_PORT ${port} on 127.0.0.1 is in use. Set STORE_METRICS_PORT to a free port.`,
    );
    expect(output()).not.toContain('    at ');
    other.close();
  });
});
