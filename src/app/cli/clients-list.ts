import { Command } from 'commander';
import type { Client } from '../../store/oauth/client.entity.js';
import { idIn, limitIn } from './arguments.js';
import { jsonOf, minuteOf, tableOf, tellRest } from './table.js';
import { print } from '../terminal.js';

export function listClientsCommand(): Command {
  return new Command('list')
    .description('Lists clients, including revoked clients.')
    .option('--limit <count>', 'the largest number of clients', limitIn, 1_000)
    .option('--json', 'print a JSON list, with the members that the REST interface shows', false)
    .addHelpText(
      'after',
      `
Times are in UTC.

Examples:
  $ npm run store -- clients list
  $ npm run --silent store -- clients list --json`,
    )
    .action(list);
}

export function showClientCommand(): Command {
  return new Command('show')
    .description('Shows one client, without its secret, which is stored nowhere.')
    .argument('<id>', 'the id of the client')
    .option('--json', 'print a JSON object, with the members that the REST interface shows', false)
    .addHelpText('after', '\nTimes are in UTC.\n\nExamples:\n  $ npm run store -- clients show 2')
    .action(show);
}

async function list({ limit, json }: { limit: number; json: boolean }): Promise<void> {
  const [{ administer, firstOf }, { ClientV1 }] = await Promise.all([
    import('./administration.js'),
    import('../../store/oauth/client.representation.js'),
  ]);
  const { items, total } = await administer({}, ({ clients }) =>
    firstOf(limit, (span) => clients.pageWhere({}, span)),
  );
  const representation = new ClientV1();
  const header = ['ID', 'CLIENT ID', 'NAME', 'KIND', 'SCOPES', 'CREATED', 'STATE'];
  const rows = items.map((client) => [
    String(client.id),
    client.clientId,
    client.name,
    kindOf(client),
    commas(client.scopes),
    minuteOf(client.createdAt),
    stateOf(client),
  ]);
  const table = rows.length === 0 ? '' : tableOf([header, ...rows]);
  print(json ? jsonOf(items.map((client) => representation.present(client))) : table);
  tellRest(items.length, total, 'clients');
}

async function show(text: string, { json }: { json: boolean }): Promise<void> {
  const id = idIn(text, 'a client');
  const [{ administer }, { ClientV1 }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../store/oauth/client.representation.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const client = await administer({}, async ({ clients }) => found(await clients.find(id), 'client', id));
  const rows = [
    ['ID', String(client.id)],
    ['CLIENT ID', client.clientId],
    ['NAME', client.name],
    ['KIND', kindOf(client)],
    ['GRANTS', commas(client.grantTypes)],
    ['SCOPES', commas(client.scopes)],
    ...client.redirectUris
      .split(' ')
      .filter((uri) => uri !== '')
      .map((uri) => ['REDIRECT', uri]),
    ['INTROSPECTS', client.mayIntrospect ? 'yes' : 'no'],
    ['CREATED', minuteOf(client.createdAt)],
    ['STATE', stateOf(client)],
  ];
  print(json ? jsonOf(new ClientV1().present(client)) : tableOf(rows));
}

function kindOf({ secretHash }: Client): string {
  return secretHash === null ? 'public' : 'confidential';
}

function stateOf({ revokedAt }: Client): string {
  return revokedAt === null ? 'good' : `revoked ${minuteOf(revokedAt)}`;
}

function commas(blanks: string): string {
  return blanks.replaceAll(' ', ',') || '–';
}
