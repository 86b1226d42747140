import { expect, it } from 'vitest';
import { Cursors } from '../../../src/engine/contract/cursors.js';
import { RecordCipher } from '../../../src/engine/idempotency/record-cipher.js';
import { MasterKey } from '../../../src/engine/secrets/master-key.js';

const master = new MasterKey('the secret of a store that was released before');

// Stores and clients have texts that an earlier release wrote. These texts are examples.
const SEALED = '2K8mfyiZ0iRvp4HFXWkI3f4Kh7xwgoDXs-HplVB5B5kMXrBGnSweHA';
const CURSOR = 'GnP90JEgoez5Thwb_Mr42uUoSPyP723XGoNxUwvAqIQX2Uskyt46Pw';
const RECORD =
  'bcqEXS3MuvYDahTpeen1O9-_nTa5bMUmaG_AkaVAnF2aNf6RPLVAGK28sDNHJZEGW2z5jhE9awsNn9x_R-IugvAWFBh5A98';

it('an old sealed text can be opened', () => {
  expect(master.open('signing keys', SEALED, 'key 1').toString()).toBe('a sealed key');
});

it('an old cursor can be read, and is written in the same form today', () => {
  const cursors = new Cursors(master);
  const position = { isBackwards: true, key: ['Chai', 7] };
  expect(cursors.read(CURSOR, 'products name', { parameter: 'cursor' })).toEqual(position);
  expect(cursors.write(position, 'products name')).toBe(CURSOR);
});

it('the recorded result of an old act can be opened', () => {
  const cipher = new RecordCipher('3b6f1c2e', 'user 7', 'createOrder');
  expect(cipher.open(RECORD)).toEqual({ status: 201, ids: [1, 2], at: new Date(0) });
});
