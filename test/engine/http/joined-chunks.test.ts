import { PassThrough, Readable } from 'node:stream';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinedChunks } from '../../../src/engine/http/joined-chunks.js';
import { ADMIN_KEY, startApp, type TestApp } from '../../support/clients/app.js';

const chunksOf = async (source: Readable): Promise<Buffer[]> => {
  const chunks: Buffer[] = [];
  const joined = joinedChunks(source);
  joined.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(joined, 'end');
  return chunks;
};

describe('the chunks of a body', () => {
  it('are joined to few large ones, with the same bytes', async () => {
    const text = 'abcdefghij'.repeat(10_000);
    const small = await chunksOf(Readable.from(Array.from(text, (letter) => Buffer.from(letter))));
    expect(Buffer.concat(small).toString()).toBe(text);
    expect(small.length).toBe(Math.ceil(text.length / 16_384));
    const sizes = [1, 20_000, 3, 16_384, 1];
    const mixed = await chunksOf(Readable.from(sizes.map((size) => Buffer.alloc(size, 'x'))));
    expect(mixed.map(({ length }) => length)).toEqual([1, 20_000, 3, 16_384, 1]);
  });

  it('end with the error of the client, even if nobody reads them', async () => {
    const source = new PassThrough();
    const joined = joinedChunks(source);
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

  /** Sends a body in chunks of one byte, without the end if `isWhole` is false. */
  const send = (path: string, body: string, isWhole = true) => {
    const socket = connect(store.port, '127.0.0.1').setEncoding('utf8');
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ADMIN_KEY}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    const chunks = Array.from(body, (letter) => `1\r\n${letter}\r\n`).join('');
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
    const query = JSON.stringify({ query: `{ products { name } } #${'x'.repeat(20_000)}` });
    expect(await heard(send('/graphql', query))).toContain('"name":"Tea"');
  });

  it('is refused if it is too large, and the service goes on when its client leaves', async () => {
    expect(await heard(send('/api/v1/products', ' '.repeat(70_000)))).toContain('HTTP/1.1 413');
    const socket = send('/api/v1/products', ' '.repeat(30_000), false);
    await once(socket, 'connect');
    socket.resetAndDestroy();
    expect((await store.call('GET', '/health/live')).status).toBe(200);
  });
});
