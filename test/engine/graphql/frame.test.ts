import { PassThrough, type Writable } from 'node:stream';
import { expect, it } from 'vitest';
import * as ws from 'ws';
import { textFrame } from '../../../src/engine/graphql/frame.js';

// `ws` exports this class, but its types do not declare it.
const { Receiver } = ws as unknown as { Receiver: new (options: object) => Writable };

/** The message that a peer reads from these bytes. */
function read(bytes: Buffer): Promise<string> {
  const wire = new PassThrough();
  const receiver = new Receiver({ maxPayload: 1_000_000 });
  const message = new Promise<string>((resolve, reject) => {
    receiver.on('message', (data: Buffer, isBinary: boolean) =>
      isBinary ? reject(new Error('binary')) : resolve(data.toString()),
    );
    receiver.on('error', reject);
  });
  wire.pipe(receiver);
  wire.end(bytes);
  return message;
}

// The first part has four bytes. So the lengths are around both limits of the length field: 125 and 65,535 bytes.
it.each([0, 1, 120, 121, 122, 65_530, 65_531, 65_532, 200_000])(
  'a frame that is made of two parts is read as one message, here with %i bytes in the second part',
  async (length) => {
    const rest = 'x'.repeat(length);
    expect(await read(textFrame('grü', Buffer.from(rest)))).toBe(`grü${rest}`);
  },
);

it('the length field of a frame has the number of bytes of the content', () => {
  expect(textFrame('{"id":"1"', Buffer.from('}'))).toEqual(
    Buffer.from([0x81, 10, ...Buffer.from('{"id":"1"}')]),
  );
});
