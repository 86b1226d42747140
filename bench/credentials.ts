import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const [ISSUER, AUDIENCE, KID] = ['https://bench.example', 'https://store.example', 'bench'] as const;
const PASSWORD = 'correct horse battery staple';

/** The credentials of the requests. */
export interface BenchCredentials {
  readonly apiKey: string;
  /** The value of `Authorization`. */
  readonly basic: string;
  readonly signingKey: string;
}

/** An outside issuer of JWTs that the service under test trusts. */
export class BenchIssuer {
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #server: Server;

  private constructor() {
    const jwk = { ...this.#pair.publicKey.export({ format: 'jwk' }), kid: KID, alg: 'ES256', use: 'sig' };
    this.#server = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  }

  static async start(): Promise<BenchIssuer> {
    const issuer = new BenchIssuer();
    issuer.#server.listen(0, '127.0.0.1');
    await once(issuer.#server, 'listening');
    return issuer;
  }

  /** The value of `STORE_JWT_ISSUERS`. */
  get setting(): string {
    const { port } = this.#server.address() as AddressInfo;
    const jwks_uri = `http://127.0.0.1:${port}/`;
    return JSON.stringify([{ issuer: ISSUER, jwks_uri, audience: AUDIENCE, algorithms: ['ES256'] }]);
  }

  /** Makes an API key and a user with a password on a running service. */
  async credentialsOn(port: number, adminKey: string): Promise<BenchCredentials> {
    const post = async (path: string, body: object): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method: 'POST',
        headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}`);
      return response.json();
    };
    const email = `bench.${randomUUID()}@example.com`;
    await post('/users', { name: 'Bench', email, password: PASSWORD });
    const { key } = (await post('/api-keys', { name: 'bench', scopes: ['orders:read'] })) as { key: string };
    return {
      apiKey: key,
      basic: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`,
      signingKey: this.#pair.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    };
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Returns a function that signs a new token at each call. No two tokens are the same. */
export function tokens(signingKey: string): () => string {
  const key = createPrivateKey(signingKey);
  const header = encoded({ alg: 'ES256', typ: 'at+jwt', kid: KID });
  const iat = Math.floor(Date.now() / 1000);
  const common = { iss: ISSUER, aud: AUDIENCE, sub: 'bench', client_id: 'bench', iat, exp: iat + 3600 };
  return () => {
    const text = `${header}.${encoded({ ...common, jti: randomUUID() })}`;
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
