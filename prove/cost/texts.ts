import type { Values } from '../contract/values.ts';
import { BLOCKS, type Block } from './blocks.ts';

/** Longer texts are cut at any place, not at the borders of words. */
const MOST_PARSED = 20_000;

/**
 * The sizes to which a text grows. The larger ones are just below a limit of the service, or below a size at which the
 * bounds of the proof change.
 */
const SIZES = [30, 100, 300, 1_000, 3_000, 7_500, 15_000, 60_000, 250_000, 1_000_000];

export function sizeWithin(values: Values, room: number): number {
  const sizes = SIZES.filter((size) => size < room);
  return sizes.length === 0 || values.chance(0.2) ? Math.max(1, room) : values.one(sizes);
}

export function repeated(block: Block, length: number): string {
  if (typeof block === 'string') return block.repeat(Math.max(1, Math.floor(length / block.length)));
  const parts: string[] = [];
  for (let [index, size] = [0, 0]; size < length; index++) {
    const part = block(index);
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

type Change = (text: string, values: Values, room: number, donor: string) => string;

/** Two places in the text, at the borders of words. The second is never before the first. */
function spanOf(text: string, values: Values): readonly [number, number] {
  if (text.length > MOST_PARSED) {
    const from = values.below(text.length);
    return [from, Math.min(text.length, from + 1 + values.below(40))];
  }
  const ends = [
    0,
    ...[...text.matchAll(/\w+|\s+|[^\w\s]/gu)].map(({ index, 0: { length } }) => index + length),
  ];
  const from = values.below(ends.length);
  const to = Math.min(ends.length - 1, from + 1 + values.below(values.chance(0.5) ? 2 : 12));
  return [ends[from] as number, ends[to] as number];
}

const insert = (text: string, at: number, part: string): string => text.slice(0, at) + part + text.slice(at);

const CHANGES: readonly Change[] = [
  // Repeats a part of the text many times.
  (text, values, room) => {
    const [from, to] = spanOf(text, values);
    return insert(text, to, repeated(text.slice(from, to) || ' ', sizeWithin(values, room)));
  },
  // Repeats a building block many times.
  (text, values, room) =>
    insert(text, spanOf(text, values)[0], repeated(values.one(BLOCKS), sizeWithin(values, room))),
  // Repeats an opening and a closing part many times around the text between them.
  (text, values, room) => {
    const [[a, b], [c, d]] = [spanOf(text, values), spanOf(text, values)].toSorted((x, y) => x[0] - y[0]) as [
      readonly [number, number],
      readonly [number, number],
    ];
    const [open, close] = [text.slice(a, b) || '{', text.slice(Math.max(b, c), Math.max(b, d)) || '}'];
    const times = Math.max(1, Math.floor(sizeWithin(values, room) / (open.length + close.length)));
    return (
      text.slice(0, b) +
      open.repeat(times) +
      text.slice(b, Math.max(b, c)) +
      close.repeat(times) +
      text.slice(Math.max(b, c))
    );
  },
  // Repeats two building blocks in turn, and may add a letter at the end.
  (text, values, room) => {
    const [one, two] = [values.one(BLOCKS), values.one(BLOCKS)];
    const both: Block = (index) =>
      repeated(one, 1).slice(0, 60) + (typeof two === 'string' ? two : two(index));
    return (
      insert(text, spanOf(text, values)[1], repeated(both, sizeWithin(values, room))) +
      (values.chance(0.5) ? 'x' : '')
    );
  },
  // Inserts a part of another text.
  (text, values, _room, donor) => {
    const [from, to] = spanOf(donor, values);
    const [at, end] = spanOf(text, values);
    return text.slice(0, at) + donor.slice(from, to) + text.slice(values.chance(0.5) ? at : end);
  },
  (_text, _values, _room, donor) => donor,
  // Removes a part of the text.
  (text, values) => {
    const [from, to] = spanOf(text, values);
    return text.slice(0, from) + text.slice(to);
  },
  (text, values) => {
    const [from, to] = spanOf(text, values);
    const part = text.slice(from, to);
    return (
      text.slice(0, from) +
      values.one([part.toUpperCase(), encodeAll(part), part.toLowerCase()]) +
      text.slice(to)
    );
  },
  (text, values, room) =>
    text.repeat(Math.max(1, Math.min(Math.floor(room / Math.max(1, text.length)), 1 + values.below(8)))),
];

function encodeAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** The text with one change, cut to at most `room` characters. */
export function changedText(text: string, values: Values, room: number, donor: string): string {
  // The first four changes make the text longer, and are chosen most often. The other changes help when a longer text
  // no longer costs more.
  const change = values.chance(0.7) ? CHANGES[values.below(4)] : values.one(CHANGES);
  return (change as Change)(text, values, Math.max(1, room - text.length), donor).slice(0, room);
}
