import { connect } from 'node:net';

/** Writes to a new socket, and returns everything that is received until the socket is closed. */
export function speak(port: number, parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => parts.forEach((part) => socket.write(part)));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)));
  });
}
