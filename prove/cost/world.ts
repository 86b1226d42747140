import { Client } from '../contract/client.ts';
import { Values } from '../contract/values.ts';
import { SCOPES, World } from '../contract/world.ts';
import { randomFrom } from '../../testkit/random.ts';
import type { Placeholders } from './message.ts';

export const CALLBACK = 'https://proof.example/back';

/** A sign-in that was begun, for the forms of its page. */
export interface SignIn {
  readonly path: string;
  readonly cookie: string;
  readonly email: string;
}

export interface Prepared {
  readonly world: World;
  /** The values of the placeholders `{{…}}`. */
  readonly placeholders: Placeholders;
  readonly signIn: SignIn;
}

/** Makes the rows for credentials and forms. The same seed gives the same rows, except for secrets. */
export async function prepare(url: string, seed: number): Promise<Prepared> {
  const world = new World(new Client(url), new Values(randomFrom(seed)));
  const owner = await world.owner(false);
  const made = await world.post('/clients', {
    name: 'Proof',
    grant_types: ['client_credentials', 'authorization_code', 'refresh_token'],
    redirect_uris: [CALLBACK],
    scopes: SCOPES,
    may_introspect: true,
  });
  const header = async (scheme: string): Promise<string> =>
    Object.values(await world.credential(scheme, SCOPES))[0] as string;
  const client = { client_id: String(made['client_id']), client_secret: String(made['client_secret']) };
  const placeholders = {
    admin: world.admin['x-api-key'] as string,
    key: await header('apiKey'),
    basic: owner.basic['authorization'] as string,
    oauth: await header('oauth'),
    jwt: await header('jwt'),
    token: (await header('oauth')).replace(/^Bearer /, ''),
    client: Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64'),
    ...client,
  };
  const [, pair = ''] = (owner.basic['authorization'] as string).split(' ');
  const email = Buffer.from(pair, 'base64').toString().split(':', 1)[0] as string;
  return { world, placeholders, signIn: { ...(await begun(url, client.client_id)), email } };
}

async function begun(url: string, client: string): Promise<Pick<SignIn, 'path' | 'cookie'>> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const { status, headers } = await fetch(`${url}/oauth/auth?${query.toString()}`, { redirect: 'manual' });
  const place = headers.get('location') ?? '';
  const path = new URL(place, url).pathname;
  if (!path.startsWith('/oauth/interaction/')) {
    throw new Error(`The sign-in did not begin: the answer has the status ${status} and leads to ${place}.`);
  }
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  return { path, cookie };
}
