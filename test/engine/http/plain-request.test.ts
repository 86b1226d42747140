import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { AnyRequest } from '../../../src/engine/contract/any-request.js';
import { PlainReply } from '../../../src/engine/http/plain-request.js';

const CONSTANT = { 'referrer-policy': 'no-referrer', vary: 'Origin' };

/** A reply whose first headers are `CONSTANT`. */
function reply(isFrozen: boolean): PlainReply {
  const headers = { ...CONSTANT };
  return new PlainReply({} as AnyRequest, {} as ServerResponse).headers(
    isFrozen ? Object.freeze(headers) : headers,
  );
}

describe('the headers of a plain reply', () => {
  it.each<[string, (of: PlainReply) => unknown, readonly string[]]>([
    [
      'one is added',
      (of) => of.header('etag', '"1"'),
      ['referrer-policy', 'no-referrer', 'vary', 'Origin', 'etag', '"1"'],
    ],
    [
      'one of the first is replaced',
      (of) => of.header('etag', '"1"').header('vary', 'Accept'),
      ['referrer-policy', 'no-referrer', 'vary', 'Accept', 'etag', '"1"'],
    ],
    ['one of the first is removed', (of) => of.removeHeader('referrer-policy'), ['vary', 'Origin']],
    [
      'one of the first is read',
      (of) =>
        expect([of.getHeader('vary'), of.hasHeader('vary'), of.hasHeader('etag')]).toEqual([
          'Origin',
          true,
          false,
        ]),
      ['referrer-policy', 'no-referrer', 'vary', 'Origin'],
    ],
  ])('are the same for frozen and for unfrozen first headers when %s', (_what, change, expected) => {
    for (const isFrozen of [true, false]) {
      const of = reply(isFrozen);
      change(of);
      expect(of.allHeaders()).toEqual(expected);
    }
  });
});
