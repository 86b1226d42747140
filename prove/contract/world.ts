import type { Client } from './client.ts';
import type { Schema } from '../../testkit/contract/document.ts';
import { exampleOf } from '../../testkit/contract/examples.ts';
import { flat, isValid } from '../../testkit/contract/schemas.ts';
import { Rows } from './rows.ts';
import { Values } from './values.ts';

/** An id that no row has. */
export const MISSING = 987_654_321;

export const ADMIN_KEY = 'proof-'.repeat(6);

/** All scopes except the scope that includes all others. */
export const SCOPES =
  'products:read products:write users:read users:write orders:read orders:write events:read'.split(' ');

export type Headers = Readonly<Record<string, string>>;

/** A user with a password (`basic`). The API key (`key`) belongs to this user, and has no scopes. */
export interface Owner {
  readonly id: number;
  readonly basic: Headers;
  readonly key: Headers;
}

/** The rows and credentials that this proof has made in the service. */
export class World {
  readonly client: Client;
  readonly values: Values;
  readonly rows: Rows;
  readonly admin: Headers = { 'x-api-key': ADMIN_KEY };
  #next = 0;
  #isAdministrators = false;
  readonly #credentials = new Map<string, Promise<Headers>>();
  #oauthClient: Promise<{ id: string; secret: string; resource: string }> | undefined;
  #owner: Promise<Owner> | undefined;

  constructor(client: Client, values: Values) {
    this.client = client;
    this.values = values;
    this.rows = new Rows((method, path, body) => this.#sent(method, path, body));
  }

  /** The world of a service in which `credential` always gives the administrator's key. */
  ofAdministrator(): World {
    const world = new World(this.client, this.values);
    world.#isAdministrators = true;
    return world;
  }

  /** A text that differs from all texts before it. */
  unique(): string {
    this.#next += 1;
    return `${this.#next}`;
  }

  owner(isFresh: boolean): Promise<Owner> {
    if (isFresh) return this.#makeOwner();
    this.#owner ??= this.#makeOwner();
    return this.#owner;
  }

  /**
   * A credential with exactly these scopes, which belongs to no user. There are two exceptions. A credential of the
   * scheme `basic` belongs to a user, and has no scopes. In the world of `ofAdministrator`, every credential is the key
   * of the administrator.
   */
  credential(scheme: string, scopes: readonly string[]): Promise<Headers> {
    if (this.#isAdministrators) return Promise.resolve(this.admin);
    // A JWT is valid only while its signing key is stored. The service stores only the newest 100 signing keys, and the
    // proof makes many. So each call makes a new JWT.
    if (scheme === 'jwt') return this.#makeCredential(scheme, scopes);
    const name = `${scheme} ${scopes.join(' ')}`;
    const made = this.#credentials.get(name) ?? this.#makeCredential(scheme, scopes);
    this.#credentials.set(name, made);
    return made;
  }

  /**
   * Sends a POST as the administrator, or a PUT if it is the path of a stock. The request must succeed.
   *
   * @returns the body of the answer
   */
  post(path: string, body: object): Promise<Record<string, unknown>> {
    return this.#sent(path.endsWith('/stock') ? 'PUT' : 'POST', `/api/v1${path}`, body);
  }

  /** A new text whose length is within the bounds of a schema, or at them. */
  uniqueText(given: Schema): string {
    const { minLength = 1, maxLength = 100 } = flat(given);
    const isFree = isValid(given, 'x'.repeat(Math.max(minLength, 1)));
    const own = `${this.unique()}${isFree ? '' : String(exampleOf(given))}`;
    const length = this.values.one([minLength, maxLength, Math.min(maxLength, 30), Math.min(maxLength, 30)]);
    return this.values.word(Math.max(0, length - own.length)) + own;
  }

  async #sent(method: string, target: string, body: unknown): Promise<Record<string, unknown>> {
    const { status, text } = await this.client.send({
      method,
      target,
      headers: { ...this.admin, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (status >= 300)
      throw new Error(`A request that the proof needs has failed: ${target} answers ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  async #makeOwner(): Promise<Owner> {
    const email = `owner${this.unique()}@proof.example`;
    const password = `quite a proof ${this.unique()}`;
    const { user } = (await this.post('/users', { name: 'Ada', email, password })) as {
      user: { id: number };
    };
    const { key } = await this.post('/api-keys', { name: 'Till', user_id: user.id });
    const token = Buffer.from(`${email}:${password}`).toString('base64');
    return { id: user.id, basic: { authorization: `Basic ${token}` }, key: { 'x-api-key': String(key) } };
  }

  async #makeCredential(scheme: string, scopes: readonly string[]): Promise<Headers> {
    if (scheme === 'apiKey') {
      const { key } = await this.post('/api-keys', { name: `Of ${scopes.join(' ')}`.trim(), scopes });
      return { 'x-api-key': String(key) };
    }
    if (scheme === 'oauth' || scheme === 'jwt') return this.#makeToken(scopes, scheme === 'jwt');
    if (scheme === 'basic' && scopes.length === 0) return (await this.#makeOwner()).basic;
    throw new Error(`The proof cannot make a credential of the scheme ${scheme} with scopes.`);
  }

  async #makeToken(scopes: readonly string[], isJwt: boolean): Promise<Headers> {
    this.#oauthClient ??= this.#makeClient();
    const { id, secret, resource } = await this.#oauthClient;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      scope: scopes.join(' '),
      ...(isJwt && { resource }),
    });
    const { status, text } = await this.client.send({
      method: 'POST',
      target: '/oauth/token',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
    });
    if (status !== 200) throw new Error(`There is no token for the scopes ${scopes.join(' ')}: ${text}`);
    return { authorization: `Bearer ${(JSON.parse(text) as { access_token: string }).access_token}` };
  }

  async #makeClient(): Promise<{ id: string; secret: string; resource: string }> {
    const made = await this.post('/clients', {
      name: 'Proof',
      grant_types: ['client_credentials'],
      scopes: [...SCOPES, 'admin'],
    });
    const metadata = await this.client.send({
      method: 'GET',
      target: '/.well-known/oauth-protected-resource',
      headers: {},
    });
    const { resource } = JSON.parse(metadata.text) as { resource: string };
    return { id: String(made['client_id']), secret: String(made['client_secret']), resource };
  }
}
