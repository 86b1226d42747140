import { Command } from 'commander';
import type { ApiKey } from '../../store/accounts/api-key.entity.js';
import { idIn, limitIn } from './arguments.js';
import { jsonOf, minuteOf, tableOf, tellRest } from './table.js';
import { print } from '../terminal.js';

export function listKeysCommand(): Command {
  return new Command('list')
    .description('Lists API keys, without their secrets, which are stored nowhere.')
    .option('--user <id>', 'only the keys of this user')
    .option('--limit <count>', 'the largest number of keys', limitIn, 1_000)
    .option('--json', 'print a JSON list, with the members that the REST interface shows', false)
    .addHelpText(
      'after',
      `
Times are in UTC. The last use is exact to the minute, and is shown up to a minute later. The state is good, expired or
revoked.

Examples:
  $ npm run store -- keys list
  $ npm run --silent store -- keys list --user 7 --json`,
    )
    .action(list);
}

async function list({ user, limit, json }: { user?: string; limit: number; json: boolean }): Promise<void> {
  const userId = user === undefined ? undefined : idIn(user, 'a user');
  const [{ ADMINISTRATOR, administer, firstOf }, { ApiKeyV1 }] = await Promise.all([
    import('./administration.js'),
    import('../../store/accounts/api-key.representation.js'),
  ]);
  const { items, total } = await administer({}, ({ keys }) =>
    firstOf(limit, (span) => keys.list(userId, span, ADMINISTRATOR.reach)),
  );
  const representation = new ApiKeyV1();
  print(json ? jsonOf(items.map((key) => representation.present(key))) : lines(items));
  tellRest(items.length, total, 'API keys');
}

function lines(keys: readonly ApiKey[]): string {
  if (keys.length === 0) return '';
  const now = new Date();
  const header = ['ID', 'NAME', 'OWNER', 'SCOPES', 'CREATED', 'LAST USED', 'ENDS', 'STATE'];
  const rows = keys.map((key) => [
    String(key.id),
    key.name,
    key.userId === null ? 'client' : `user ${key.userId}`,
    key.scopes.replaceAll(' ', ',') || '–',
    minuteOf(key.createdAt),
    minuteOf(key.lastUsedAt),
    minuteOf(key.expiresAt),
    stateOf(key, now),
  ]);
  return tableOf([header, ...rows]);
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt !== null) return `revoked ${minuteOf(revokedAt)}`;
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'good';
}
