import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { ConstantFields, setHead } from '../../../src/engine/http/response-head.js';

type Head = (response: ServerResponse, status: number, fields: string[]) => void;

const byNode: Head = (response, status, fields) => void response.writeHead(status, fields);

const ours: Head = (response, status, fields) => setHead(response, status, null, fields);

/** Sets the first field as one that all answers have. */
const oursWithConstant: Head = (response, status, fields) =>
  setHead(response, status, new ConstantFields(fields.slice(0, 2)), fields.slice(2));

/** Everything that a server sends for a request, without the value of `Date`. */
async function answered(
  setHeadOf: Head,
  request: string,
  settings: { maxRequestsPerSocket?: number; keepAliveTimeout?: number },
): Promise<string> {
  const server = createServer((_request, response) => {
    setHeadOf(response, 200, ['x-request-id', 'a "b" ÿ\t', 'etag', '"1"', 'content-length', '2']);
    response.end('ok');
  });
  Object.assign(server, settings);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    let text = '';
    socket.setEncoding('latin1').on('data', (part: string) => (text += part));
    socket.write(request);
    const answers = request.split('GET ').length - 1;
    await expect.poll(() => text.split('\r\n\r\nok').length - 1).toBe(answers);
    return text.replaceAll(/\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r/g, '\nDate: now\r');
  } finally {
    socket.destroy();
    server.close();
  }
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n';

it.each([
  ['a connection that stays open', `${GET}\r\n`, {}],
  ['two requests', `${GET}\r\n${GET}\r\n`, {}],
  ['a client that closes the connection', `${GET}Connection: close\r\n\r\n`, {}],
  ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', {}],
  ['Expect: 100-continue', `${GET}Expect: 100-continue\r\n\r\n`, {}],
  ['a server that closes connections after some requests', `${GET}\r\n`, { maxRequestsPerSocket: 1 }],
  ['a server without a timeout for idle connections', `${GET}\r\n`, { keepAliveTimeout: 0 }],
])('sends the same bytes as Node: %s', async (_what, request, settings) => {
  const expected = await answered(byNode, request, settings);
  expect(expected).toContain('Date: now');
  expect(await answered(ours, request, settings)).toBe(expected);
  expect(await answered(oursWithConstant, request, settings)).toBe(expected);
});

/** Sets the head of a response that has a field already. */
const withField =
  (setHeadOf: Head): Head =>
  (response, status, fields) => {
    response.setHeader('server-timing', 'a;dur=1');
    setHeadOf(response, status, fields);
  };

it('keeps the fields that the response already has', async () => {
  const expected = await answered(withField(byNode), `${GET}\r\n`, {});
  expect(expected).toContain('server-timing: a;dur=1');
  expect(await answered(withField(ours), `${GET}\r\n`, {})).toBe(expected);
  expect(await answered(withField(oursWithConstant), `${GET}\r\n`, {})).toBe(expected);
});

it('sets the text of the head without writeHead of Node, unless the client asks to close the connection', async () => {
  let called = 0;
  const spied: Head = (response, status, fields) => {
    const watched = vi.spyOn(response, 'writeHead');
    oursWithConstant(response, status, fields);
    expect([response.headersSent, response.statusCode]).toEqual([true, 200]);
    called += watched.mock.calls.length;
  };
  await answered(spied, `${GET}\r\n`, {});
  expect(called).toBe(0);
  await answered(spied, `${GET}Connection: close\r\n\r\n`, {});
  expect(called).toBe(1);
});

it.each(['a\r\nset-cookie: b', 'a\nb', '\0', 'ā', '\x7f'])('refuses %j in a value', async (value) => {
  const refusing: Head = (response, status, fields) => {
    for (const head of [ours, oursWithConstant])
      expect(() => head(response, status, ['x-request-id', value])).toThrow(TypeError);
    expect(response.headersSent).toBe(false);
    ours(response, status, fields);
  };
  expect(await answered(refusing, `${GET}\r\n`, {})).toBe(await answered(byNode, `${GET}\r\n`, {}));
});
