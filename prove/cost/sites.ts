import type { Values } from '../contract/values.ts';
import { targetOf, type Door, type Message, type Pair } from './message.ts';
import { CREDENTIALS, HEADERS, BLOCKS } from './blocks.ts';
import { repeated } from './texts.ts';
import { at, withAt, type Step } from './trees.ts';

/**
 * The sizes of grown messages. Some are just below the limits of the service for the headers, an address, a body, a
 * frame or a form. The others are just below the sizes at which the bounds of the proof change (16 KiB and 256 KiB).
 */
const HEAD_BYTES = 14_500;
/** The service refuses a target of more than 8,192 bytes. A placeholder may need a few more bytes than its name. */
const TARGET_BYTES = 8_000;
/** Below `/oauth`, the service refuses a query of more than 4,096 bytes. */
const OAUTH_TARGET_BYTES = 3_900;
const BODY_BYTES = [15_000, 250_000, 1_000_000];
const FRAME_BYTES = 262_000;
const FORM_BYTES = [7_500, 60_000];
const RANDOM_BLOCKS = 3;
const DEPTH = 8;

/** A growth of one part of a valid message. */
export type Growth = () => Message;

/** Makes the growths of a text. `put` puts a grown text into the message. */
type Grow = (text: string, put: (grown: string) => Message) => readonly Growth[];

/**
 * One growth for each part of the messages, and for each way in which this part can grow. A random search would find
 * some of them late or never, because thousands of parts are similar and only one of them matters. Parts of the same
 * name count as one.
 */
export function growthsOf(seeds: readonly Message[], values: Values): readonly Growth[] {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && Boolean(seen.add(key));
  const read = seeds.find(({ door, method }) => door === 'REST reads' && method === 'GET');
  const fields = [...HEADERS, ...CREDENTIALS.flat()];
  const growths = [
    ...(read ? fields.flatMap((field) => headerGrowths(read, field, values)) : []),
    ...seeds.flatMap((seed) => partGrowths(seed, isNew, values)),
  ];
  // The growths are put into a random order, so that a short run tries some of each kind.
  for (let n = growths.length - 1; n > 0; n--) {
    const other = values.below(n + 1);
    [growths[n], growths[other]] = [growths[other] as Growth, growths[n] as Growth];
  }
  return growths;
}

function headerGrowths(message: Message, [name, value]: Pair, values: Values): readonly Growth[] {
  const others = message.headers.filter(
    ([other]) => !/^(x-api-key|authorization)$/.test(other) && other !== name,
  );
  return longer(value, values).map((grown) => () => ({
    ...message,
    headers: [...others, [name, grown(HEAD_BYTES)]],
  }));
}

function partGrowths(message: Message, isNew: (key: string) => boolean, values: Values): readonly Growth[] {
  const { door, query, body, path } = message;
  const inTarget: Grow = (text, put) =>
    longer(text, values).map((grown) => () => longestTarget(door, (size) => put(grown(size))));
  const inForm: Grow = (text, put) =>
    FORM_BYTES.flatMap((size) => longer(text, values).map((grown) => () => put(grown(size))));
  const ofPairs = (
    pairs: readonly Pair[],
    place: string,
    grow: Grow,
    put: (pairs: readonly Pair[]) => Message,
  ) =>
    pairs
      .map(([name, value], index) => ({ name, value, index }))
      .filter(({ name }) => isNew(`${door} ${place} ${name}`))
      .flatMap(({ name, value, index }) => grow(value, (grown) => put(pairs.with(index, [name, grown]))));
  return [
    ...(isNew(`${door} path`) ? inTarget(path.slice(1), (grown) => ({ ...message, path: `/${grown}` })) : []),
    ...ofPairs(query, 'query', inTarget, (pairs) => ({ ...message, query: pairs })),
    ...(body?.kind === 'form'
      ? [
          ...ofPairs(body.pairs, 'form', inForm, (pairs) => ({ ...message, body: { kind: 'form', pairs } })),
          ...lineGrowths(message, body.pairs, isNew),
        ]
      : []),
    ...(body?.kind === 'json' ? treeGrowths(message, body.value, [], isNew, values) : []),
  ];
}

/** For a form with a list of lines, such as `items.0.quantity`: sends as many lines as the size allows. */
function lineGrowths(
  message: Message,
  pairs: readonly Pair[],
  isNew: (key: string) => boolean,
): readonly Growth[] {
  return pairs
    .filter(([name]) => name.includes('.0.') && isNew(`${message.door} line ${name}`))
    .flatMap(([name, value]) =>
      FORM_BYTES.map((size) => () => {
        const count = Math.floor(size / (name.length + value.length + 5));
        const lines = Array.from({ length: count }, (_, n): Pair => [name.replace('.0.', `.${n}.`), value]);
        return { ...message, body: { kind: 'form', pairs: [...pairs, ...lines] } };
      }),
    );
}

function treeGrowths(
  message: Message,
  root: unknown,
  path: readonly Step[],
  isNew: (key: string) => boolean,
  values: Values,
): readonly Growth[] {
  const value = at(root, path);
  const put = (grown: unknown): Message => ({
    ...message,
    body: { kind: 'json', value: withAt(root, path, grown) },
  });
  const key = `${message.door} ${path.slice(-2).join('/')} ${typeof value}`;
  const own = isNew(key)
    ? BODY_BYTES.filter((size) => !message.opening || size < FRAME_BYTES).flatMap(
        (size): readonly Growth[] => [
          ...(typeof value === 'string' ? longer(value, values).map((grown) => () => put(grown(size))) : []),
          ...[0, {}, 'x'].map((member) => () => put(wider(value, member, size))),
          ...(Array.isArray(value) && value.length > 0 ? [() => put(wider(value, value[0], size))] : []),
        ],
      )
    : [];
  if (typeof value !== 'object' || value === null || path.length >= DEPTH) return own;
  const steps: readonly Step[] = Array.isArray(value)
    ? value.length > 0
      ? [0]
      : []
    : Object.keys(value).slice(0, 30);
  return [...own, ...steps.flatMap((step) => treeGrowths(message, root, [...path, step], isNew, values))];
}

/** Gives an object many more members, and a list many more items. Any other value becomes a list of many items. */
function wider(value: unknown, item: unknown, size: number): unknown {
  const length = JSON.stringify(item).length;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [
      ...(Array.isArray(value) ? value : []),
      ...Array.from({ length: Math.floor(size / (length + 1)) }, () => item),
    ];
  }
  const count = Math.floor(size / (length + 8));
  return {
    ...value,
    ...Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index), item])),
  };
}

/** The message with the longest target that the service accepts. A character may need up to 12 bytes in a target. */
function longestTarget(door: Door, make: (size: number) => Message): Message {
  const most = door === 'OAuth' ? OAUTH_TARGET_BYTES : TARGET_BYTES;
  let [fitting, tooLong] = [0, most + 1];
  while (tooLong - fitting > 1) {
    const size = Math.floor((fitting + tooLong) / 2);
    if (targetOf(make(size)).length <= most) fitting = size;
    else tooLong = size;
  }
  return make(fitting);
}

/**
 * Functions that make longer texts from this text. Each function gets the size of its text, and repeats one thing many
 * times: a separator or the last word of the text, a letter, or a building block.
 */
function longer(text: string, values: Values): readonly ((size: number) => string)[] {
  const runs = [...new Map([...text.matchAll(/[^\w{}]/gu)].map((match) => [match[0], match])).values()];
  const word = /\w+(?=\W*$)/.exec(text);
  const places = [...runs.slice(0, 4), ...(word ? [word] : [])];
  return [
    ...places.map(
      ({ 0: part, index }) =>
        (size: number) =>
          text.slice(0, index) + repeated(part, size) + text.slice(index + part.length),
    ),
    (size) => `${text}${repeated('a', size)}!`,
    ...Array.from({ length: RANDOM_BLOCKS }, () => {
      const [block, place] = [values.one(BLOCKS), values.below(text.length + 1)];
      return (size: number) => text.slice(0, place) + repeated(block, size) + text.slice(place);
    }),
  ];
}
