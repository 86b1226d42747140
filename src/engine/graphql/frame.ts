const TEXT = 0x81;
/** A length of at most 125 is in the second byte. 126 and 127 in its place say how many bytes of length follow. */
const [MAX_SHORT, TWO_BYTES, EIGHT_BYTES] = [125, 126, 127];

/** A whole message of a server as one WebSocket frame (RFC 6455, section 5.2), made of two parts in UTF-8. */
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
