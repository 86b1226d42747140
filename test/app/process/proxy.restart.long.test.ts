import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY } from '../../support/clients/app.js';
import { freePort } from '../../../testkit/free-port.js';
import { onNginx, startNginx, type Nginx } from '../../support/fixtures/nginx.js';
import { serve, type Service } from '../../../testkit/process.js';

const CLIENTS = 8;
const BODY = JSON.stringify({ name: 'Chai', price: 18 });

/** Two processes on one file, behind nginx with the configuration of compose.yaml. */
describe('a rolling restart behind nginx', onNginx, () => {
  let folder: string;
  let ports: [number, number];
  let services: Service[];
  let nginx: Nginx;

  const start = (port: number) =>
    serve({
      PORT: String(port),
      STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_TRUST_PROXY: 'loopback',
      STORE_RATE_LIMIT: 'off',
      STORE_ACCESS_LOG: 'errors',
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-restart-'));
    ports = [await freePort(), await freePort()];
    services = [await start(ports[0]), await start(ports[1])];
    nginx = await startNginx([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`]);
  });
  afterAll(async () => {
    await nginx.stop();
    await Promise.all(services.map((service) => service.stop('SIGKILL')));
    await rm(folder, { recursive: true });
  });

  it('neither loses nor repeats a request with an Idempotency-Key', async () => {
    const keyed = new Map<number, number>();
    const keyless = new Map<number, number>();
    const over = new AbortController();
    const clients = Array.from({ length: CLIENTS }, async (_, n) => {
      const hasKey = n % 2 === 0;
      const statuses = hasKey ? keyed : keyless;
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!over.signal.aborted) {
        const status = await post(nginx.url, agent, hasKey ? { 'idempotency-key': `"${randomUUID()}"` } : {});
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      agent.destroy();
    });
    for (const [index, port] of ports.entries()) {
      expect(await services[index]?.stop('SIGTERM')).toEqual({ code: 0, signal: null });
      services[index] = await start(port);
    }
    over.abort();
    await Promise.all(clients);
    expect([...keyed.keys()]).toEqual([201]);
    const created = (keyed.get(201) ?? 0) + (keyless.get(201) ?? 0);
    // A request without a key that reached a closing instance is not sent again, because nginx does not know whether
    // the instance had begun the request.
    const { [201]: _created = 0, [502]: lost = 0, ...others } = Object.fromEntries(keyless);
    expect(others).toEqual({});
    expect(lost).toBeLessThanOrEqual(2 * ports.length);
    const list = await fetch(`${nginx.url}/api/v1/products?limit=1`);
    const stored = Number(list.headers.get('x-total-count'));
    expect(stored).toBeGreaterThanOrEqual(created);
    expect(stored).toBeLessThanOrEqual(created + lost);
  }, 180_000);
});

function post(url: string, agent: Agent, fields: Readonly<Record<string, string>>): Promise<number> {
  const headers = {
    'x-api-key': ADMIN_KEY,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(BODY),
    ...fields,
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1/products`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.once('error', reject).end(BODY);
  });
}
