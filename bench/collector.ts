import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A collector of traces that discards all spans. It runs in this process, whose processor time is not counted. */
export class BenchCollector {
  readonly #server: Server = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });

  static async start(): Promise<BenchCollector> {
    const collector = new BenchCollector();
    collector.#server.listen(0, '127.0.0.1');
    await once(collector.#server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
