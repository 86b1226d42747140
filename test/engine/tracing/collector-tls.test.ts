import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startApp } from '../../support/clients/app.js';
import { pathOfPem, pemOf } from '../../support/fixtures/certificates/certificates.js';

interface Taken {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

it('a collector that accepts only known services gets compressed spans over TLS', async () => {
  const first = Promise.withResolvers<Taken>();
  const collector = createServer(
    {
      key: pemOf('collector.key'),
      cert: pemOf('collector.pem'),
      ca: pemOf('service.pem'),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        first.resolve({ headers: request.headers, body: Buffer.concat(chunks) });
        response.writeHead(200).end();
      });
    },
  );
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const store = await startApp('sqlite', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `https://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_CERTIFICATE: pathOfPem('collector.pem'),
    OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: pathOfPem('service.pem'),
    OTEL_EXPORTER_OTLP_CLIENT_KEY: pathOfPem('service.key'),
  });
  try {
    await store.call('GET', '/api/v1/products');
    const { headers, body } = await first.promise;
    expect(headers).toMatchObject({
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    });
    expect(gunzipSync(body).toString('latin1')).toContain('GET /api/v1/products');
  } finally {
    await store.close();
    collector.closeAllConnections();
    collector.close();
  }
});
