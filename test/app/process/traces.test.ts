import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Collector } from '../../../testkit/collector.js';
import { launch, serve } from '../../../testkit/process.js';

describe('the built service', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-traces-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const database = (name: string) => ({ STORE_DATABASE_URL: `sqlite:${join(folder, name)}` });
  /** Serves some requests, and returns the files of OpenTelemetry that the process has read. */
  const filesOf = async (name: string, settings: Record<string, string>) => {
    const log = join(folder, `${name}.files`);
    const service = await serve(
      { ...database(name), NODE_DEBUG: 'esm,module', ...settings },
      { under: ['sh', '-c', `exec "$@" 2>'${log}'`, 'sh'] },
    );
    expect((await fetch(`${service.url}/api/v1/products`)).status).toBe(200);
    expect((await fetch(`${service.url}/graphql?query={products{id}}`)).status).toBe(200);
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    const files = (await readFile(log, 'utf8')).matchAll(
      /Storing file:\/\/(\S+)|MODULE \d+: load "([^"]+)"/g,
    );
    const names = [...files].map(([, module, required]) => module ?? required ?? '');
    expect(names.length).toBeGreaterThan(300);
    return [...new Set(names)].filter((file) => /opentelemetry|tracing\/otlp/.test(file));
  };

  it('loads no module of OpenTelemetry without a collector', async () => {
    // These variables are often set for all programs of a machine.
    const others = { OTEL_SERVICE_NAME: 'other', OTEL_TRACES_SAMPLER: 'of-another-program' };
    expect(await filesOf('off.sqlite', others)).toEqual([]);
  });

  it('loads OpenTelemetry from its bundle, and sends its last spans before it ends', async () => {
    const collector = await Collector.start();
    const files = await filesOf('on.sqlite', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect(files.filter((file) => file.includes('tracing/otlp'))).toHaveLength(1);
    expect(files.some((file) => /dist\/packages\/\w+\/@opentelemetry/.test(file))).toBe(true);
    expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
    expect(collector.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['GET /api/v1/products', 'GET /graphql', 'query']),
    );
    await collector.stop();
  });

  it('does not start with a wrong address, and gives the reasons of all wrong settings', async () => {
    const { process: child, output } = launch({
      ...database('wrong.sqlite'),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER: 'always',
      OTEL_TRACES_SAMPLER_ARG: '10%',
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output().trim().split('\n')).toEqual([
      'The settings are not valid:',
      '  - OTEL_EXPORTER_OTLP_ENDPOINT must be the address of a collector such as http://collector:4318, without a query. A credential belongs in OTEL_EXPORTER_OTLP_HEADERS.',
      '  - OTEL_EXPORTER_OTLP_HEADERS must be a list such as name=value,other=value; entry 1 is not a pair.',
      '  - OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, not "grpc".',
      expect.stringMatching(
        /^ {2}- OTEL_TRACES_SAMPLER must be one of always_on, .*, not "always"\.$/,
      ) as string,
      '  - OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, not "10%".',
    ]);
  });

  it('has no traces if they are switched off', async () => {
    const files = await filesOf('disabled.sqlite', {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_SDK_DISABLED: 'true',
    });
    expect(files).toEqual([]);
  });
});
