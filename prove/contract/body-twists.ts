import { draftOf, JSON_PATCH } from './drafts.ts';
import { allOrNothing } from './knowledge.ts';
import { attempt, hasBody, twist, type Twist } from './twist.ts';

const invalidBody: Twist = {
  name: 'an invalid body',
  fits: hasBody,
  make: async (world, operation) => {
    const draft = await draftOf(world, operation);
    const schema = operation.body?.media.get(draft.body?.type ?? '');
    const value = schema && world.values.invalid(schema, draft.known);
    return value === undefined
      ? null
      : attempt(draft, 400, 'a body that its schema refuses', JSON.stringify(allOrNothing(value)));
  },
};

const malformed: Twist = {
  name: 'malformed JSON',
  fits: hasBody,
  make: async (world, operation) => {
    const draft = await draftOf(world, operation);
    const good = JSON.stringify(draft.body?.value);
    const texts = ['{"name":', 'nul', "{'a':1}", '[1,]', `${good}}`, good.slice(0, -1), '['.repeat(40), ''];
    return attempt(draft, 400, 'a body that is not JSON', world.values.one(texts));
  },
};

const repeatedMember: Twist = {
  name: 'a member given twice',
  fits: hasBody,
  make: async (world, operation) => {
    const draft = await draftOf(world, operation);
    const value = Object.entries(draft.body?.value ?? {})[0];
    if (value === undefined || draft.body?.type === JSON_PATCH) return null;
    const member = `${JSON.stringify(value[0])}:${JSON.stringify(value[1])}`;
    return attempt(
      draft,
      400,
      'a member given twice',
      `{${member},${JSON.stringify(draft.body?.value).slice(1)}`,
    );
  },
};

const tooLarge: Twist = {
  name: 'a body of more than 1 MiB',
  fits: hasBody,
  make: async (world, operation) => {
    const draft = await draftOf(world, operation);
    const headers = { connection: 'close' };
    return attempt({ ...draft, headers }, 413, 'a body of more than 1 MiB', ' '.repeat(1_048_577));
  },
};

export const BODY_TWISTS: readonly Twist[] = [
  invalidBody,
  malformed,
  repeatedMember,
  tooLarge,
  twist('another media type', hasBody, 415, (draft, world) => ({
    ...draft,
    headers: {
      'content-type': world.values.one([
        'text/csv',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
      ]),
    },
  })),
  twist('a bad credential and a bad body', hasBody, 401, (draft) => ({
    ...draft,
    credential: { 'x-api-key': 'sk_1_wrong' },
    body: { type: 'application/json', value: { nothing: 1 } },
  })),
];
