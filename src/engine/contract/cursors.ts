import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CursorInvalid, type Fault } from '../errors/errors.js';
import type { Position } from '../../generated/contract.js';
import { MasterKey } from '../secrets/master-key.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Writes positions in lists as texts for clients, and reads them. Only the instances of this store can do both: a
 * position may hold the value by which a row was sorted, and such a value must not be readable in an address or a log.
 * Equal positions give equal texts, so that equal pages have equal bytes. Therefore the nonce is derived from the
 * sealed content, as in RFC 5297.
 */
@Injectable()
export class Cursors {
  constructor(private readonly secret: MasterKey) {}

  /** @param list names the list: everything that decides its content and who may see it */
  write({ isBackwards, key }: Position, list: string): string {
    const plain = JSON.stringify([isBackwards ? 1 : 0, ...(key ?? [])]);
    const nonce = createHmac('sha256', this.secret.key('nonces of cursors'))
      .update(`${list.length} ${list}${plain}`)
      .digest()
      .subarray(0, NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.secret.key('cursors'), nonce).setAAD(Buffer.from(list));
    const sealed = [nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  /**
   * @param place the place of the text in the request
   * @throws CursorInvalid unless the store wrote exactly this text for this list
   */
  read(text: string, list: string, place: Pick<Fault, 'pointer' | 'parameter'>): Position {
    const plain = this.opened(text, list);
    if (plain === null) {
      throw new CursorInvalid(
        'The cursor does not belong to this list: take it as it came, with the same filter and order and the same rights, or begin without one.',
        [{ ...place, code: 'UNKNOWN', detail: 'must be a cursor of this list, as it came' }],
      );
    }
    const [isBackwards, ...key] = JSON.parse(plain) as [number, ...(string | number)[]];
    return { isBackwards: isBackwards === 1, key: key.length > 0 ? key : null };
  }

  private opened(text: string, list: string): string | null {
    const bytes = Buffer.from(text, 'base64url');
    // Base64 has several texts for the same bytes. Only the canonical one is accepted.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return null;
    const key = this.secret.key('cursors');
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(list)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const sealed = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(sealed), decipher.final()]).toString();
    } catch {
      return null;
    }
  }
}
