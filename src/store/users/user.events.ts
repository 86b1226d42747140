import { defineEvents } from '../../engine/events/event-kinds.js';
import { User } from './user.entity.js';

defineEvents<User>({
  name: 'user',
  entity: User,
  isPerson: true,
  scope: 'users:read',
  ownerOf: ({ id }) => id,
  isErased: ({ email }) => email === '',
  topics: { 'user.created': null, 'user.updated': null, 'user.deleted': null, 'user.anonymised': null },
});

/** The values that replace the personal data of a deleted user in the log. */
export const NOBODY = { name: '', email: '' };
