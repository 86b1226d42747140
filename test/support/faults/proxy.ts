import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * Starts a proxy in front of a server. The proxy does not keep the process alive.
 *
 * @param url the address of the server. Connections to it must not be encrypted
 * @param pass passes data on between a client and the connection that was opened for it
 * @returns the URL through the proxy
 */
export async function proxyInFrontOf(
  url: string,
  pass: (client: Socket, upstream: Socket) => void,
): Promise<string> {
  const { port, hostname } = new URL(url);
  const server = createServer((client) => pass(client, connect(Number(port), hostname)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return through.href;
}
