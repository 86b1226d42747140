import { once } from 'node:events';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { UnderWay } from '../../../src/engine/http/under-way.js';

/** Functions that note the names of the requests that have ended. */
function requests(...names: readonly string[]): { ended: string[]; ends: (() => void)[] } {
  const ended: string[] = [];
  return { ended, ends: names.map((name) => () => void ended.push(name)) };
}

it('ends a request when it is answered, and all other requests when their connection ends', async () => {
  const underWay = new UnderWay();
  const socket = new Socket();
  const { ended, ends } = requests('first', 'second', 'third');
  for (const end of ends) underWay.add(socket, end);
  underWay.end(socket, ends[1] as () => void);
  expect(ended).toEqual(['second']);
  socket.destroy();
  await once(socket, 'close');
  expect(ended).toEqual(['second', 'first', 'third']);
});

it('listens once for all requests of a connection', () => {
  const underWay = new UnderWay();
  const socket = new Socket();
  for (const end of requests('first', 'second', 'third').ends) {
    underWay.add(socket, end);
    underWay.end(socket, end);
  }
  expect(socket.listenerCount('close')).toBe(1);
  socket.destroy();
});

it('ends a request at once if its client has left already', () => {
  const socket = new Socket().destroy();
  const { ended, ends } = requests('late');
  new UnderWay().add(socket, ends[0] as () => void);
  expect(ended).toEqual(['late']);
});
