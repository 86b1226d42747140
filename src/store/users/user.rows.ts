import { defineRoots, defineRows } from '../../engine/documents/row-types.js';
import { User } from './user.entity.js';

/** Describes how trusted documents read users by SQL. `User.orders` is in the folder of the orders. */
defineRows('User', User);
defineRoots({ 'Query.user': { kind: 'row', id: 'args' }, 'Query.me': { kind: 'row', id: 'principal' } });
