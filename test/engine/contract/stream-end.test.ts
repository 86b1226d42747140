import { describe, expect, it } from 'vitest';
import { StreamEnd } from '../../../src/engine/contract/stream-end.js';
import { DatabaseUnavailable } from '../../../src/engine/database/faults.js';
import { Forbidden, TooSlow, Unauthenticated, Unavailable } from '../../../src/engine/errors/errors.js';

describe('StreamEnd.by', () => {
  it.each([
    ['a client that does not read', new TooSlow(), 'unread', 'Too slow'],
    [
      'an outage with a message for the client',
      new Unavailable('Too many are open.'),
      'passing',
      'Too many are open.',
    ],
    ['an outage of the database', new DatabaseUnavailable('gone'), 'passing', 'Unavailable'],
    ['a credential that has ended', new Unauthenticated('It has ended.'), 'final', 'Not authenticated'],
    ['a right that has ended', new Forbidden([]), 'final', 'Forbidden'],
    ['a bug', new TypeError('of undefined'), 'final', 'Internal error'],
  ])('gives the kind and the reason for %s', (_what, error, kind, reason) => {
    expect(StreamEnd.by(error, 'test')).toMatchObject({ kind, reason, error });
  });
});
