import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CursorInvalid, type Fault } from '../errors/errors.js';
import type { Position } from '../../generated/contract.js';
import { MasterKey } from '../secrets/master-key.js';
import { NONCE_BYTES, ofText, open, seal, toText } from '../secrets/sealing.js';

/**
 * Writes positions in lists as texts for clients, and reads them. A position may contain the value by which a row was
 * sorted. This value must not be readable in an address or a log. So the texts are sealed: only the instances of this
 * store can write and read them. Equal positions give equal texts, so that equal pages have equal bytes. Therefore the
 * nonce is derived from the sealed content, as in RFC 5297.
 */
@Injectable()
export class Cursors {
  constructor(private readonly secret: MasterKey) {}

  /**
   * @param list the name of the list. It contains everything that decides which rows are in the list, and which callers
   *   may see them.
   */
  write({ isBackwards, key }: Position, list: string): string {
    const content = JSON.stringify([isBackwards ? 1 : 0, ...(key ?? [])]);
    const nonce = createHmac('sha256', this.secret.key('nonces of cursors'))
      .update(`${list.length} ${list}${content}`)
      .digest()
      .subarray(0, NONCE_BYTES);
    return toText(seal(this.secret.key('cursors'), content, list, nonce));
  }

  /**
   * @param place the place of the text in the request
   * @throws CursorInvalid when the store did not write exactly this text for this list
   */
  read(text: string, list: string, place: Pick<Fault, 'pointer' | 'parameter'>): Position {
    const content = this.opened(text, list);
    if (content === null) {
      throw new CursorInvalid(
        'The cursor does not belong to this list. A list cursor is valid only with the same filter, the same sort order and the same rights of the caller. Send it exactly as you received it, or leave it out to start at the first page.',
        [{ ...place, code: 'UNKNOWN', detail: 'must be a cursor of this list, exactly as it was received' }],
      );
    }
    const [isBackwards, ...key] = JSON.parse(content) as [number, ...(string | number)[]];
    return { isBackwards: isBackwards === 1, key: key.length > 0 ? key : null };
  }

  private opened(text: string, list: string): string | null {
    const sealed = ofText(text);
    // Base64 has several texts for the same bytes. Only the canonical text is accepted.
    if (toText(sealed) !== text) return null;
    try {
      return open(this.secret.key('cursors'), sealed, list).toString();
    } catch {
      return null;
    }
  }
}
