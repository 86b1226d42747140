import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface MuteProxy {
  readonly port: number;
  /**
   * From now on, the existing connections stay open for the client, but transmit nothing. For the server they are
   * closed. New connections work.
   */
  mute(): void;
  close(): void;
}

/**
 * Passes connections on to a port of this machine. The proxy can stop passing data on without closing the connections,
 * as a NAT gateway does after a long silence.
 */
export async function muteProxy(port: number): Promise<MuteProxy> {
  /** The connections that transmit, each with the connection to the server. */
  const pairs = new Map<Socket, Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    pairs.set(client, upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {});
      from.on('data', (data) => pairs.has(client) && to.write(data));
      from.on('close', () => pairs.has(client) && to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const all: Socket[] = [];
  server.on('connection', (socket) => all.push(socket));
  return {
    port: (server.address() as AddressInfo).port,
    mute: () => {
      const lost = [...pairs.values()];
      pairs.clear();
      for (const upstream of lost) upstream.destroy();
    },
    close: () => {
      server.close();
      for (const socket of all) socket.destroy();
    },
  };
}
