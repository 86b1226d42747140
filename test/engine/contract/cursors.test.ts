import { describe, expect, it } from 'vitest';
import { Cursors } from '../../../src/engine/contract/cursors.js';
import { CursorInvalid } from '../../../src/engine/errors/errors.js';
import { MasterKey } from '../../../src/engine/secrets/master-key.js';

const SECRET = 'a-secret-for-tests-only-0123456789-abcdef';
const PLACE = { pointer: '#/after' };
const POSITIONS = [
  { isBackwards: false, key: [1] },
  { isBackwards: true, key: ['Žluťoučký 🍵', 0, 2 ** 53 - 1] },
  { isBackwards: false, key: null },
  { isBackwards: true, key: null },
];

describe('Cursors', () => {
  it.each(POSITIONS)('can be read by each instance with the same secret, and by no other: %j', (position) => {
    const text = new Cursors(new MasterKey(SECRET)).write(position, 'a list');
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(new Cursors(new MasterKey(SECRET)).read(text, 'a list', PLACE)).toEqual(position);
    const stranger = new Cursors(new MasterKey(`${SECRET}!`));
    expect(() => stranger.read(text, 'a list', PLACE)).toThrow(CursorInvalid);
  });

  it('are refused after a change of any character, and for another list', () => {
    const cursors = new Cursors(new MasterKey(SECRET));
    const text = cursors.write({ isBackwards: false, key: [7] }, 'a list');
    for (let at = 0; at < text.length; at += 1) {
      for (const other of ['A', 'B', '-', '=']) {
        if (text[at] === other) continue;
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        expect(() => cursors.read(changed, 'a list', PLACE)).toThrow(CursorInvalid);
      }
    }
    expect(() => cursors.read(text, 'another list', PLACE)).toThrow(CursorInvalid);
  });

  it('have different nonces for different positions or lists', () => {
    const cursors = new Cursors(new MasterKey(SECRET));
    const lists = ['', '1', '[1', 'a'];
    const texts = lists.flatMap((list) => POSITIONS.map((position) => cursors.write(position, list)));
    expect(new Set(texts.map((text) => text.slice(0, 16))).size).toBe(texts.length);
  });
});
