import { Command, Option } from 'commander';
import { durationMs, idIn, listIn } from './arguments.js';
import { accepted, type Names } from './body.js';
import { listClientsCommand, showClientCommand } from './clients-list.js';
import { jsonOf, minuteOf } from './table.js';
import { print, tell } from '../terminal.js';
import { shown } from '../../engine/values/shown.js';

const NAMES: Names = {
  name: 'NAME',
  confidential: '--public',
  redirect_uris: '--redirect-uri',
  grant_types: '--grant',
  scopes: '--scopes',
  may_introspect: '--may-introspect',
  overlap_seconds: '--overlap, in seconds,',
};

export function clientsCommand(): Command {
  return new Command('clients')
    .description('Lists, shows, makes, rotates and revokes the clients of the OAuth 2.0 server.')
    .addHelpText(
      'after',
      `
A client is a program that gets tokens: for itself, or in the name of a user who agrees. A secret is shown once, on the
standard output. Messages go to the standard error.

Examples:
  $ npm run store -- clients list
  $ SECRET=$(npm run --silent store -- clients create "Nightly report" --scopes orders:read)
  $ npm run store -- clients revoke 2`,
    )
    .addCommand(listClientsCommand())
    .addCommand(createCommand())
    .addCommand(showClientCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('Makes a client and prints its secret. The secret is never shown again.')
    .argument('<name>', 'the name that users read when the service asks for their consent')
    .option(
      '--redirect-uri <uri>',
      'an address that users are sent back to; repeat the option for each address',
      added,
    )
    .option('--scopes <scopes>', 'all scopes that its tokens can have, such as orders:read,orders:write')
    .option('--grant <grants>', 'the grants by which the client gets tokens; see below')
    .option(
      '--public',
      'for a client that cannot keep a secret, such as an app on a phone; the client gets no secret',
      false,
    )
    .option('--may-introspect', 'the client may introspect tokens (RFC 7662)', false)
    .option('--json', 'print the client as JSON, with its secret in client_secret', false)
    .addHelpText(
      'after',
      `
The grants are client_credentials, authorization_code and refresh_token. Without --grant they depend on --redirect-uri.
With --redirect-uri, the client gets authorization_code and refresh_token, in the name of users. Without it, the client
gets client_credentials, for itself. A public client has no secret; its client_id is printed.

Examples:
  $ SECRET=$(npm run --silent store -- clients create "Nightly report" --scopes orders:read)
  $ npm run store -- clients create Courier --public --scopes orders:read --redirect-uri com.example.courier:/back
  $ npm run --silent store -- clients create Gateway --may-introspect --json > gateway.json`,
    )
    .action(create);
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('Gives a client a new secret and prints it. The present secret stays valid for a while.')
    .argument('<id>', 'the id of the client')
    .addOption(
      new Option('--overlap <duration>', 'how long the present secret stays valid, at most 7d')
        .argParser(durationMs)
        .default(86_400_000, '1d'),
    )
    .addHelpText(
      'after',
      `
The default overlap is a day. With --overlap 0, the present secret ends at once.

Examples:
  $ SECRET=$(npm run --silent store -- clients rotate 2 --overlap 1h)`,
    )
    .action(rotate);
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description(
      'Revokes a client, and ends everything that was granted to it. The client can never be used again.',
    )
    .argument('<id>', 'the id of the client')
    .addHelpText('after', '\nExamples:\n  $ npm run store -- clients revoke 2')
    .action(revoke);
}

function added(uri: string, before: readonly string[] = []): readonly string[] {
  return [...before, uri];
}

interface Wanted {
  readonly redirectUri?: readonly string[];
  readonly scopes?: string;
  readonly grant?: string;
  readonly public: boolean;
  readonly mayIntrospect: boolean;
  readonly json: boolean;
}

async function create(name: string, options: Wanted): Promise<void> {
  const { redirectUri = [], scopes = '', grant, public: isPublic, mayIntrospect, json } = options;
  const usual = redirectUri.length > 0 ? 'authorization_code,refresh_token' : 'client_credentials';
  const plain = {
    name,
    confidential: !isPublic,
    redirect_uris: redirectUri,
    grant_types: listIn(grant ?? usual),
    scopes: listIn(scopes),
    may_introspect: mayIntrospect,
  };
  const body = await accepted((bodies) => bodies.ClientCreate, plain, NAMES);
  const [{ ADMINISTRATOR, administer }, { ClientV1, IssuedClientV1 }] = await Promise.all([
    import('./administration.js'),
    import('../../store/oauth/client.representation.js'),
  ]);
  const issued = await administer(
    NAMES,
    ({ clients }) =>
      clients.issue(
        {
          name: body.name,
          isConfidential: body.confidential,
          redirectUris: body.redirect_uris,
          grantTypes: body.grant_types,
          scopes: body.scopes,
          mayIntrospect: body.may_introspect,
        },
        ADMINISTRATOR,
      ),
    plain,
  );
  const { client, secret } = issued;
  const answer = new IssuedClientV1(new ClientV1()).present(issued);
  print(json ? jsonOf(answer) : `${secret ?? client.clientId}\n`);
  const once = secret === null ? 'It has no secret' : 'Its secret is not shown again';
  tell(
    `The client ${client.id} (${shown(client.name)}) is made; its client_id is ${client.clientId}. ${once}.\n`,
  );
}

async function rotate(text: string, { overlap }: { overlap: number }): Promise<void> {
  const id = idIn(text, 'a client');
  const body = await accepted((bodies) => bodies.ClientRotate, { overlap_seconds: overlap / 1_000 }, NAMES);
  const [{ ADMINISTRATOR, administer, mayHaveAll }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const { client, secret } = await administer(NAMES, async ({ clients }) =>
    found(await clients.rotate(id, body.overlap_seconds * 1_000, mayHaveAll, ADMINISTRATOR), 'client', id),
  );
  print(`${secret}\n`);
  const before = overlap === 0 ? 'has ended' : `ends ${minuteOf(client.previousUntil)}`;
  tell(
    `The client ${id} (${shown(client.name)}) has a new secret, which is not shown again; the previous secret ${before}.\n`,
  );
}

async function revoke(text: string): Promise<void> {
  const id = idIn(text, 'a client');
  const [{ ADMINISTRATOR, administer }, { found }] = await Promise.all([
    import('./administration.js'),
    import('../../engine/errors/errors.js'),
  ]);
  const client = await administer(NAMES, async ({ clients }) =>
    found(await clients.revoke(id, ADMINISTRATOR), 'client', id),
  );
  tell(
    `The client ${id} (${shown(client.name)}) was revoked at ${minuteOf(client.revokedAt)}, with its tokens.\n`,
  );
}
