/** One field of a message. Its value is a number, or the bytes of a text or of another message. */
export interface Field {
  readonly number: number;
  readonly value: bigint | Buffer;
}

/**
 * Reads a message of protobuf without the definition of its type (https://protobuf.dev/programming-guides/encoding/).
 */
export function fieldsIn(message: Buffer): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at];
      if (byte === undefined) throw new Error('The message ends within a number.');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => {
    if (at + length > message.length) throw new Error('The message ends within a field.');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const value =
      wire === 0
        ? varint()
        : wire === 1
          ? bytes(8).readBigUInt64LE()
          : wire === 2
            ? bytes(Number(varint()))
            : BigInt(bytes(4).readUInt32LE());
    fields.push({ number: tag >> 3, value });
  }
  return fields;
}
