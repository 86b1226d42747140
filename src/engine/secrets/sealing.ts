import { createCipheriv, createDecipheriv, randomBytes, type CipherKey } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;

export const NONCE_BYTES = 12;

/** A text that is encrypted and authenticated, in its parts. */
export interface Sealed {
  readonly nonce: Buffer;
  readonly text: Buffer;
  readonly tag: Buffer;
}

/**
 * @param about the object to which the text belongs; the text can be opened only with the same value
 * @param nonce must not be used twice with the same key for different texts
 */
export function seal(
  key: CipherKey,
  content: Buffer | string,
  about: string,
  nonce: Buffer = randomBytes(NONCE_BYTES),
): Sealed {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(about));
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const text = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return { nonce, text, tag: cipher.getAuthTag() };
}

/** @throws Error if the text was changed, or was sealed with another key or another `about` */
export function open(key: CipherKey, { nonce, text, tag }: Sealed, about: string): Buffer {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about)).setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]);
}

export function toText({ nonce, text, tag }: Sealed): string {
  return Buffer.concat([nonce, text, tag]).toString('base64url');
}

/** Returns the parts of a text that `toText` wrote. If the text is too short, its parts cannot be opened. */
export function ofText(written: string): Sealed {
  const bytes = Buffer.from(written, 'base64url');
  return {
    nonce: bytes.subarray(0, NONCE_BYTES),
    text: bytes.subarray(NONCE_BYTES, -TAG_BYTES),
    tag: bytes.subarray(-TAG_BYTES),
  };
}

/** Writes the parts in the order of the stored results of acts: the tag comes before the text. */
export function toRecord({ nonce, text, tag }: Sealed): string {
  return Buffer.concat([nonce, tag, text]).toString('base64url');
}

export function ofRecord(written: string): Sealed {
  const bytes = Buffer.from(written, 'base64url');
  return {
    nonce: bytes.subarray(0, NONCE_BYTES),
    tag: bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    text: bytes.subarray(NONCE_BYTES + TAG_BYTES),
  };
}
