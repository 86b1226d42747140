import { shareOf } from './bounds.ts';
import type { Body, Message, Pair } from './message.ts';
import { textOf } from './message.ts';
import type { Probe } from './probe.ts';
import type { Entry } from './records.ts';

const MARGIN = 1.5;
const PART = 0.8;
const MOST_MEMBERS = 12;
const MOST_TRIES = 150;
const MOST_FATAL = 4;
const MOST_MS = 15_000;
/**
 * The number of measurements of a smaller message. The proof continues from this message only if all measurements are
 * beyond a bound. A fatal measurement is enough alone.
 */
const SENDS = 2;

/** Removes parts while the rest still costs too much. @returns the smallest message that was found */
export async function shrunk(probe: Probe, { message, cost: first }: Entry): Promise<Message> {
  // Some measurements are higher than the real cost. So a smaller message must cost at least this share of a bound.
  const least = Math.min(MARGIN, Math.max(1, shareOf(first) * PART));
  let best = message;
  let tries = 0;
  let fatal = 0;
  const until = performance.now() + MOST_MS;
  const isStillTooMuch = async (candidate: Message): Promise<boolean> => {
    tries += 1;
    for (let n = 0; n < SENDS; n++) {
      const cost = await probe.measure(candidate);
      if (!cost.isFatal && shareOf(cost) < least) return false;
      if (cost.isFatal) {
        fatal += 1;
        return true;
      }
    }
    return true;
  };
  const isOver = (): boolean => tries >= MOST_TRIES || fatal >= MOST_FATAL || performance.now() > until;
  for (let isSmaller = true; isSmaller && !isOver();) {
    isSmaller = false;
    for (const smaller of smallerOnes(best)) {
      if (isOver()) break;
      if (!(await isStillTooMuch(smaller))) continue;
      best = smaller;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/** Messages with one part less. In each list and each text, the largest parts are left out first. */
function* smallerOnes(message: Message): Generator<Message> {
  for (const query of fewer(message.query)) yield { ...message, query };
  for (const headers of fewer(message.headers)) yield { ...message, headers };
  for (const body of smallerBodies(message.body)) yield { ...message, body };
  for (const [path] of shorter(message.path)) if (path.startsWith('/')) yield { ...message, path };
}

function* fewer(pairs: readonly Pair[]): Generator<readonly Pair[]> {
  for (const left of halves(pairs)) yield left;
  for (const [index, [name, value]] of pairs.entries()) {
    for (const [text] of shorter(value)) yield pairs.with(index, [name, text]);
  }
}

function* smallerBodies(body: Body | null): Generator<Body | null> {
  if (!body) return;
  if (body.kind === 'form') {
    for (const pairs of fewer(body.pairs)) yield { kind: 'form', pairs };
  } else if (body.kind === 'json') {
    for (const value of smallerTrees(body.value)) yield { kind: 'json', value };
  } else {
    for (const [text] of shorter(textOf(body))) yield { kind: 'text', text };
  }
}

function* smallerTrees(value: unknown): Generator {
  if (typeof value === 'string') {
    for (const [text] of shorter(value)) yield text;
  } else if (Array.isArray(value)) {
    for (const left of halves(value)) yield left;
    for (const [index, item] of value.slice(0, 4).entries()) {
      for (const smaller of smallerTrees(item)) yield value.with(index, smaller);
    }
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const left of halves(entries)) yield Object.fromEntries(left);
    // The largest members first, because most can be removed from them.
    const bySize = entries.toSorted(([, a], [, b]) => lengthOf(b) - lengthOf(a)).slice(0, MOST_MEMBERS);
    for (const [name, member] of bySize) {
      for (const smaller of smallerTrees(member)) yield { ...value, [name]: smaller };
    }
  }
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** The list without a half, a quarter or an eighth of it, or without one item of a short list. */
function* halves<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    if (size < list.length / 8 && list.length > 16) return;
    for (let from = 0; from < list.length; from += size) yield list.toSpliced(from, size);
  }
}

/** The text without a half, a quarter or an eighth of it. Each text is in an array of its own. */
function* shorter(text: string): Generator<readonly [string]> {
  for (
    let size = Math.ceil(text.length / 2);
    size >= 1 && size >= text.length / 8;
    size = Math.ceil(size / 2)
  ) {
    for (let from = 0; from < text.length; from += size)
      yield [text.slice(0, from) + text.slice(from + size)];
    if (size === 1) return;
  }
}
