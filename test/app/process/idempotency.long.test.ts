import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SECRET } from '../../support/clients/app.js';
import { describeOnEachEngine, freshDatabase } from '../../support/fixtures/database.js';
import { serve } from '../../../testkit/process.js';

const PRELOAD = new URL('../../support/faults/kill-at-commit.mjs', import.meta.url).href;
const KEY = 'k'.repeat(32);

const create = (url: string, key = 'once') =>
  fetch(`${url}/api/products`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'idempotency-key': key },
    body: '{"name":"Chai","price":18}',
  });

describeOnEachEngine('the service, killed during a request with an Idempotency-Key,', (engine) => {
  it.each([
    ['before', false],
    ['after', true],
  ] as const)(
    'has stored one row after the repeated request, if it was killed %s the commit',
    async (when, isReplayed) => {
      const folder = await mkdtemp(join(tmpdir(), 'store-killed-'));
      const database = await freshDatabase(engine);
      const settings = { STORE_DATABASE_URL: database.url, STORE_ADMIN_KEY: KEY, STORE_SECRET: SECRET };
      try {
        const file = join(folder, 'kill');
        const killed = await serve({
          ...settings,
          KILL_AT_COMMIT: file,
          NODE_OPTIONS: `--import=${PRELOAD}`,
        });
        // This answer shows that the service has finished the work of its start.
        const first: unknown = await (await create(killed.url, 'first')).json();
        await writeFile(file, when);
        const ended = once(killed.process, 'exit');
        await expect(create(killed.url)).rejects.toThrow('fetch failed');
        expect(await ended).toEqual([null, 'SIGKILL']);

        const service = await serve(settings);
        const again = await create(service.url);
        expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([
          201,
          isReplayed ? 'true' : null,
        ]);
        const product = await again.json();
        expect(product).toMatchObject({ name: 'Chai', price: 18 });
        expect(again.headers.get('location')).toBe(`/api/products/${(product as { id: number }).id}`);
        const third = await create(service.url);
        expect([third.headers.get('idempotent-replayed'), await third.json()]).toEqual(['true', product]);
        const list = await fetch(`${service.url}/api/products`);
        expect(await list.json()).toEqual([first, product]);
        await service.stop('SIGINT');
      } finally {
        await database.drop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );
});
