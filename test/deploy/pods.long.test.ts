import { readdirSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createOnServer } from '../../testkit/databases.ts';
import { freePort } from '../../testkit/free-port.ts';
import { freshVolume, RunningPod, type Secrets } from '../support/clients/pod.js';
import { manifestsOf, podOf, SETS } from '../support/fixtures/chart.js';
import { onPostgres } from '../support/fixtures/database.js';
import { needing } from '../support/needs.js';

const KEY = 'k'.repeat(40);
const asRoot = needing(
  'mounts of their own',
  process.platform === 'linux' && process.getuid?.() === 0,
  'run them as root on Linux',
);

/** The values for a free port that only this machine can reach. */
const here = async (): Promise<object> => ({ host: '127.0.0.1', port: await freePort() });

const onPostgresql = async () => manifestsOf({ ...SETS['postgresql'], ...(await here()) });

async function createProduct({ url }: RunningPod): Promise<number> {
  const answer = await fetch(`${url}/api/v1/products`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Chai', price: 18 }),
  });
  return answer.status;
}

const productsOf = async ({ url }: RunningPod): Promise<string | null> =>
  (await fetch(`${url}/api/v1/products`)).headers.get('x-total-count');

describe('the pods of the chart', asRoot, () => {
  // The pods of a failed test still run.
  afterEach(() => RunningPod.killAll());

  it('serve on SQLite without privileges and with a read-only root, and keep their data', async () => {
    const volume = await freshVolume();
    const secrets: Secrets = { shop: { key: KEY } };
    const metrics = { enabled: true, port: await freePort() };
    const values = {
      ...(await here()),
      metrics,
      secretSettings: { STORE_ADMIN_KEY: { name: 'shop', key: 'key' } },
    };
    const pod = podOf(manifestsOf({ ...SETS['sqlite'], ...values }), 'Deployment');
    try {
      const first = await RunningPod.start(pod, secrets, volume);
      await first.ready();
      expect(await first.status()).toMatchObject({
        Uid: '1000\t1000\t1000\t1000',
        Gid: '1000\t1000\t1000\t1000',
        Groups: '1000 ',
        CapEff: '0000000000000000',
        CapBnd: '0000000000000000',
        NoNewPrivs: '1',
      });
      expect(await first.mountOptions('/')).toContain('ro');
      expect(await first.mountOptions('/service')).toContain('ro');
      expect(await createProduct(first)).toBe(201);
      expect(await first.asked('livenessProbe')).toBe(200);
      expect((await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).status).toBe(200);
      expect(readdirSync(volume)).toContain('store.sqlite.secret');
      expect(statSync(`${volume}/store.sqlite.secret`)).toMatchObject({ uid: 1000, gid: 1000 });
      expect(statSync(`${volume}/store.sqlite.secret`).mode & 0o777).toBe(0o600);
      const stopped = first.stop();
      await expect.poll(() => first.asked('readinessProbe')).toBe(503);
      expect(await stopped).toBe(0);

      const second = await RunningPod.start(pod, secrets, volume);
      await second.ready();
      expect(await productsOf(second)).toBe('1');
      expect(await second.stop()).toBe(0);
      for (const { output } of [first, second]) expect(output).not.toMatch(/"level":"(error|fatal)"/);
    } finally {
      await rm(dirname(volume), { recursive: true, force: true });
    }
  });

  it('run the migrations on PostgreSQL first, and then serve together', onPostgres, async () => {
    const database = await createOnServer(process.env['TEST_POSTGRES_URL'] ?? '');
    const secrets: Secrets = {
      store: { STORE_DATABASE_URL: database.url, STORE_SECRET: 's'.repeat(40), STORE_ADMIN_KEY: KEY },
    };
    try {
      const job = await RunningPod.start(podOf(await onPostgresql(), 'Job'), secrets);
      expect([await job.exit(), job.output]).toEqual([0, expect.stringContaining('Products1763700000000')]);
      const again = await RunningPod.start(podOf(await onPostgresql(), 'Job'), secrets);
      expect([await again.exit(), again.output]).toEqual([0, 'The database is up to date.\n']);

      const pods = await Promise.all(
        [1, 2].map(async () => RunningPod.start(podOf(await onPostgresql(), 'Deployment'), secrets)),
      );
      const [first, second] = pods as [RunningPod, RunningPod];
      await Promise.all(pods.map((pod) => pod.ready()));
      expect(await createProduct(first)).toBe(201);
      const stopped = first.stop();
      await expect.poll(() => first.asked('readinessProbe')).toBe(503);
      expect(await productsOf(second)).toBe('1');
      expect(await stopped).toBe(0);
      expect(await createProduct(second)).toBe(201);
      expect(await second.stop()).toBe(0);
      for (const { output } of pods) expect(output).not.toMatch(/"level":"(error|fatal)"/);
    } finally {
      await database.drop();
    }
  });
});
