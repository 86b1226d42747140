import { describe, expect, it } from 'vitest';
import { sharesIn, stepOf, STEPS, type Frame, type Profile } from '../../bench/ladder-steps.ts';

const IN_DIST = 'file:///store/dist';
const IN_PACKAGES = 'file:///store/node_modules';

function frame(functionName: string, url = ''): Frame {
  return { functionName, url };
}

describe('stepOf', () => {
  it.each([
    [frame('writeUtf8String'), 'the socket'],
    [frame('storeHeader', 'node:_http_outgoing'), 'headers'],
    [frame('header', `${IN_PACKAGES}/fastify/lib/reply.js`), 'headers'],
    [frame('beginAnswer', `${IN_DIST}/engine/http/steps.js`), 'headers'],
    [frame('limitUrl', `${IN_DIST}/engine/http/steps.js`), 'hooks'],
    [frame('take', `${IN_DIST}/engine/rate-limits/windows.js`), 'limits and caller'],
    [frame('create', `${IN_PACKAGES}/@nestjs/core/router/router-proxy.js`), "Nest's execution context"],
    [frame('validate', `${IN_DIST}/engine/contract/validate.js`), 'reading input'],
    [frame('entityTag', `${IN_DIST}/engine/contract/entity-tag.js`), 'answer'],
    [frame('find', `${IN_DIST}/engine/database/shared-rows.js`), 'statement'],
    [frame('present', `${IN_DIST}/store/products/product.representation.js`), 'entity'],
    [frame('lookup', `${IN_PACKAGES}/find-my-way/index.js`), 'empty route: Node and Fastify'],
  ])('finds the step to which the call frame %o belongs', (of, step) => {
    expect(stepOf(of)).toBe(step);
    expect(STEPS).toContain(step);
  });

  it('finds no step for a helper, because a helper belongs to the step of its caller', () => {
    expect(stepOf(frame('byteLength', 'node:buffer'))).toBeUndefined();
  });
});

describe('sharesIn', () => {
  const profile: Profile = {
    startTime: 1_000,
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 3, 5] },
      { id: 2, callFrame: frame('(idle)') },
      { id: 3, callFrame: frame('read', `${IN_DIST}/engine/contract/json.js`), children: [4] },
      { id: 4, callFrame: frame('byteLength', 'node:buffer') },
      { id: 5, callFrame: frame('onread', 'node:net') },
    ],
    samples: [5, 2, 3, 4, 4, 5, 5],
    timeDeltas: [90, 1_000, 10, 20, 70, 10, 5_000],
  };

  it('counts the computing time between two moments, and gives the time of a helper to its caller', () => {
    expect(sharesIn(profile, { from: 1_100, to: 2_200 })).toEqual(
      new Map([
        ['reading input', 0.75],
        ['empty route: Node and Fastify', 0.25],
      ]),
    );
  });

  it('refuses a window without a sample', () => {
    expect(() => sharesIn(profile, { from: 5_000, to: 6_000 })).toThrow('no sample');
  });
});
