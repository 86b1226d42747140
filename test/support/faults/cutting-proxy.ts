import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  readonly port: number;
  /** The number of connections that were broken so far. */
  readonly cuts: number;
  /** From now on all data is passed on. */
  calm(): void;
  close(): void;
}

/**
 * Passes connections on to a port of this machine, and breaks each of them after a random number of bytes of
 * the answers: inside a frame, inside an event, or before the first event.
 *
 * @param random returns a number from 0 up to 1
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
