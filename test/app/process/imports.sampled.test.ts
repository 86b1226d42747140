import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, SECRET } from '../../support/clients/app.js';
import { freshDatabase, onPostgres } from '../../support/fixtures/database.js';
import { onlyLong } from '../../support/sampled.js';
import { Collector } from '../../../testkit/collector.js';
import { serve, type Service } from '../../../testkit/process.js';

/** The packages that are not in the bundle. fdir loads picomatch by createRequire, which a bundle cannot replace. */
const OUTSIDE = new Set(['better-sqlite3', 'picomatch', 'reflect-metadata']);

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

/**
 * Runs a service, and returns the files whose code it has run, and the modules of Node (`node:…`). The paths begin at
 * the folder of the project.
 */
async function filesOf(
  settings: Readonly<Record<string, string>>,
  use: (service: Service) => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'store-imports-'));
  try {
    // At its end, Node writes down which code has run.
    const coverage = join(folder, 'coverage');
    const temporary = join(folder, 'temporary');
    await mkdir(temporary);
    const service = await serve({
      STORE_DATABASE_URL: `sqlite:${join(folder, 'store.sqlite')}`,
      STORE_ADMIN_KEY: ADMIN_KEY,
      STORE_SECRET: SECRET,
      NODE_V8_COVERAGE: coverage,
      TMPDIR: temporary,
      ...settings,
    });
    try {
      await use(service);
    } finally {
      expect(await service.stop('SIGINT')).toEqual({ code: 0, signal: null });
    }
    // Other users of a machine can often write to TMPDIR, so the service keeps no compiled code in it.
    expect(await readdir(temporary)).toEqual([]);
    const files = new Set<string>();
    for (const name of await readdir(coverage)) {
      const { result } = JSON.parse(await readFile(join(coverage, name), 'utf8')) as Coverage;
      for (const { url } of result)
        if (/^(?:file|node):/.test(url)) files.add(url.replace(/^.*?\/(?=dist\/|node_modules\/)/, ''));
    }
    return [...files];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const DIST = new URL('../../../dist/', import.meta.url);

const inModules = (files: readonly string[]) => files.filter((name) => name.startsWith('node_modules/'));
const packageOf = (file: string) => file.split('/')[1] ?? '';
const ofTraces = (files: readonly string[]) =>
  files.filter((file) => /opentelemetry|tracing\/otlp/.test(file));

/** The files of the bundle that contain a text. */
async function bundledWith(text: string, files: readonly string[]): Promise<readonly string[]> {
  const bundled = files.filter((file) => file.startsWith('dist/packages/'));
  const texts = await Promise.all(bundled.map((file) => readFile(new URL(`../${file}`, DIST), 'utf8')));
  return bundled.filter((_file, index) => texts[index]?.includes(text));
}

it('the bundle has only characters of ASCII, which are kept in one byte each', async () => {
  const table = await readFile(new URL('packages.json', DIST), 'utf8');
  const folder = new URL((JSON.parse(table) as { folder: string }).folder, DIST);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((_name, index) => /[^\0-\x7f]/.test(texts[index] ?? ''))).toEqual([]);
});

describe('a start of the built service', () => {
  it('reads few files, and no package that only some requests need', async () => {
    const files = await filesOf(
      // These variables are often set for all programs of a machine. Without a collector, they do nothing.
      { OTEL_SERVICE_NAME: 'other', OTEL_TRACES_SAMPLER: 'of-another-program' },
      async ({ url }) => {
        expect((await fetch(`${url}/api/v1/products`)).status).toBe(200);
        expect((await fetch(`${url}/graphql?query={products{id}}`)).status).toBe(200);
      },
    );
    const ofNode = files.filter((name) => name.startsWith('node:'));
    expect(files.length - ofNode.length).toBeGreaterThan(300);
    expect(files.length - ofNode.length).toBeLessThan(600);
    // See src/engine/http/node-http.ts.
    expect(ofNode).toContain('node:http');
    expect(ofNode.filter((name) => /undici|http2/.test(name))).toEqual([]);
    expect(new Set(inModules(files).map(packageOf))).toEqual(OUTSIDE);
    const late = /packages\/\w+\/(?:commander|csv-parse|csv-stringify_sync|ioredis|oidc-provider|yaml)\.js$/;
    expect(files.filter((name) => late.test(name))).toEqual([]);
    expect(ofTraces(files)).toEqual([]);
    expect(await bundledWith('TraceTreeBuilder', files), 'traces for the service of Apollo').toEqual([]);
  });

  it(
    'reads a package with the first request that needs it, and reads OpenTelemetry from a bundle',
    onlyLong,
    async () => {
      const collector = await Collector.start();
      const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
      const files = await filesOf(settings, async ({ url }) => {
        const yaml = await fetch(`${url}/api/products`, { headers: { accept: 'application/yaml' } });
        expect(yaml.status).toBe(200);
        const token = await fetch(`${url}/oauth/token`, {
          method: 'POST',
          headers: { authorization: `Basic ${btoa('nobody:nothing')}` },
          body: new URLSearchParams({ grant_type: 'client_credentials' }),
        });
        expect(token.status).toBe(401);
        expect(await token.json()).toMatchObject({ error: 'invalid_client' });
        expect((await fetch(`${url}/graphql?query={products{id}}`)).status).toBe(200);
      });
      expect(files.filter((name) => /^dist\/packages\/\w+\/oidc-provider\.js$/.test(name))).toHaveLength(1);
      const traces = ofTraces(files);
      expect(traces).toContain('dist/engine/tracing/otlp.js');
      expect(traces.some((file) => /dist\/packages\/\w+\/@opentelemetry/.test(file))).toBe(true);
      expect(inModules(traces)).toEqual([]);
      // The service sends its last spans before it ends.
      expect(collector.spans.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['GET /api/v1/products', 'GET /graphql', 'query']),
      );
      await collector.stop();
    },
  );

  it(
    'imports the packages from node_modules if another module is loaded before the service',
    onlyLong,
    async () => {
      const files = await filesOf({ NODE_OPTIONS: '--import=data:text/javascript,' });
      expect(files).toContain('node_modules/typeorm/index.mjs');
      expect(files.filter((name) => name.startsWith('dist/packages/'))).toEqual([]);
    },
  );

  it(
    'has one copy of the driver, so that the service recognises the errors of the driver',
    onPostgres,
    async () => {
      const database = await freshDatabase('postgres');
      try {
        const files = await filesOf({ STORE_DATABASE_URL: database.url }, async ({ url }) => {
          const create = () =>
            fetch(`${url}/api/users`, {
              method: 'POST',
              headers: { 'x-api-key': ADMIN_KEY, 'content-type': 'application/json' },
              body: '{"name":"Ada","email":"ada@example.com"}',
            });
          expect([(await create()).status, (await create()).status]).toEqual([201, 409]);
        });
        expect(inModules(files).filter((name) => !OUTSIDE.has(packageOf(name)))).toEqual([]);
      } finally {
        await database.drop();
      }
    },
  );
});
