import { expect, it } from 'vitest';
import { Span, SpanForm, Trace, type Attributes } from '../../../src/engine/tracing/span.js';
import { resourceOf, scopeOf, SpanBytes } from '../../../src/engine/tracing/span-bytes.js';

const TRACE = '0123456789abcdef0123456789abcdef';
const RESOURCE = resourceOf({ 'service.name': 'store' });
const SCOPE = scopeOf('store-service', '1');

/** A span with all the parts that follow the attributes. */
function linked(name: string, attributes: Attributes): Span {
  const cause = { traceId: TRACE, spanId: '0123456789abcdef' };
  const span = new Span(
    { take: () => {} },
    Trace.of(TRACE),
    null,
    new SpanForm(name, 'consumer'),
    attributes,
    1,
    cause,
  );
  span.isFailed = true;
  span.endedAt = 2;
  return span;
}

/** The places at which the fields of a message of Protocol Buffers end. The message has the length of each field. */
function endsOf(message: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let at = 0; at < message.length;) {
    let size = 0;
    let factor = 1;
    for (at += 1; ; at += 1) {
      size += ((message[at] as number) & 127) * factor;
      if ((message[at] as number) < 128) break;
      factor *= 128;
    }
    at += 1 + size;
    ends.push(at);
  }
  return ends;
}

it('a batch that grows has the right length, with short and long attributes, a link and a failure', () => {
  for (let length = 0; length < 40; length += 1) {
    const batch = new SpanBytes(RESOURCE, SCOPE);
    const first = linked('x'.repeat(40 + length), {});
    const span = linked('deliver order.created', {
      'messaging.system': 'store',
      'messaging.operation.type': 'process',
      'store.event.position': 12_345_678,
      'store.event.entity_id': 12_345,
      'store.event.subscribers': 3,
      'store.request_id': 'a'.repeat(1 + (length % 8)),
    });
    batch.write(first, 0);
    // The buffer is enlarged several times.
    while (batch.count < 1_000) batch.write(span, 0);
    const request = batch.request();
    expect(endsOf(request)).toEqual([request.length]);
  }
});
