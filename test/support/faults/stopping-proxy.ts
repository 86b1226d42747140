import { proxyInFrontOf } from './proxy.js';

/** `ReadyForQuery`, the last message of a sign-in. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** The message of a PostgreSQL server that stops (`57P01`). */
function stopping(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''];
  const body = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/**
 * Starts a proxy that passes data on. After `stopNext`, the next connection, or each of the next `times` connections,
 * ends directly after its sign-in, as on a server that stops. The client of such a connection gets the end of the
 * sign-in and the error of the server in one packet.
 */
export async function stoppingProxy(
  url: string,
): Promise<{ url: string; stopNext: (times?: number) => void }> {
  let left = 0;
  const through = await proxyInFrontOf(url, (client, upstream) => {
    let stops = left > 0;
    if (stops) left -= 1;
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.pipe(upstream);
    upstream.on('data', (data) => {
      if (!stops || !data.subarray(-READY.length).equals(READY)) return void client.write(data);
      stops = false;
      client.end(Buffer.concat([data, stopping()]));
      return upstream.destroy();
    });
    upstream.on('end', () => client.end());
  });
  return {
    url: through,
    stopNext: (times = 1) => {
      left = times;
    },
  };
}
