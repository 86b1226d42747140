import { PassThrough, Readable } from 'node:stream';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinedChunks } from '../../../src/engine/http/joined-chunks.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';

const chunksOf = async (source: Readable): Promise<Buffer[]> => {
  const chunks: Buffer[] = [];
  const joined = joinedChunks(source, () => undefined);
  joined.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(joined, 'end');
  return chunks;
};

describe('the chunks of a body', () => {
  it('are joined into few large chunks, with the same bytes', async () => {
    const text = 'abcdefghij'.repeat(10_000);
    const parts = text.match(/.{20}/g) ?? [];
    const small = await chunksOf(Readable.from(parts.map((part) => Buffer.from(part))));
    expect(Buffer.concat(small).toString()).toBe(text);
    expect(small.length).toBe(Math.ceil(text.length / 16_384));
    const sizes = [1, 20_000, 3, 16_384, 1];
    const mixed = await chunksOf(Readable.from(sizes.map((size) => Buffer.alloc(size, 'x'))));
    expect(mixed.map(({ length }) => length)).toEqual([1, 20_000, 3, 16_384, 1]);
  });

  it('end with the error of the client, even if nobody reads them', async () => {
    const source = new PassThrough();
    const joined = joinedChunks(source, () => undefined);
    source.destroy(new Error('aborted'));
    await new Promise((resolve) => joined.on('close', resolve));
    expect(joined.errored?.message).toBe('aborted');
  });
});

describe('a body of many small chunks', () => {
  let store: TestApp;
  beforeAll(async () => {
    store = await startApp('sqlite');
  });
  afterAll(() => store.close());

  /** Sends a body in chunks of `size` bytes, without the end if `isWhole` is false. */
  const send = (path: string, body: string, isWhole = true, size = 1) => {
    const socket = connect(store.port, '127.0.0.1').setEncoding('utf8');
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const parts = body.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
    socket.write(head + chunks + (isWhole ? '0\r\n\r\n' : ''));
    return socket;
  };
  const heard = async (socket: ReturnType<typeof send>): Promise<string> => {
    let text = '';
    socket.on('data', (part: string) => (text += part));
    await once(socket, 'close');
    return text;
  };

  it('is read like any other body', async () => {
    const product = JSON.stringify({ name: 'Tea', price: 3 }) + ' '.repeat(2_000);
    expect(await heard(send('/api/v1/products', product))).toContain('HTTP/1.1 201');
    const query = JSON.stringify({ query: `{ products { name } } #${'x'.repeat(4_000)}` });
    expect(await heard(send('/graphql', query))).toContain('"name":"Tea"');
  });

  it.each([
    ['an operation', '/api/v1/products', 200_000],
    ['GraphQL', '/graphql', 200_000],
    ['an import', '/api/v2/imports?resource=products', 200_000],
  ])(
    'is refused before all of it has arrived, and the connection is closed: %s',
    async (_name, path, bytes) => {
      const socket = send(path, ' '.repeat(bytes), false);
      const answer = await heard(socket);
      expect(answer).toContain('HTTP/1.1 400');
      expect(answer).toContain('Send larger chunks, or a Content-Length.');
    },
  );

  it('is refused if it is too large, and the service goes on when its client leaves', async () => {
    expect(await heard(send('/api/v1/products', ' '.repeat(70_000), true, 20))).toContain('HTTP/1.1 413');
    const socket = send('/api/v1/products', ' '.repeat(4_000), false);
    await once(socket, 'connect');
    socket.resetAndDestroy();
    expect((await store.call('GET', '/health/live')).status).toBe(200);
  });
});
