import { describe, expect, it } from 'vitest';
import { newId } from '../../../testkit/collector.js';
import { Sampler, type SamplerName } from '../../../src/engine/tracing/sampler.js';
import { traceParentIn, traceParentOf } from '../../../src/engine/tracing/trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const KNOWN = { traceId: TRACE, spanId: SPAN };

describe('traceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, { ...KNOWN, isSampled: true }],
    [`00-${TRACE}-${SPAN}-00`, { ...KNOWN, isSampled: false }],
    // Unknown flags are ignored.
    [`00-${TRACE}-${SPAN}-fe`, { ...KNOWN, isSampled: false }],
    // A later version may have more parts.
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, { ...KNOWN, isSampled: true }],
    [`01-${TRACE}-${SPAN}-01`, { ...KNOWN, isSampled: true }],
  ])('%s is read', (header, read) => {
    expect(traceParentIn(header)).toEqual(read);
  });

  it.each([
    undefined,
    '',
    'nonsense',
    [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
    // Node joins a header that comes twice.
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-01-`,
    `01-${TRACE}-${SPAN}-01.more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}`,
    ` 00-${TRACE}-${SPAN}-01`,
    `0x-${TRACE}-${SPAN}-01`,
    `01-${TRACE}-${SPAN}-01-${'x'.repeat(10_000)}`,
  ])('%s is ignored', (header) => {
    expect(traceParentIn(header)).toBeNull();
  });

  it('of a span can be read', () => {
    const made = { traceId: newId(16), spanId: newId(8) };
    expect(traceParentIn(traceParentOf(made))).toEqual({ ...made, isSampled: true });
  });
});

const parent = (isSampled: boolean, traceId = newId(16)) => ({ traceId, spanId: SPAN, isSampled });
const countOf = (sampler: Sampler, of: () => ReturnType<typeof parent> | null, times = 2_000) =>
  Array.from({ length: times }, () => sampler.isRecorded(of())).filter(Boolean).length;

describe('a sampler', () => {
  it.each<[SamplerName, boolean, boolean, boolean]>([
    ['always_on', true, true, true],
    ['always_off', false, false, false],
    ['parentbased_always_on', true, true, false],
    ['parentbased_always_off', false, true, false],
  ])('%s decides as listed, without a parent and with each flag', (name, alone, flagged, unflagged) => {
    const sampler = new Sampler(name, 1);
    expect([null, parent(true), parent(false)].map((each) => sampler.isRecorded(each))).toEqual([
      alone,
      flagged,
      unflagged,
    ]);
  });

  it.each<SamplerName>(['traceidratio', 'parentbased_traceidratio'])(
    '%s records its share of the traces',
    (name) => {
      const share = countOf(new Sampler(name, 0.25), () => null, 20_000) / 20_000;
      expect(share).toBeGreaterThan(0.2);
      expect(share).toBeLessThan(0.3);
      expect(countOf(new Sampler(name, 0), () => null)).toBe(0);
      expect(countOf(new Sampler(name, 1), () => null)).toBe(2_000);
    },
  );

  it('traceidratio decides in the same way for all spans of a trace', () => {
    const sampler = new Sampler('traceidratio', 0.5);
    const low = parent(false, `${'f'.repeat(19)}${'0'.repeat(13)}`);
    const high = parent(true, `${'0'.repeat(19)}${'f'.repeat(13)}`);
    expect([low, low, high, high].map((each) => sampler.isRecorded(each))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  // A sampler records 100 of the traces that callers want, and 100 more for each second that the test takes.
  it.each<[SamplerName, () => ReturnType<typeof parent>]>([
    ['parentbased_always_off', () => parent(true)],
    ['parentbased_traceidratio', () => parent(true)],
    ['traceidratio', () => parent(true, `${'f'.repeat(19)}${'0'.repeat(13)}`)],
  ])('%s records a bounded number of traces, even if callers want more', (name, wanting) => {
    const recorded = countOf(new Sampler(name, 0.000_001), wanting, 100_000);
    expect(recorded).toBeGreaterThanOrEqual(100);
    expect(recorded).toBeLessThan(1_000);
  });
});
