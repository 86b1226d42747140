import type { Values } from '../contract/values.ts';
import { BLOCKS, VALUES } from './blocks.ts';
import { grownQuery } from './queries.ts';
import { changedText, repeated, sizeWithin } from './texts.ts';

/**
 * The maximum number of levels that one change adds, and the maximum depth of the place of a change. `JSON.stringify`
 * fails for a tree of several thousand levels. A body that is kept as text may have any depth.
 */
const MOST_LEVELS = 500;
const MEMBER_BYTES = 8;
const GOING_ON = 0.8;
const INTO_TREES = 0.6;

export type Step = string | number;
type Tree = Record<string, unknown> | unknown[];

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** A random place in a tree. A part that has parts of its own is chosen more often. */
function placeIn(root: unknown, values: Values): readonly Step[] {
  const path: Step[] = [];
  let node = root;
  while (isTree(node) && path.length < MOST_LEVELS && values.chance(path.length === 0 ? 0.95 : GOING_ON)) {
    const steps = Array.isArray(node) ? [values.below(node.length)] : Object.keys(node);
    const within = steps.filter((step) => isTree((node as Record<Step, unknown>)[step]));
    const choice = within.length > 0 && values.chance(INTO_TREES) ? within : steps;
    if (choice.length === 0 || Object.keys(node).length === 0) break;
    const step = values.one(choice);
    path.push(step);
    node = (node as Record<Step, unknown>)[step];
  }
  return path;
}

export function at(root: unknown, path: readonly Step[]): unknown {
  return path.reduce<unknown>((node, step) => (node as Record<Step, unknown>)[step], root);
}

/** The tree with another value at a place. The other parts are shared. */
export function withAt(root: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(root)) return root.with(step as number, withAt(root[step as number], rest, value));
  const node = root as Record<string, unknown>;
  return { ...node, [step]: withAt(node[step], rest, value) };
}

type Change = (value: unknown, values: Values, room: number, donor: unknown) => unknown;

const CHANGES: readonly Change[] = [
  // Adds many more members or items.
  (value, values, room, donor) => {
    const filling = values.chance(0.5)
      ? values.one([0, '', {}, [], null, 'x'])
      : values.one([...VALUES, donor]);
    const each = MEMBER_BYTES + (JSON.stringify(filling)?.length ?? 0);
    const count = Math.max(1, Math.floor(sizeWithin(values, room) / each));
    if (!isTree(value) || Array.isArray(value)) {
      const list = Array.isArray(value) ? value : [value];
      const item = values.chance(0.6) && list.length > 0 ? values.one(list.map((one) => [one]))[0] : filling;
      const size = Math.max(1, JSON.stringify(item)?.length ?? 1);
      return [...list, ...Array.from({ length: Math.min(count, Math.floor(room / size)) }, () => item)];
    }
    const name = values.one<(index: number) => string>([
      String,
      (index) => `k${index}`,
      (index) => `a${index}.b`,
      (index) => ' '.repeat(index % 50) + index,
    ]);
    return {
      ...value,
      ...Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), filling])),
    };
  },
  // Nests the value deep inside of lists or objects.
  (value, values, room) => {
    const isList = values.chance(0.5);
    let nested = value;
    const levels = Math.min(MOST_LEVELS, Math.floor(sizeWithin(values, room) / 6));
    for (let level = 0; level < levels; level++) nested = isList ? [nested] : { a: nested };
    return nested;
  },
  (_value, values) => values.one(VALUES),
  (_value, _values, _room, donor) => donor,
  (value, values) =>
    isTree(value)
      ? {
          ...(Array.isArray(value) ? { a: value } : value),
          [String(values.one(BLOCKS)).slice(0, 20)]: values.one(VALUES),
        }
      : [value],
  (_value, values, room) => repeated(values.one(BLOCKS), sizeWithin(values, room)),
  (_value, values, room) => Number(`0.${'9'.repeat(Math.min(300, sizeWithin(values, room)))}`),
  // Removes one member or item.
  (value, values) => {
    if (!isTree(value)) return null;
    const entries = Object.entries(value);
    const left = entries.toSpliced(values.below(entries.length), 1);
    return Array.isArray(value) ? left.map(([, item]) => item) : Object.fromEntries(left);
  },
];

/** The tree with one change at a random place. */
export function changedTree(root: unknown, values: Values, room: number, donor: unknown): unknown {
  const path = placeIn(root, values);
  const value = at(root, path);
  const gift = at(donor, placeIn(donor, values));
  if (typeof value === 'string' && path.at(-1) === 'query' && values.chance(0.6)) {
    return withAt(root, path, grownQuery(value, values));
  }
  if (typeof value === 'string' && values.chance(0.8)) {
    return withAt(root, path, changedText(value, values, room, typeof gift === 'string' ? gift : 'x'));
  }
  return withAt(
    root,
    path,
    (values.chance(0.5) ? (CHANGES[0] as Change) : values.one(CHANGES))(value, values, room, gift),
  );
}
