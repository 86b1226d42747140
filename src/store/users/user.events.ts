import { defineEvents } from '../../engine/events/event-kinds.js';
import { User } from './user.entity.js';

declare module '../../engine/events/topics.js' {
  interface EventTypes {
    'user.created': User;
    'user.updated': User;
    'user.deleted': User;
    /** The user is deleted, and the orders are nobody's any more. */
    'user.anonymised': User;
  }
}

defineEvents<User>({
  name: 'user',
  entity: User,
  isPerson: true,
  scope: 'users:read',
  ownerOf: ({ id }) => id,
  isErased: ({ email }) => email === '',
  topics: { 'user.created': null, 'user.updated': null, 'user.deleted': null, 'user.anonymised': null },
});

/** What is left in the log of who is deleted. */
export const NOBODY = { name: '', email: '' };

/** Who is deleted has one more version, the last one, so that the events have an order. */
export function deleted(user: User): User {
  return Object.assign(new User(), user, NOBODY, { version: user.version + 1 });
}
