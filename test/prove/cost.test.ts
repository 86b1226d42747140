import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { excess, mostCpu, mostMemory } from '../../prove/cost/bounds.js';
import { changed, varied } from '../../prove/cost/changes.js';
import { bytesOf, targetOf, textOf, type Message } from '../../prove/cost/message.js';
import { judged } from '../../prove/cost/judge.js';
import type { Cost, Probe } from '../../prove/cost/probe.js';
import { grownQuery } from '../../prove/cost/queries.js';
import { Records } from '../../prove/cost/records.js';
import { abridged, shown } from '../../prove/cost/report.js';
import { growthsOf } from '../../prove/cost/sites.js';
import { Values } from '../../prove/contract/values.js';
import { randomFrom } from '../../testkit/random.js';

const KIB = 1024;
const MIB = 1024 * KIB;

const aMessage = (overrides: Partial<Message> = {}): Message => ({
  door: 'GraphQL',
  about: 'product',
  method: 'POST',
  path: '/graphql',
  query: [],
  headers: [['x-api-key', '{{admin}}']],
  body: { kind: 'json', value: { query: '{ a }', variables: { items: [{ id: '1' }] } } },
  ...overrides,
});

const aCost = (overrides: Partial<Cost> = {}): Cost => ({
  size: KIB,
  cpu: 1,
  whole: 1,
  memory: 0,
  heard: '200',
  isFatal: false,
  ...overrides,
});

function changedTexts(seed: number): readonly string[] {
  const values = new Values(randomFrom(seed));
  return Array.from({ length: 30 }, () =>
    textOf(changed(aMessage(), values, aMessage()).body ?? { kind: 'text', text: '' }),
  );
}

describe('the limits of a message', () => {
  it('are 50 ms below 16 KiB, 200 ms up to 256 KiB, and proportional to the size of a larger message', () => {
    expect([16 * KIB - 1, 16 * KIB, 256 * KIB, MIB].map(mostCpu)).toEqual([50, 200, 200, 800]);
  });

  it('are 32 MiB of memory plus 20 times the size of the message', () => {
    expect(mostMemory(MIB)).toBe(52 * MIB);
  });

  it.each([
    [{ cpu: 50 }, /1,024 bytes cost 50 ms of processor time; the bound is 50 ms/],
    [{ memory: 33 * MIB }, /grow by 33 MB; the bound is 32 MB/],
    [{ memory: Infinity }, /end the process/],
    [{ isFatal: true, cpu: 4000 }, /more than 4000 ms/],
  ])('are exceeded by %j', (overrides, message) => {
    expect(excess(aCost(overrides))).toMatch(message);
  });

  it('are not exceeded by a cheap message', () => {
    expect(excess(aCost({ cpu: 49.9 }))).toBeNull();
  });
});

describe('a message', () => {
  it('is sent with values in the place of its placeholders, and without line breaks inside of a header', () => {
    const message = aMessage({
      path: '/a b%ff',
      query: [['q', 'é&%41']],
      headers: [['x-api-key', '{{admin}}'], ['x', 'a\r\nb']], // prettier-ignore
      body: { kind: 'form', pairs: [['a', 'b c']] },
    });
    expect(bytesOf(message, { admin: 'secret' }).toString()).toBe(
      'POST /a%20b%ff?q=%C3%A9%26%41 HTTP/1.1\r\nhost: store.example\r\nx-api-key: secret\r\nx: a  b\r\n' +
        'content-type: application/x-www-form-urlencoded\r\nconnection: close\r\ncontent-length: 7\r\n\r\na=b%20c',
    );
  });

  it('grows in the same way for the same seed, to more than 10,000 characters', () => {
    expect(changedTexts(7)).toEqual(changedTexts(7));
    expect(changedTexts(7)).not.toEqual(changedTexts(8));
    expect(Math.max(...changedTexts(7).map((text) => text.length))).toBeGreaterThan(10_000);
  });

  it('has a different text in each round, so that no cache hides its cost', () => {
    const body = {
      kind: 'json',
      value: { payload: { query: '{ a }', extensions: { idempotencyKey: 'k' } } },
    } as const;
    expect(varied(aMessage({ body }), 'n1').body).toEqual({
      kind: 'json',
      value: { payload: { query: '{ a } #n1', extensions: { idempotencyKey: 'kn1' } } },
    });
  });

  it('is shown with the number of repeated characters', () => {
    expect(abridged(`Bearer ${' '.repeat(15_000)}x`)).toBe(String.raw`"Bearer" + " "×15001 + "x"`);
  });
});

describe('a short message', () => {
  it('is shown as a command line that can be sent: all placeholders are filled in', () => {
    const headers = [['authorization', '{{oauth}}']] as const;
    const message = aMessage({ door: 'REST reads', path: '/api/v1/orders', headers, body: null });
    const line = shown(message, 'http://127.0.0.1:1', { oauth: 'Bearer abc' });
    expect(line).toContain('Bearer abc');
    expect(line).not.toContain('{{');
  });
});

describe('the growths of all parts', () => {
  const growths = growthsOf([aMessage()], new Values(randomFrom(7))).map((growth) => growth());
  const bodies = growths.map(({ body }) => (body ? textOf(body) : ''));

  it('include a list and an object in variables with as many members as a message may have', () => {
    expect(bodies.some((text) => /"items":\[(\{\},){1000}/.test(text.replace('{"id":"1"},', '')))).toBe(true);
    expect(bodies.some((text) => text.includes('[{"id":"1","0"') || text.includes('{"0":0,"1":0'))).toBe(
      true,
    );
  });

  it('include paths and queries almost as long as the 8,192 bytes that the service accepts, and none that is longer', () => {
    const query = [['q', 'é 1']] as const;
    const message = aMessage({
      door: 'REST reads',
      method: 'GET',
      path: '/api/v1/products',
      query,
      body: null,
    });
    const targets = growthsOf([message], new Values(randomFrom(7)))
      .map((growth) => targetOf(growth()))
      .filter((target) => target.length > 100);
    const ofQuery = targets.filter((target) => target.startsWith('/api/v1/products?'));
    expect(ofQuery.length).toBeGreaterThan(5);
    expect(targets.length - ofQuery.length).toBeGreaterThan(5);
    expect(targets.some((target) => target.includes('%C3%A9%C3%A9'))).toBe(true);
    expect(Math.min(...targets.map((target) => target.length))).toBeGreaterThan(7_800);
    expect(Math.max(...targets.map((target) => target.length))).toBeLessThanOrEqual(8_192);
  });

  it('include queries below /oauth almost as long as the 4,096 bytes that the service accepts, and none that is longer', () => {
    const query = [['scope', 'openid']] as const;
    const message = aMessage({ door: 'OAuth', method: 'GET', path: '/oauth/auth', query, body: null });
    const lengths = growthsOf([message], new Values(randomFrom(7)))
      .map((growth) => targetOf(growth()))
      .filter((target) => target.startsWith('/oauth/auth?scope='))
      .map((target) => target.length);
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.min(...lengths)).toBeGreaterThan(3_700);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4_096);
  });

  it('include a list of lines in a form with as many lines as a form may have', () => {
    const form = aMessage({ door: 'forms', body: { kind: 'form', pairs: [['items.0.quantity', '1']] } });
    const grown = growthsOf([form], new Values(randomFrom(7))).map((growth) => growth().body);
    expect(grown.some((body) => body && textOf(body).includes('&items.2000.quantity=1&'))).toBe(true);
  });

  it('are created once for each part, even if another message has a part of the same name', () => {
    const twice = growthsOf([aMessage(), aMessage({ about: 'products' })], new Values(randomFrom(7)));
    expect(twice).toHaveLength(growths.length);
  });
});

describe('the records', () => {
  it('keep the most expensive messages of each door, at most two about the same operation', () => {
    const records = new Records();
    for (const cpu of [5, 9, 7, 8]) records.keep(aMessage({ path: `/${cpu}` }), aCost({ cpu }));
    expect(records.dearest('GraphQL')?.message.path).toBe('/9');
    expect(records.isRecord(aMessage(), aCost({ cpu: 7 }))).toBe(false);
    expect(records.isRecord(aMessage({ about: 'users' }), aCost({ cpu: 7 }))).toBe(true);
  });
});

describe('an operation of GraphQL', () => {
  it('grows into an operation that can be parsed', () => {
    const values = new Values(randomFrom(7));
    const grown = Array.from({ length: 50 }, () =>
      grownQuery('{ products(limit: 2, page: 1) { id } }', values),
    );
    expect(grown).toContainEqual(expect.stringContaining('products_18: products(limit: 100, page: 19)'));
    for (const text of grown) expect(() => parse(text)).not.toThrow();
  });

  it('is not changed if it is invalid', () => {
    expect(grownQuery('{ a', new Values(randomFrom(7)))).toBe('{ a');
  });
});

function judgedWith(cpuOf: (sending: number) => number): Promise<Cost | null> {
  let sendings = 0;
  const measure = async () => aCost({ cpu: cpuOf(sendings++) });
  const probe = { measure, service: { inspector: { collect: async () => undefined } } } as unknown as Probe;
  return judged(probe, aMessage(), () => 'n');
}

describe('the cost of a message', () => {
  it('includes a high value at the same place of each round, such as the fifth sending of a text', async () => {
    await expect(judgedWith((n) => (n % 6 === 4 ? 80 : 1))).resolves.toMatchObject({ cpu: 80 });
  });

  it('includes the high value of a place that another round did not reach', async () => {
    // The second round ends after its first message, whose cost is far beyond the bound.
    const costs = [1, 1, 1, 1, 80, 1, 1_000, ...Array.from({ length: 3 }, () => [1, 1, 1, 1, 80, 1]).flat()];
    await expect(judgedWith((n) => costs[n] ?? 1)).resolves.toMatchObject({ cpu: 80 });
  });

  it('does not include a high value at another place in each round', async () => {
    await expect(judgedWith((n) => (n % 7 === 4 ? 80 : 1))).resolves.toBeNull();
  });
});
