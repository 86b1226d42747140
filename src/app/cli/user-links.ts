import { Command } from 'commander';
import { idIn, limitIn } from './arguments.js';
import { accepted, type Names } from './body.js';
import { jsonOf, minuteOf, tableOf, tellRest } from './table.js';
import { WHO, userOf } from './user-named.js';
import { print, tell } from '../terminal.js';

const NAMES: Names = { issuer: '--issuer', subject: '--subject', user_id: 'USER' };

export function listLinksCommand(): Command {
  return new Command('links')
    .description(
      'Lists the identities of users. An identity links a subject of an outside issuer of JWTs to a user.',
    )
    .argument('[user]', `only the identities of one user: ${WHO}`)
    .option('--limit <count>', 'the largest number of identities', limitIn, 1_000)
    .option('--json', 'print a JSON list, with the members that the REST interface shows', false)
    .addHelpText(
      'after',
      `
Times are in UTC.

Examples:
  $ npm run store -- users links
  $ npm run --silent store -- users links ada@example.com --json`,
    )
    .action(list);
}

export function linkCommand(): Command {
  return new Command('link')
    .description(
      'Links a subject of an outside issuer of JWTs to a user. The link is an identity of the user.',
    )
    .argument('<user>', WHO)
    .requiredOption('--issuer <url>', 'the issuer, as in the claim iss of its tokens')
    .requiredOption('--subject <subject>', 'the subject, as in the claim sub of its tokens')
    .addHelpText(
      'after',
      `
The tokens of the issuer for this subject then give access as the user. STORE_JWT_ISSUERS names the issuers that the
service trusts.

Examples:
  $ npm run store -- users link ada@example.com --issuer https://login.example --subject 8f14e45f-ceea-467f`,
    )
    .action(link);
}

export function unlinkCommand(): Command {
  return new Command('unlink')
    .description(
      'Deletes an identity. The tokens of its issuer for its subject no longer give access as the user.',
    )
    .argument('<id>', 'the id of the identity, as "users links" shows it')
    .addHelpText('after', '\nExamples:\n  $ npm run store -- users unlink 3')
    .action(unlink);
}

async function list(
  who: string | undefined,
  { limit, json }: { limit: number; json: boolean },
): Promise<void> {
  const [{ administer, firstOf }, { PLAIN }, { isoOf }] = await Promise.all([
    import('./administration.js'),
    import('../../generated/plain.js'),
    import('../../engine/values/moment.js'),
  ]);
  const { items, total } = await administer({}, async ({ users, identities }) => {
    const userId = who === undefined ? undefined : (await userOf(users, who)).id;
    return firstOf(limit, (span) => identities.pageWhere({ userId }, span));
  });
  const rows = items.map(({ id, userId, issuer, subject, createdAt }) => [
    String(id),
    String(userId),
    issuer,
    subject,
    minuteOf(createdAt),
  ]);
  const table = rows.length === 0 ? '' : tableOf([['ID', 'USER', 'ISSUER', 'SUBJECT', 'CREATED'], ...rows]);
  print(json ? jsonOf(items.map((identity) => PLAIN.v1.Identity(identity, { moment: isoOf }))) : table);
  tellRest(items.length, total, 'identities');
}

async function link(who: string, options: { issuer: string; subject: string }): Promise<void> {
  const { ADMINISTRATOR, administer } = await import('./administration.js');
  const { id, userId } = await administer(NAMES, async ({ users, identities }) => {
    const { id: user_id } = await userOf(users, who);
    const { issuer, subject } = await accepted(
      (bodies) => bodies.IdentityCreate,
      { issuer: options.issuer, subject: options.subject, user_id },
      NAMES,
    );
    return identities.create({ issuer, subject, userId: user_id }, ADMINISTRATOR);
  });
  print(`${id}\n`);
  tell(`The identity ${id} of the user ${userId} is created.\n`);
}

async function unlink(text: string): Promise<void> {
  const id = idIn(text, 'an identity');
  const [{ ADMINISTRATOR, administer }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const { userId } = await administer(NAMES, async ({ identities }) =>
    found(await identities.delete(id, ADMINISTRATOR), 'identity', id),
  );
  tell(`The identity ${id} of the user ${userId} is deleted.\n`);
}
