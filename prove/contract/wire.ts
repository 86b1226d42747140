import { connect } from 'node:net';
import type { Answer } from './client.ts';

/** Sends a text to the server over a bare socket, and returns the answer when the server closes the connection. */
export function spoken(url: string, text: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.setTimeout(60_000, () => socket.destroy(new Error('There is no answer.')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(answerIn(Buffer.concat(chunks).toString('utf8'))));
    socket.write(text);
  });
}

function answerIn(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  return {
    status: Number(/^HTTP\/1.1 (\d{3}) /.exec(line)?.[1] ?? 0),
    headers: Object.fromEntries(
      lines.map((header) => [header.split(':', 1)[0]?.toLowerCase() ?? '', header.replace(/^[^:]*: ?/, '')]),
    ),
    text: text.slice(end + 4),
  };
}
