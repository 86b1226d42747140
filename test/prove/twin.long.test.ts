import { readFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import type { Answer, Client } from '../../prove/contract/client.js';
import { startTarget } from '../../prove/contract/run.js';
import { twinBy } from '../../prove/twin/run.js';

type Send = Client['send'];
type Lie = (send: Send) => Send;

const WRITES = 60;

/**
 * Changes the text of an answer if `place` matches a text with two parts: the target of the request, and after a blank
 * the content type of the answer.
 */
function twisted(place: string | RegExp, twist: (text: string) => string): Lie {
  return (send) => async (sent) => {
    const answer = await send(sent);
    const isMeant = `${sent.target} ${answer.headers['content-type']}`.search(place) !== -1;
    return isMeant ? { ...answer, text: twist(answer.text) } : answer;
  };
}

/** Changes a header of the lists of version 2 in CSV. */
function twistedHeader(name: string, value: string): Lie {
  return (send) => async (sent) => {
    const answer = await send(sent);
    const { headers } = answer;
    const isMeant = sent.target.startsWith('/api/v2') && headers['content-type']?.startsWith('text/csv');
    return isMeant && name in headers ? { ...answer, headers: { ...headers, [name]: value } } : answer;
  };
}

const DONE: Answer = { status: 204, headers: {}, text: '' };

/** The wrong behaviour of a service, and the expected message. */
const LIES: readonly (readonly [string, Lie, RegExp])[] = [
  [
    'a value in YAML',
    twisted('yaml', (text) => text.replace('in_stock: true', 'in_stock: false')),
    /inStock of .*the model: true\n.*yaml: false/s,
  ],
  [
    'a row of a list in CSV',
    twisted('text/csv', (text) => text.replace(/\r\n[^\r]*\r\n$/, '\r\n')),
    /the rows of .*csv/s,
  ],
  [
    'null on a page',
    twisted('text/html', (text) => text.replaceAll('data-null', 'data-empty')),
    /html: \[\]/,
  ],
  ['characters in XML', twisted('xml', (text) => text.replaceAll('&amp;', '&amp;amp;')), /name of .*xml/s],
  [
    'the milliseconds of GraphQL',
    twisted('/graphql', (text) => text.replaceAll(/\d\d\dZ"/g, '000Z"')),
    /(created|updated)At of .*000Z/s,
  ],
  [
    'the reason of a refusal in version 2',
    twisted('/api/v2', (text) => text.replace('"code":"NOT_FOUND"', '"code":"FORBIDDEN"')),
    /The interfaces differ about a refusal.*NOT_FOUND.*v2: "FORBIDDEN"/s,
  ],
  [
    'a change that is confirmed but not made',
    (send) => (sent) =>
      sent.method === 'PUT' && sent.headers['x-api-key'] ? Promise.resolve(DONE) : send(sent),
    /The interfaces differ about (a refusal|\w+ of product \d+)/,
  ],
  [
    'a total in a header',
    (send) => async (sent) => {
      const answer = await send(sent);
      const total = answer.headers['x-total-count'];
      return total === '3' ? { ...answer, headers: { ...answer.headers, 'x-total-count': '4' } } : answer;
    },
    /the total of .*3\n.*4/s,
  ],
  [
    'a total of version 2 in CSV',
    twistedHeader('x-total-count', '4000'),
    /the total of .*v2.*(csv|CSV).*4000/s,
  ],
  [
    'a list of version 2 in CSV without a link to its next page',
    twistedHeader('link', ''),
    /the rows of all products.*cursors of version 2 as csv/s,
  ],
  [
    'the way back from the last page',
    twisted(/v2\/products.*json/, (text) => text.replace(/"previous":"[^"]*"/, '"previous":null')),
    /the rows of all products.*cursors of version 2 backwards/s,
  ],
  [
    'the way back of a connection',
    twisted('/graphql', (text) => text.replace('"hasPreviousPage":true', '"hasPreviousPage":false')),
    /the rows of all products.*a connection of GraphQL backwards/s,
  ],
  [
    'the orders of a user',
    twisted(/users\/\d+\/orders.*json/, (text) => text.replace('pending', 'paid')),
    /the orders (of|with) user \d+.*paid/s,
  ],
  [
    'the end of an export',
    twisted('ndjson', (text) => text.replace(/[^\n]*\n$/, '')),
    /the rows of all products.*export/s,
  ],
];

const undoing: (() => unknown)[] = [];
let ending = new AbortController();

afterEach(async () => {
  ending.abort();
  for (const undo of undoing.splice(0).toReversed()) await undo();
  ending = new AbortController();
});

/** Runs the proof on a new and empty service. `lie` changes its answers. */
async function twin(lie: Lie): Promise<string> {
  const proceeding = { signal: ending.signal, atEnd: (undo: () => unknown) => undoing.push(undo) };
  const { world, client } = await startTarget('sqlite', 7, proceeding);
  undoing.push(() => client.close());
  const send = lie((sent) => client.send(sent));
  return twinBy({ send }, world, await readFile('openapi.yaml', 'utf8'), WRITES);
}

it('the proof of twins finds no difference if all interfaces agree', async () => {
  await expect(twin((send) => send)).resolves.toMatch(/^60 writes/);
});

it.each(LIES)('the proof of twins finds a fault: %s', async (_, lie, said) => {
  await expect(twin(lie)).rejects.toThrow(said);
});
