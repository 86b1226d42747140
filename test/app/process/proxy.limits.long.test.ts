import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_KEY } from '../../support/clients/app.js';
import { onNginx, startNginx, type Nginx } from '../../support/fixtures/nginx.js';
import { serve, type Service } from '../../../testkit/process.js';

const LIMIT = 20;

/**
 * nginx with the configuration of compose.yaml, in front of one instance. The instance trusts only a proxy on this
 * machine.
 */
describe('limits behind nginx', onNginx, () => {
  let folder: string;
  let service: Service;
  let nginx: Nginx;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-limits-'));
    service = await serve({
      STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_TRUST_PROXY: 'loopback',
      STORE_RATE_LIMIT: `anonymous=${LIMIT}/h,caller=${LIMIT}/h`,
    });
    const { host } = new URL(service.url);
    nginx = await startNginx([host, host]);
  });
  afterAll(async () => {
    await nginx.stop();
    await service.stop('SIGKILL');
    await rm(folder, { recursive: true });
  });

  /** Sends a request from the given address of this machine. The requests of each address are counted separately. */
  const statusOf = (localAddress: string, headers: Record<string, string | string[]>) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${nginx.url}/api/v1/products`, { localAddress, headers }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.once('error', reject).end();
    });
  it.each([
    ['one address', '127.0.1.1', (n: number) => `198.51.100.${n}`],
    ['a chain of addresses', '127.0.1.2', (n: number) => `203.0.113.${n}, 198.51.100.${n}, 127.0.0.1`],
    ['several headers', '127.0.1.3', (n: number) => [`198.51.100.${n}`, `2001:db8:${n}::1`]],
  ])('apply to a client that forges X-Forwarded-For as %s', async (_what, address, forged) => {
    const counts = await tally(3 * LIMIT, (n) => statusOf(address, { 'X-Forwarded-For': forged(n) }));
    expect(counts).toEqual({ 200: LIMIT, 429: 2 * LIMIT });
  });

  it('apply to a client that guesses passwords and forges X-Forwarded-For', async () => {
    const counts = await tally(2 * LIMIT, (n) =>
      statusOf('127.0.1.4', {
        Authorization: `Basic ${btoa(`nobody-${n}@example.com:guess`)}`,
        'X-Forwarded-For': `198.51.100.${n}`,
      }),
    );
    expect(counts).toEqual({ 401: LIMIT, 429: LIMIT });
  });

  it('are counted separately for clients with different addresses', async () => {
    expect(await tally(LIMIT, () => statusOf('127.0.1.5', {}))).toEqual({ 200: LIMIT });
    expect(await tally(LIMIT, () => statusOf('127.0.1.6', {}))).toEqual({ 200: LIMIT });
  });
});

/** The number of answers with each status. */
async function tally(times: number, send: (n: number) => Promise<number>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let n = 0; n < times; n += 1) {
    const status = await send(n);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
