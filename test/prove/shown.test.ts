import { expect, it } from 'vitest';
import { ShownMembers } from '../../prove/contract/shown.js';
import type { Operation, Schema } from '../../testkit/contract/document.js';

const CUP: Schema = { properties: { colour: {}, size: {} }, required: ['size'] };
const TEA: Schema = {
  properties: { id: {}, cup: CUP, cups: { items: { anyOf: [CUP] } }, more: { additionalProperties: CUP } },
  required: ['id'],
};
const OPERATION = {
  id: 'getTea',
  responses: new Map([[200, { headers: new Map(), content: new Map([['application/json', TEA]]) }]]),
} as unknown as Operation;

it('an optional member counts as shown when an answer has it, at any place where its schema is used', () => {
  const shown = new ShownMembers();
  shown.add(TEA, { id: 1 });
  const missing = ['getTea 200 cup', 'getTea 200 cup colour', 'getTea 200 cups', 'getTea 200 more'];
  expect(shown.missing([OPERATION])).toEqual(missing);
  shown.add(TEA, { id: 1, cup: { size: 1 } });
  shown.add({ allOf: [TEA] }, { id: 1, cups: [{ size: 2, colour: 'red' }] });
  expect(shown.missing([OPERATION])).toEqual(['getTea 200 more']);
  shown.add(TEA, { id: 1, more: { any: { size: 1 } } });
  expect(shown.missing([OPERATION])).toEqual([]);
});

it('a member counts as shown even if only a value of a map has it', () => {
  const shown = new ShownMembers();
  shown.add(TEA, { id: 1, cup: { size: 1 }, cups: [], more: {} });
  expect(shown.missing([OPERATION])).toEqual(['getTea 200 cup colour']);
  shown.add(TEA, { id: 1, more: { any: { size: 1, colour: 'red' } } });
  expect(shown.missing([OPERATION])).toEqual([]);
});
