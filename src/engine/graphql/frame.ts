const TEXT = 0x81;
/**
 * A length up to 125 is in the second byte. For a greater length, the second byte is 126 if the length follows in two
 * bytes, or 127 if it follows in eight bytes.
 */
const [MAX_SHORT, TWO_BYTES, EIGHT_BYTES] = [125, 126, 127];

/**
 * Makes one WebSocket frame (RFC 6455, section 5.2) with a whole message of the server. The message is given in two
 * parts.
 */
export function textFrame(head: string, rest: Uint8Array): Buffer {
  const headLength = Buffer.byteLength(head);
  const length = headLength + rest.length;
  const begin = length <= MAX_SHORT ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(begin + length);
  frame[0] = TEXT;
  if (begin === 2) frame[1] = length;
  else if (begin === 4) {
    frame[1] = TWO_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = EIGHT_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(head, begin);
  frame.set(rest, begin + headLength);
  return frame;
}
