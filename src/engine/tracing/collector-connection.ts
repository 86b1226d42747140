import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TracingTarget } from '../config/slices.js';
import type { ExportAnswer, ExportRequest, ExportThread } from './otlp-worker.js';

// Node runs this file and the file of the worker either both as .ts, or both as .js from the build.
const WORKER = new URL(`./otlp-worker${extname(import.meta.url)}`, import.meta.url);
/** The longest time for which the exporter tries to send a batch, with all repetitions. */
const EXPORT_MS = 5_000;
/**
 * The maximum number of batches in the exporter. Batches are sent one after another, but a batch that was given up may
 * still be under way there.
 */
const MOST_EXPORTS = 30;

/** A function that is called once for a batch. It gets the memory back if the collector has taken the batch. */
type Conclusion = (failure: string | null, memory: Buffer | null) => void;

/**
 * The thread with the connection to the collector. If the connection were in the thread of the HTTP server, each answer
 * of the service would take longer (ADR 72).
 */
export class CollectorConnection {
  private readonly workerData: ExportThread;
  private worker: Worker | null = null;
  private readonly underWay = new Map<number, Conclusion>();
  private lastId = 0;

  constructor({ url, headers, compression, tls }: TracingTarget) {
    const exporter = import.meta.resolve('@opentelemetry/otlp-exporter-base/node-http');
    const limits = { timeoutMs: EXPORT_MS, mostExports: MOST_EXPORTS };
    this.workerData = { exporter, url, headers, compression, tls, ...limits };
  }

  /** @param request a part of memory that has an `ArrayBuffer` of its own. The thread takes this memory over. */
  send(request: Buffer, count: number, conclude: Conclusion): void {
    const id = ++this.lastId;
    this.underWay.set(id, conclude);
    const memory = request.buffer as ArrayBuffer;
    const message: ExportRequest = {
      id,
      memory,
      begin: request.byteOffset,
      length: request.length,
      count,
    };
    (this.worker ??= this.start()).postMessage(message, [memory]);
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(WORKER, { name: 'traces', workerData: this.workerData });
    let reason = 'the thread of the traces has ended';
    worker.on('message', (answer: ExportAnswer) => this.conclude(answer));
    worker.on('error', (error: Error) => (reason = error.message));
    worker.on('exit', () => {
      this.worker = null;
      for (const id of this.underWay.keys()) this.conclude({ id, failure: reason });
    });
    // `unref` is called after the listeners are added, because adding them calls `ref`.
    worker.unref();
    return worker;
  }

  private conclude(answer: ExportAnswer): void {
    const conclude = this.underWay.get(answer.id);
    this.underWay.delete(answer.id);
    if ('failure' in answer) conclude?.(answer.failure, null);
    else conclude?.(null, Buffer.from(answer.memory));
  }
}
