import { once } from 'node:events';
import { expect, it } from 'vitest';
import { launch } from '../../../testkit/process.js';

it('the built service does not start with a wrong address, and gives the reasons of all wrong settings', async () => {
  const { process: child, output } = launch({
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
