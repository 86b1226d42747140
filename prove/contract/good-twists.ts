import { draftOf, type Draft } from './drafts.ts';
import { attempt, type Twist } from './twist.ts';

export const valid: Twist = {
  name: 'a good request',
  fits: () => true,
  make: async (world, operation) => {
    const draft = await draftOf(world, operation);
    const statuses = [operation.success, ...(draft.isDoubtful ? [400] : [])];
    const types = [...(operation.responses.get(operation.success)?.content.keys() ?? [])];
    const made = attempt(draft, statuses, 'a valid request');
    const isWished = draft.query.some(([name]) => name === 'format');
    if (isWished || types.length === 0 || world.values.chance(0.4)) return made;
    const mediaType = world.values.one(types);
    const accept = world.values.one([mediaType, `${mediaType}, */*;q=0.1`, `image/png, ${mediaType};q=0.5`]);
    const sent = { ...made.sent, headers: { ...made.sent.headers, accept } };
    return { ...made, sent, due: { ...made.due, mediaType } };
  },
};

export const owned: Twist = {
  name: 'a user and its own rows',
  fits: ({ owner }) => owner !== null,
  make: async (world, operation) => {
    const draft = await draftOf(world, operation, true);
    const statuses = [operation.success, ...(draft.isDoubtful ? [400] : [])];
    return attempt(draft, statuses, 'a user who asks for its own rows');
  },
};

export const foreign: Twist = {
  name: 'a user and the rows of another user',
  fits: ({ owner, entity }) => /^(path\.id|row\.user_id)$/.test(owner ?? '') && entity !== null,
  make: async (world, operation) => {
    const { path } = await draftOf(world, operation, false);
    const own = await draftOf(world, operation, true);
    if (own.isDoubtful) return null;
    return attempt(
      { ...own, path, body: own.body && withoutId(own.body) },
      404,
      'a user who asks for a row of another user',
    );
  },
};

/** The body without its id, for a request whose path names another row. */
export function withoutId(body: NonNullable<Draft['body']>): NonNullable<Draft['body']> {
  if (Array.isArray(body.value)) return body;
  const { id: _left, ...value } = body.value as Record<string, unknown>;
  return { ...body, value };
}
