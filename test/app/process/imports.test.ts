import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, SECRET } from '../../support/clients/app.js';
import { freshDatabase, onPostgres } from '../../support/fixtures/database.js';
import { serve, type Service } from '../../../testkit/process.js';

/** The packages that are not in the bundle. fdir loads picomatch by createRequire, which a bundle cannot replace. */
const OUTSIDE = new Set(['better-sqlite3', 'picomatch', 'reflect-metadata']);

/** The files that a service with NODE_DEBUG=esm,module has read until now, without the folder of the project. */
async function filesOf(log: string): Promise<readonly string[]> {
  const files = (await readFile(log, 'utf8')).matchAll(/Storing file:\/\/(\S+)|MODULE \d+: load "([^"]+)"/g);
  const names = [...files].map(([, module, required]) => module ?? required ?? '');
  return [...new Set(names)].map((name) => name.replace(/^.*?\/(?=dist\/|node_modules\/)/, ''));
}

async function served(
  settings: Readonly<Record<string, string>>,
  look: (service: Service, errors: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'store-imports-'));
  // Node writes into a file at once, and into a pipe when the reader has time.
  const errors = join(folder, 'errors');
  const service = await serve(
    {
      STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_SECRET: SECRET,
      ...settings,
    },
    { under: ['sh', '-c', `exec "$@" 2>'${errors}'`, 'sh'] },
  );
  try {
    await look(service, errors);
  } finally {
    await service.stop('SIGINT');
    await rm(folder, { recursive: true, force: true });
  }
}

describe('a start of the built service', () => {
  it('reads few files, and no package that only some requests need', async () => {
    await served({ NODE_DEBUG: 'esm,module' }, async (service, errors) => {
      const files = await filesOf(errors);
      expect(files.length).toBeGreaterThan(300);
      expect(files.length).toBeLessThan(600);
      const packages = files.filter((name) => name.startsWith('node_modules/'));
      expect(new Set(packages.map((name) => name.split('/')[1]))).toEqual(OUTSIDE);
      const late =
        /packages\/\w+\/(?:commander|csv-parse|csv-stringify_sync|ioredis|oidc-provider|yaml)\.js$/;
      expect(files.filter((name) => late.test(name))).toEqual([]);

      // The packages come with the first request that needs them.
      const yaml = await fetch(`${service.url}/api/products`, { headers: { accept: 'application/yaml' } });
      expect(yaml.status).toBe(200);
      const token = await fetch(`${service.url}/oauth/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('nobody:nothing')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
      expect(token.status).toBe(401);
      expect(await token.json()).toMatchObject({ error: 'invalid_client' });
      const read = await filesOf(errors);
      expect(read.filter((name) => /^dist\/packages\/\w+\/oidc-provider\.js$/.test(name))).toHaveLength(1);
    });
  });

  it('imports the packages from node_modules if a program is loaded before it', async () => {
    const settings = { NODE_DEBUG: 'esm,module', NODE_OPTIONS: '--import=data:text/javascript,' };
    await served(settings, async (_, errors) => {
      const files = await filesOf(errors);
      expect(files).toContain('node_modules/typeorm/index.mjs');
      expect(files.filter((name) => name.startsWith('dist/packages/'))).toEqual([]);
    });
  });

  it('keeps compiled code where other users of the machine cannot put theirs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'store-imports-'));
    try {
      await served({ TMPDIR: folder }, () => Promise.resolve());
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('has one copy of the driver, so that its errors are known', onPostgres, async () => {
    const database = await freshDatabase('postgres');
    try {
      await served(
        { STORE_DATABASE_URL: database.url, NODE_DEBUG: 'esm,module' },
        async (service, errors) => {
          const create = () =>
            fetch(`${service.url}/api/users`, {
              method: 'POST',
              headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
              body: '{"name":"Ada","email":"ada@example.com"}',
            });
          expect([(await create()).status, (await create()).status]).toEqual([201, 409]);
          const files = await filesOf(errors);
          const packages = files.filter((name) => name.startsWith('node_modules/'));
          expect(packages.filter((name) => !OUTSIDE.has(name.split('/')[1] ?? ''))).toEqual([]);
        },
      );
    } finally {
      await database.drop();
    }
  });
});
