import type { Values } from '../contract/values.ts';
import { textOf, type Body, type Message, type Pair } from './message.ts';
import { CREDENTIALS, HEADERS } from './blocks.ts';
import { grownQuery } from './queries.ts';
import { changedText, sizeWithin } from './texts.ts';
import { changedTree } from './trees.ts';

/**
 * The largest size of each part, in characters. Each is near the largest limit of the service. Most operations have
 * smaller limits, so the proof also measures refusals.
 */
const MOST = { path: 8_000, query: 8_100, header: 15_800, form: 70_000, text: 1_048_000, frame: 262_100 };

type Change = (message: Message, values: Values, donor: Message) => Message;

/** The message with one or a few random changes. */
export function changed(message: Message, values: Values, donor: Message): Message {
  let made = message;
  for (let more = true; more; more = values.chance(0.35)) made = changedOnce(made, values, donor);
  return made;
}

function changedOnce(message: Message, values: Values, donor: Message): Message {
  const ways: Change[] = message.opening
    ? [inBody, inBody, inBody, inBody, inHeaders]
    : [
        inPath,
        inHeaders,
        inHeaders,
        ofCredential,
        ...(message.query.length > 0 || values.chance(0.2) ? [inQuery, inQuery] : []),
        ...(message.body ? [inBody, inBody, inBody, inBody] : []),
      ];
  return values.one(ways)(message, values, donor);
}

const inPath: Change = (message, values, donor) => ({
  ...message,
  path: `/${changedText(message.path, values, MOST.path, donor.path).replace(/^\//, '')}`,
});

const inQuery: Change = (message, values, donor) => ({
  ...message,
  query: changedPairs(message.query, values, donor.query, MOST.query),
});

const inHeaders: Change = (message, values, donor) => {
  const gifts = values.chance(0.3) && donor.headers.length > 0 ? donor.headers : [values.one(HEADERS)];
  const headers = changedPairs(message.headers, values, gifts, MOST.header);
  // Only letters, digits, `_` and `-` stay in the names, because the parser refuses most other characters there.
  return {
    ...message,
    headers: headers.map(([name, value]) => [name.replaceAll(/[^\w-]/g, '') || 'x', value]),
  };
};

const ofCredential: Change = (message, values) => ({
  ...message,
  headers: [
    ...message.headers.filter(([name]) => name !== 'x-api-key' && name !== 'authorization'),
    ...values.one(CREDENTIALS),
  ],
});

const inBody: Change = (message, values, donor) => {
  const { body } = message;
  if (!body) return message;
  const room = message.opening ? MOST.frame : MOST.text;
  return { ...message, body: changedBody(body, values, donor.body, room) };
};

function changedBody(body: Body, values: Values, donor: Body | null, room: number): Body {
  if (body.kind === 'form') {
    if (values.chance(0.05)) return { kind: 'text', text: changedText(textOf(body), values, room, '&a=') };
    return {
      kind: 'form',
      pairs: changedPairs(body.pairs, values, donor?.kind === 'form' ? donor.pairs : [], MOST.form),
    };
  }
  if (body.kind === 'json' && !values.chance(0.08)) {
    const gift =
      donor?.kind === 'json' ? donor.value : donor?.kind === 'form' ? Object.fromEntries(donor.pairs) : {};
    return { kind: 'json', value: changedTree(body.value, values, room, gift) };
  }
  return { kind: 'text', text: changedText(textOf(body), values, room, donor ? textOf(donor) : '{}') };
}

function changedPairs(
  pairs: readonly Pair[],
  values: Values,
  gifts: readonly Pair[],
  most: number,
): readonly Pair[] {
  const used = pairs.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  const room = Math.max(1, most - used);
  const index = values.below(pairs.length);
  const pair = pairs[index];
  const gift = gifts.length > 0 ? values.one(gifts) : (['a', 'b'] as const);
  const way = values.random();
  if (!pair || way < 0.15) return [...pairs, gift];
  const [name, value] = pair;
  if (name === 'query' && way < 0.5) return pairs.with(index, [name, grownQuery(value, values)]);
  if (way < 0.7) return pairs.with(index, [name, changedText(value, values, room + value.length, gift[1])]);
  if (way < 0.75) return pairs.with(index, [changedText(name, values, room + name.length, gift[0]), value]);
  if (way < 0.9) {
    const count = Math.max(1, Math.floor(sizeWithin(values, room) / (name.length + value.length + 6)));
    const isNamed = values.chance(0.4);
    return [
      ...pairs,
      ...Array.from({ length: count }, (_, n): Pair => [isNamed ? `${name}${n}` : name, value]),
    ];
  }
  return pairs.toSpliced(index, 1);
}

/**
 * The same message with `nonce` in its GraphQL operation and in its idempotency key. So the service cannot use a result
 * that it remembers for the same text or key.
 */
export function varied(message: Message, nonce: string): Message {
  const comment = (name: string, value: string): string =>
    name === 'query'
      ? `${value} #${nonce}`
      : name === 'idempotencyKey'
        ? `${value.slice(0, 100)}${nonce}`
        : value;
  const vary = (value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, member]) => [
            name,
            typeof member === 'string'
              ? comment(name, member)
              : /^(payload|extensions)$/.test(name)
                ? vary(member)
                : member,
          ]),
        );
  const { body } = message;
  return {
    ...message,
    query: message.query.map(([name, value]) => [name, comment(name, value)]),
    headers: message.headers.map(([name, value]) => [
      name,
      name === 'idempotency-key' && /^[\w-]+$/.test(value) ? `${value.slice(0, 100)}${nonce}` : value,
    ]),
    body: body?.kind === 'json' ? { kind: 'json', value: vary(body.value) } : body,
  };
}
