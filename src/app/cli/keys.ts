import { Command, Option } from 'commander';
import { durationMs, idIn, listIn, momentIn } from './arguments.js';
import { accepted, type Names } from './body.js';
import { WrongUsage } from '../../store/transfer/failure.js';
import { listKeysCommand } from './keys-list.js';
import { signingKeysCommand } from './signing-keys.js';
import { minuteOf } from './table.js';
import { print, tell } from '../terminal.js';
import { shown } from '../../engine/values/shown.js';

const NAMES: Names = {
  name: 'NAME',
  user_id: '--user',
  scopes: '--scopes',
  expires_at: '--expires',
  overlap_seconds: '--overlap, in seconds,',
};

export function keysCommand(): Command {
  return new Command('keys')
    .description('Lists, makes, rotates and revokes API keys, for programs and for users.')
    .addHelpText(
      'after',
      `
A person who can open the database may make any key. A running service applies the changes within a second. A secret
is shown once, on the standard output. Messages go to the standard error.

Examples:
  $ npm run store -- keys list
  $ KEY=$(npm run --silent store -- keys create "Till in the shop" --scopes orders:read,orders:write)
  $ npm run store -- keys revoke 2`,
    )
    .addCommand(listKeysCommand())
    .addCommand(createCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand())
    .addCommand(signingKeysCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('Makes an API key and prints its secret. The secret is never shown again.')
    .argument('<name>', 'the purpose of the key; it is shown in the log')
    .option(
      '--scopes <scopes>',
      'the scopes of the key, such as products:read,products:write; admin includes all scopes',
    )
    .option(
      '--user <id>',
      'the user who owns the key; the key has the rights of this user, and in addition its scopes',
    )
    .option(
      '--expires <when>',
      'when the key expires: a duration (12h, 30d, 6w, 6mo, 1y), a date or a moment in UTC; by default never',
      momentIn,
    )
    .addHelpText(
      'after',
      `
The scopes are products:read, products:write, users:read, users:write, orders:read, orders:write, events:read and admin.

Examples:
  $ KEY=$(npm run --silent store -- keys create "Nightly report" --scopes orders:read --expires 1y)
  $ npm run store -- keys create Phone --user 7
  $ npm run store -- keys create Fair --scopes products:read --expires 2027-03-01`,
    )
    .action(create);
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Gives an API key a new secret and prints it. The present secret stays valid for a while.')
    .argument('<id>', 'the id of the key')
    .addOption(
      new Option('--overlap <duration>', 'how long the present secret stays valid, at most 7d')
        .argParser(durationMs)
        .default(86_400_000, '1d'),
    )
    .addHelpText(
      'after',
      `
The default overlap is a day. With --overlap 0, the present secret ends within a second.

Examples:
  $ KEY=$(npm run --silent store -- keys rotate 2 --overlap 1h)
  $ npm run store -- keys rotate 2 --overlap 0`,
    )
    .action(rotate);
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('Revokes an API key. The key can never be used again.')
    .argument('<id>', 'the id of the key')
    .addHelpText('after', '\nExamples:\n  $ npm run store -- keys revoke 2')
    .action(revoke);
}

interface Wanted {
  readonly scopes?: string;
  readonly user?: string;
  readonly expires?: string;
}

async function create(name: string, { scopes: given = '', user, expires }: Wanted): Promise<void> {
  const scopes = listIn(given);
  if (scopes.length === 0 && user === undefined) {
    throw new WrongUsage('A key needs --scopes, or --user to give access to the data of one user.');
  }
  const plain = {
    name,
    ...(scopes.length > 0 && { scopes }),
    ...(user !== undefined && { user_id: idIn(user, 'a user') }),
    ...(expires !== undefined && { expires_at: expires }),
  };
  const body = await accepted((bodies) => bodies.ApiKeyCreate, plain, NAMES);
  const [{ ADMINISTRATOR, administer }, { endIn }] = await Promise.all([
    import('./administration.js'),
    import('../../store/accounts/api-key.js'),
  ]);
  const { apiKey, key } = await administer(NAMES, ({ keys }) => {
    const wanted = { name: body.name, scopes: body.scopes, userId: body.user_id ?? null };
    return keys.create({ ...wanted, expiresAt: endIn(body.expires_at) }, ADMINISTRATOR);
  });
  print(`${key}\n`);
  const end = apiKey.expiresAt === null ? 'does not expire' : `ends ${minuteOf(apiKey.expiresAt)}`;
  tell(`The API key ${apiKey.id} (${shown(apiKey.name)}) is made, and ${end}. It is not shown again.\n`);
}

async function rotate(text: string, { overlap }: { overlap: number }): Promise<void> {
  const id = idIn(text, 'an API key');
  const body = await accepted((bodies) => bodies.ApiKeyRotate, { overlap_seconds: overlap / 1_000 }, NAMES);
  const [{ ADMINISTRATOR, administer, mayHaveAll }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const { apiKey, key } = await administer(NAMES, async ({ keys }) => {
    const issued = await keys.rotate(id, body.overlap_seconds * 1_000, mayHaveAll, ADMINISTRATOR);
    return found(issued, 'API key', id);
  });
  print(`${key}\n`);
  const before = overlap === 0 ? 'ends within a second' : `ends ${minuteOf(apiKey.previousUntil)}`;
  tell(
    `The API key ${id} (${shown(apiKey.name)}) has a new secret, which is not shown again; the previous secret ${before}.\n`,
  );
}

async function revoke(text: string): Promise<void> {
  const id = idIn(text, 'an API key');
  const [{ ADMINISTRATOR, administer }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const key = await administer(NAMES, async ({ keys }) =>
    found(await keys.revoke(id, ADMINISTRATOR), 'API key', id),
  );
  tell(`The API key ${id} (${shown(key.name)}) was revoked at ${minuteOf(key.revokedAt)}.\n`);
}
