/** Writes the parts of messages of protobuf into memory that grows. Call `reserve` before a method that writes. */
export class Protobuf {
  end = 0;
  private view: DataView;

  constructor(public memory: Buffer) {
    this.view = viewOf(memory);
  }

  /** Makes room for this number of bytes. */
  reserve(size: number): void {
    if (this.end + size <= this.memory.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.end + size));
    this.memory.copy(larger, 0, 0, this.end);
    this.memory = larger;
    this.view = viewOf(larger);
  }

  byte(value: number): void {
    this.memory[this.end++] = value;
  }

  /** A field of one byte. */
  small(tag: number, value: number): void {
    this.memory[this.end++] = tag;
    this.memory[this.end++] = value;
  }

  /** 32 bits. */
  word(value: number): void {
    this.put(this.end, value);
    this.end += 4;
  }

  /** Writes 32 bits over bytes that were written before. */
  put(at: number, value: number): void {
    this.view.setInt32(at, value, true);
  }

  double(value: number): void {
    this.view.setFloat64(this.end, value, true);
    this.end += 8;
  }

  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.memory[this.end++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.memory[this.end++] = rest;
  }

  raw(bytes: Uint8Array): void {
    this.memory.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** The length and the bytes of a text whose tag is written already. @param size the length in bytes */
  text(text: string, size: number): void {
    this.varint(size);
    this.end += this.memory.write(text, this.end, 'utf8');
  }

  /** Writes a text of ASCII. @returns whether the text was ASCII; if not, nothing is written */
  ascii(text: string): boolean {
    const { memory, end } = this;
    const { length } = text;
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > LAST_OF_ASCII) return false;
      memory[end + at] = code;
    }
    this.end = end + length;
    return true;
  }

  hex(digits: string): void {
    this.varint(digits.length / 2);
    this.end += this.memory.write(digits, this.end, 'hex');
  }

  /** Begins a message. Its length takes two bytes in nearly all cases. @returns the place of the message for `close` */
  open(tag: number): number {
    this.memory[this.end++] = tag;
    this.end += LENGTH_BYTES;
    return this.end;
  }

  /** Writes the length of the message, and moves the message if its length does not take two bytes. */
  close(begin: number): void {
    const size = this.end - begin;
    const needed = varintSize(size);
    if (needed !== LENGTH_BYTES) this.memory.copyWithin(begin - LENGTH_BYTES + needed, begin, this.end);
    this.end = begin - LENGTH_BYTES;
    this.varint(size);
    this.end += size;
  }

  /**
   * Writes the tag and the length of a message in front of the message, which begins at `begin`. @returns the place of
   * the tag
   */
  head(tag: number, begin: number): number {
    const { end } = this;
    const place = begin - 1 - varintSize(end - begin);
    this.end = place;
    this.byte(tag);
    this.varint(end - begin);
    this.end = end;
    return place;
  }

  written(begin = 0): Buffer {
    return this.memory.subarray(begin, this.end);
  }
}

/** The maximum number of bytes by which `close` lengthens a message. */
export const MOST_CLOSING = 3;
/** The maximum number of bytes that `head` writes. */
export const MOST_HEAD = 6;
/** The maximum number of bytes of UTF-8 for a unit of UTF-16. */
export const MOST_UTF8 = 3;

const LENGTH_BYTES = 2;
const LAST_OF_ASCII = 127;

export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** A field that is a message, a text or bytes. */
export function field(tag: number, content: Uint8Array): Buffer {
  const bytes = new Protobuf(Buffer.allocUnsafe(MOST_HEAD + content.length));
  bytes.byte(tag);
  bytes.varint(content.length);
  bytes.raw(content);
  return bytes.written();
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
