import { parentPort, workerData } from 'node:worker_threads';
import type * as OtlpHttp from '@opentelemetry/otlp-exporter-base/node-http';

/*
 * The thread that sends batches of spans to a collector (ADR 72). The connection, its timeouts and the repetitions are
 * those of OpenTelemetry. The tests load this file unchanged, with Node's type stripping. So this file uses only
 * erasable types, and imports only types from our own code.
 */

/** The data that the thread gets at its start. */
export interface ExportThread {
  /** The address of the file of `@opentelemetry/otlp-exporter-base/node-http`. */
  readonly exporter: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: 'none' | 'gzip';
  /** Certificates and a key, in PEM. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** The longest time for which the exporter tries to send a batch, with all repetitions. */
  readonly timeoutMs: number;
  /** The maximum number of batches that are sent at the same time. */
  readonly mostExports: number;
}

/** A request to the collector. Its bytes are a part of `memory`, which belongs to this thread until the answer. */
export interface ExportRequest {
  readonly id: number;
  readonly memory: ArrayBuffer;
  readonly begin: number;
  readonly length: number;
  /** The number of spans. */
  readonly count: number;
}

/** After a failure, a broken connection may still use the memory, so the memory does not come back. */
export type ExportAnswer =
  { readonly id: number; readonly memory: ArrayBuffer } | { readonly id: number; readonly failure: string };

interface Batch {
  readonly request: Buffer;
  readonly count: number;
}

const { exporter, url, headers, compression, tls, timeoutMs, mostExports } = workerData as ExportThread;
const { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions } = (await import(
  exporter
)) as typeof OtlpHttp;

// The exporter gets all its options here, so that it reads no variables of the environment. It would ignore a variable
// with a wrong value.
const delegate = createOtlpHttpExportDelegate<Batch, object>(
  {
    url,
    headers: () => Promise.resolve({ ...headers, 'Content-Type': 'application/x-protobuf' }),
    timeoutMillis: timeoutMs,
    concurrencyLimit: mostExports,
    compression,
    agentFactory: httpAgentFactoryFromOptions({ keepAlive: true, ...tls }),
  },
  // A collector may answer that it has refused some spans. Nobody could do anything about them.
  { serializeRequest: ({ request }) => request, deserializeResponse: () => ({}) },
  'otlp_http_span_exporter',
  { name: 'span', countItems: ({ count }) => count },
  undefined,
);

parentPort?.on('message', ({ id, memory, begin, length, count }: ExportRequest) => {
  delegate.export({ request: Buffer.from(memory, begin, length), count }, ({ error }) => {
    if (error === undefined) answer({ id, memory }, memory);
    else answer({ id, failure: error.message });
  });
});

function answer(message: ExportAnswer, ...memory: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(message, memory);
}
