import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /** How many connections were cut off so far. */
  readonly cuts: number;
  /** From now on everything gets through. */
  calm(): void;
  close(): void;
}

/**
 * Passes connections on to a port of this machine, and cuts each of them off after some bytes of the answers, wherever
 * these are: within a frame, within an event, before the first one.
 *
 * @param random from 0 up to 1
 */
export async function cuttingProxy(port: () => number, random: () => number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  let isCalm = false;
  const server = createServer((client) => {
    const upstream = connect(port(), '127.0.0.1');
    const cut = () => {
      client.resetAndDestroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    let left = 300 + Math.floor(random() * 3_000);
    client.pipe(upstream);
    upstream.on('data', (data) => {
      const isEnough = !isCalm && data.length >= left;
      left -= data.length;
      client.write(isEnough ? data.subarray(0, left + data.length) : data, () => {
        if (!isEnough) return;
        cuts += 1;
        cut();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get cuts() {
      return cuts;
    },
    calm: () => void (isCalm = true),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The same numbers at each run (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
