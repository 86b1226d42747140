import { proxyInFrontOf } from './proxy.js';

/**
 * Starts a proxy that passes data on. After `breakNext`, the proxy breaks the connection at the next COMMIT, or at each
 * of the next `times` COMMITs: before or after the server has the COMMIT.
 */
export async function breakingProxy(
  url: string,
): Promise<{ url: string; breakNext: (when: 'before' | 'after', times?: number) => void }> {
  let breaking: 'before' | 'after' | undefined;
  let left = 0;
  const through = await proxyInFrontOf(url, (client, upstream) => {
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
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
  return {
    url: through,
    breakNext: (when, times = 1) => {
      breaking = when;
      left = times;
    },
  };
}
