import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface MuteProxy {
  readonly port: number;
  /** From now on, existing connections stay open and transmit nothing. New connections work. */
  mute(): void;
  close(): void;
}

/**
 * Passes connections on to a port of this machine. The proxy can stop passing data on without closing the connections,
 * as a NAT gateway does after a long silence.
 */
export async function muteProxy(port: number): Promise<MuteProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    sockets.add(client).add(upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (data) => sockets.has(from) && to.write(data));
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const all: Socket[] = [];
  server.on('connection', (socket) => all.push(socket));
  return {
    port: (server.address() as AddressInfo).port,
    mute: () => sockets.clear(),
    close: () => {
      server.close();
      for (const socket of all) socket.destroy();
    },
  };
}
