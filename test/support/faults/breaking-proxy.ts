import { connect, createServer, type Socket } from 'node:net';

/**
 * Passes all data on until a COMMIT arrives. Then it breaks the connection before or after the server has the
 * COMMIT.
 */
export async function breakingProxy(
  url: string,
): Promise<{ url: string; breakNext: (when: 'before' | 'after', times?: number) => void }> {
  const target = new URL(url);
  let breaking: 'before' | 'after' | undefined;
  let left = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => socket.destroy()));
    client.on('data', (data) => {
      if (breaking === undefined || !data.includes('COMMIT')) return void upstream.write(data);
      if (breaking === 'after') upstream.write(data, () => client.resetAndDestroy());
      else client.resetAndDestroy();
      left -= 1;
      if (left === 0) breaking = undefined;
      return setTimeout(() => upstream.destroy(), 100);
    });
    upstream.on('data', (data) => client.write(data));
    client.on('end', () => upstream.end());
    upstream.on('end', () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return {
    url: through.href,
    breakNext: (when, times = 1) => {
      breaking = when;
      left = times;
    },
  };
}
