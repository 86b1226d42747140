import { once } from 'node:events';
import { expect, it } from 'vitest';
import { launch } from '../../../testkit/process.js';
import { pathOfPem } from '../../support/fixtures/certificates/certificates.js';

it('the built service does not start with wrong settings for traces, and gives the reason for each', async () => {
  const { process: child, output } = launch({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'br',
    OTEL_EXPORTER_OTLP_CERTIFICATE: '/no/such/file.pem',
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: pathOfPem('service.key'),
    OTEL_EXPORTER_OTLP_CLIENT_KEY: pathOfPem('service.pem'),
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
    '  - OTEL_EXPORTER_OTLP_COMPRESSION must be one of none, gzip, not "br".',
    '  - OTEL_EXPORTER_OTLP_CERTIFICATE must be the path of a file; "/no/such/file.pem" cannot be read (ENOENT).',
    `  - OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE must be the path of a file with certificates in PEM; "${pathOfPem('service.key')}" has none, or one that cannot be read.`,
    `  - OTEL_EXPORTER_OTLP_CLIENT_KEY must be the path of a file with a private key in PEM, without a password; "${pathOfPem('service.pem')}" has none.`,
    expect.stringMatching(
      /^ {2}- OTEL_TRACES_SAMPLER must be one of always_on, .*, not "always"\.$/,
    ) as string,
    '  - OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, not "10%".',
  ]);
});
