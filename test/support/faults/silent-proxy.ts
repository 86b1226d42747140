import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SilentProxy {
  readonly url: string;
  /** From now on the answers of the server are held back, on new connections too. */
  silence(): void;
  /** Waits for a connection that sends this word. From its next COMMIT on, the answers of the server are held back. */
  silenceAtCommitOf(word: string): void;
  /** Answers are passed on again. */
  wake(): void;
  close(): void;
}

/**
 * Passes connections on to a server. The proxy can behave like a frozen server, which accepts all data and answers
 * nothing.
 */
export async function silentProxy(target: string): Promise<SilentProxy> {
  const to = new URL(target);
  const pairs = new Set<readonly [Socket, Socket]>();
  let isSilent = false;
  let word: string | undefined;
  const silence = () => {
    isSilent = true;
    for (const [, upstream] of pairs) upstream.pause();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname);
    const pair = [client, upstream] as const;
    let isNext = false;
    pairs.add(pair);
    if (isSilent) upstream.pause();
    client.on('data', (data) => {
      isNext ||= word !== undefined && data.includes(word);
      if (isNext && data.includes('COMMIT')) {
        [isNext, word] = [false, undefined];
        silence();
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => client.write(data));
    for (const [one, other] of [pair, [upstream, client] as const]) {
      one.on('error', () => {});
      one.on('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const through = new URL(target);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    silence,
    silenceAtCommitOf: (of) => (word = of),
    wake: () => {
      isSilent = false;
      for (const [, upstream] of pairs) upstream.resume();
    },
    close: () => {
      server.close();
      for (const [client] of pairs) client.destroy();
    },
  };
}
