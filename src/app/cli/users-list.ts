import { Command } from 'commander';
import { limitIn } from './arguments.js';
import { accepted } from './body.js';
import { jsonOf, minuteOf, tableOf, tellRest } from './table.js';
import { WHO, userOf } from './user-named.js';
import { print } from '../terminal.js';

export function listUsersCommand(): Command {
  return new Command('list')
    .description('Lists users in the order of their ids.')
    .option('--email <email>', 'only the user with this e-mail address; case is ignored')
    .option('--limit <count>', 'the largest number of users', limitIn, 1_000)
    .option('--json', 'print a JSON list, with the members that the REST interface shows', false)
    .addHelpText(
      'after',
      `
Times are in UTC. For all users of a large store, see "store export users".

Examples:
  $ npm run store -- users list
  $ npm run --silent store -- users list --email ada@example.com --json`,
    )
    .action(list);
}

export function showUserCommand(): Command {
  return new Command('show')
    .description('Shows one user.')
    .argument('<user>', WHO)
    .option('--json', 'print a JSON object', false)
    .addHelpText(
      'after',
      `
Times are in UTC.

Examples:
  $ npm run store -- users show 7
  $ npm run --silent store -- users show ada@example.com --json`,
    )
    .action(show);
}

async function list({ email, limit, json }: { email?: string; limit: number; json: boolean }): Promise<void> {
  if (email !== undefined) await accepted((bodies) => bodies.ListUsersQuery, { email }, { email: '--email' });
  const [{ administer, firstOf }, { PLAIN }] = await Promise.all([
    import('./administration.js'),
    import('../../generated/plain.js'),
  ]);
  const { items, total } = await administer({}, ({ users }) =>
    firstOf(limit, (span) => users.list({ ...span, email })),
  );
  const rows = items.map(({ id, name, email: address, createdAt }) => [
    String(id),
    name,
    address,
    minuteOf(createdAt),
  ]);
  const table = rows.length === 0 ? '' : tableOf([['ID', 'NAME', 'E-MAIL', 'CREATED'], ...rows]);
  print(json ? jsonOf(items.map((user) => PLAIN.v1.User(user))) : table);
  tellRest(items.length, total, 'users');
}

async function show(who: string, { json }: { json: boolean }): Promise<void> {
  const { administer } = await import('./administration.js');
  const { user, hasPassword } = await administer({}, async ({ users }) => {
    const named = await userOf(users, who);
    const credential = await users.findCredential(named.email);
    return { user: named, hasPassword: credential !== null && credential.passwordHash !== null };
  });
  const { id, name, email, createdAt, updatedAt } = user;
  const [created_at, updated_at] = [createdAt.toISOString(), updatedAt.toISOString()];
  if (json) {
    print(jsonOf({ id, name, email, has_password: hasPassword, created_at, updated_at }));
    return;
  }
  const rows = [
    ['ID', String(id)],
    ['NAME', name],
    ['E-MAIL', email],
    ['PASSWORD', hasPassword ? 'yes' : 'no'],
    ['CREATED', minuteOf(createdAt)],
    ['CHANGED', minuteOf(updatedAt)],
  ];
  print(tableOf(rows));
}
