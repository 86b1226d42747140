import { Command } from 'commander';
import { accepted, type Names } from './body.js';
import { newPassword, requireSource } from './secret-input.js';
import { listUsersCommand, showUserCommand } from './users-list.js';
import { linkCommand, listLinksCommand, unlinkCommand } from './user-links.js';
import { WHO, userOf } from './user-named.js';
import { print, tell } from '../terminal.js';
import { shown } from '../../engine/values/shown.js';

const NAMES: Names = { name: 'NAME', email: 'EMAIL', password: 'The password' };

export function usersCommand(): Command {
  return new Command('users')
    .description('Lists, shows, makes, links, signs out and deletes users, and sets their passwords.')
    .addHelpText(
      'after',
      `
The commands follow the rules of the service. A running service applies their changes within a second. A password is
never an argument, because every user of the machine can see arguments.

Examples:
  $ npm run store -- users list --email ada@example.com
  $ npm run store -- users create "Ada Lovelace" ada@example.com
  $ npm run store -- users password ada@example.com`,
    )
    .addCommand(listUsersCommand())
    .addCommand(showUserCommand())
    .addCommand(createCommand())
    .addCommand(passwordCommand())
    .addCommand(deleteCommand())
    .addCommand(signOutCommand())
    .addCommand(listLinksCommand())
    .addCommand(linkCommand())
    .addCommand(unlinkCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('Makes a user and prints the id.')
    .argument('<name>', 'the name')
    .argument('<email>', 'the e-mail address, which no other user has')
    .option(
      '--password-stdin',
      'set a password: read it from the standard input, or ask for it on a terminal; without this option, the user has no password',
      false,
    )
    .addHelpText(
      'after',
      `
Examples:
  $ npm run store -- users create "Ada Lovelace" ada@example.com
  $ ID=$(npm run --silent store -- users create "Ada Lovelace" ada@example.com --password-stdin < password.txt)`,
    )
    .action(create);
}

function passwordCommand(): Command {
  return new Command('password')
    .description('Sets the password of a user. The command asks for it on the terminal.')
    .argument('<user>', WHO)
    .option('--stdin', 'read the password from the standard input, or ask for it on a terminal', false)
    .addHelpText(
      'after',
      `
The previous password and all tokens of the user end within a second, in a running service too.

Examples:
  $ npm run store -- users password ada@example.com
  $ npm run store -- users password 7 --stdin < password.txt`,
    )
    .action(setPassword);
}

function deleteCommand(): Command {
  return new Command('delete')
    .description('Deletes a user, with the API keys of the user.')
    .argument('<user>', WHO)
    .option('--anonymise', 'keep the orders, without their reference to the user', false)
    .addHelpText(
      'after',
      `
A user who has orders is deleted only with --anonymise.

Examples:
  $ npm run store -- users delete 7
  $ npm run store -- users delete ada@example.com --anonymise`,
    )
    .action(remove);
}

function signOutCommand(): Command {
  return new Command('sign-out')
    .description('Ends all tokens and sessions of a user, in every client. API keys and the password stay.')
    .argument('<user>', WHO)
    .addHelpText(
      'after',
      `
A running service refuses these tokens within a second.

Examples:
  $ npm run store -- users sign-out ada@example.com`,
    )
    .action(signOut);
}

async function create(
  name: string,
  email: string,
  { passwordStdin }: { passwordStdin: boolean },
): Promise<void> {
  const plain = {
    name,
    email,
    ...(passwordStdin && { password: await newPassword() }),
  };
  const body = await accepted((bodies) => bodies.UserCreate, plain, NAMES);
  const { ADMINISTRATOR, administer } = await import('./administration.js');
  const user = await administer(NAMES, async ({ users, passwords }) =>
    users.create(await passwords.hashedNew(body, ADMINISTRATOR), ADMINISTRATOR),
  );
  print(`${user.id}\n`);
  tell(`The user ${user.id} (${shown(user.email)}) is made.\n`);
}

async function setPassword(who: string, { stdin }: { stdin: boolean }): Promise<void> {
  requireSource(stdin, '--stdin');
  const [{ ADMINISTRATOR, administer }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const user = await administer(NAMES, async ({ users, passwords }) => {
    const { id } = await userOf(users, who);
    const body = await accepted((bodies) => bodies.UserUpdate, { password: await newPassword() }, NAMES);
    const changes = await passwords.hashedChanges(id, body, ADMINISTRATOR);
    return found(await users.update(id, changes, ADMINISTRATOR), 'user', id);
  });
  tell(`The user ${user.id} (${shown(user.email)}) has a new password.\n`);
}

async function remove(who: string, { anonymise }: { anonymise: boolean }): Promise<void> {
  const [{ ADMINISTRATOR, administer }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const user = await administer(NAMES, async ({ users }) => {
    const { id } = await userOf(users, who);
    const removal = anonymise ? users.anonymise(id, ADMINISTRATOR) : users.delete(id, ADMINISTRATOR);
    return found(await removal, 'user', id);
  });
  tell(`The user ${user.id} (${shown(user.email)}) is deleted.\n`);
}

async function signOut(who: string): Promise<void> {
  const [{ ADMINISTRATOR, administer }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const user = await administer(NAMES, async ({ users }) => {
    const { id } = await userOf(users, who);
    return found(await users.signOut(id, ADMINISTRATOR), 'user', id);
  });
  tell(`The user ${user.id} (${shown(user.email)}) is signed out everywhere.\n`);
}
