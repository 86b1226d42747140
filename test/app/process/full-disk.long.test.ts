import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ADMIN_KEY } from '../../support/clients/app.js';
import { needing } from '../../support/needs.js';
import { serve } from '../../../testkit/process.js';

/** The process gets its own mount namespace with a small disk. The disk is removed when the process ends. */
const ON_A_SMALL_DISK = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size=2m none "$0" && exec "$@"',
];
const MAY_MOUNT = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /tmp']).status === 0;
it(
  'on a full disk the service refuses changes, is not ready, loses no stored row, and recovers automatically',
  needing('a small disk', MAY_MOUNT, 'run the tests as root on Linux, where they may mount a file system'),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store-full-'));
    const service = await serve(
      { STORE_DATABASE_URL: `sqlite:${folder}/store.sqlite`, STORE_ADMIN_KEY: ADMIN_KEY },
      { under: [...ON_A_SMALL_DISK, folder] },
    );
    const statusOf = async (path: string) => (await fetch(service.url + path)).status;
    let stored = 0;
    const post = async () => {
      const { status } = await fetch(`${service.url}/api/v1/products`, {
        method: 'POST',
        headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Chai', price: 18 }),
      });
      if (status === 201) stored += 1;
      return status;
    };
    const fill = join('/proc', String(service.process.pid), 'root', folder, 'fill');
    try {
      expect(await statusOf('/health/ready')).toBe(200);
      await writeFile(fill, Buffer.alloc(4_000_000)).catch(() => undefined);
      await expect.poll(post, { interval: 1, timeout: 60_000 }).toBe(503);
      await expect
        .poll(async () => [await post(), await statusOf('/health/ready')], { timeout: 60_000 })
        .toEqual([503, 503]);
      expect(await statusOf('/health/live')).toBe(200);
      expect(await statusOf('/api/v1/products')).toBe(200);
      await truncate(fill, 0);
      await expect.poll(() => statusOf('/health/ready'), { timeout: 60_000, interval: 100 }).toBe(200);
      expect(await post()).toBe(201);
      const list = await fetch(`${service.url}/api/v1/products?limit=1`);
      expect(Number(list.headers.get('x-total-count'))).toBe(stored);
    } finally {
      await service.stop('SIGINT');
      await rm(folder, { recursive: true });
    }
  },
);
