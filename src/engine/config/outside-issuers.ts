import { SCOPES, type Scope } from '../../generated/operations.js';

/** The supported algorithms. Their signatures are verified with a public key, and not with a shared secret. */
const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

const TYPES = ['at+jwt', 'JWT'] as const;

/** An issuer outside of the store whose JWTs the service accepts. */
export interface OutsideIssuer {
  /** The value of `iss`. */
  readonly issuer: string;
  /** The address of its public keys (RFC 7517). */
  readonly jwksUri: string;
  /** The required value of `aud`. */
  readonly audience: string;
  readonly algorithms: readonly Algorithm[];
  /** The required value of `typ` in the header. */
  readonly typ: (typeof TYPES)[number];
  /**
   * The scopes that a token of this issuer may have. The service ignores other scopes in the token. If the subject of
   * the token is linked to a user, the token also has the rights of this user.
   */
  readonly scopes: readonly Scope[];
}

const MEMBERS: Record<string, (value: unknown) => string | null> = {
  issuer: (value) => (isText(value) ? null : 'must be a text, equal to the claim iss of the tokens'),
  jwks_uri: (value) =>
    isAddress(value) ? null : 'must be an https address (http only on this machine) without a password',
  audience: (value) => (isText(value) ? null : 'must be a text, equal to the claim aud of the tokens'),
  algorithms: (value) =>
    isListOf(ALGORITHMS, value) && value.length > 0 ? null : `must be a list of ${ALGORITHMS.join(', ')}`,
  typ: (value) => (isOneOf(TYPES, value ?? 'at+jwt') ? null : `must be ${TYPES.join(' or ')}`),
  scopes: (value) => (isListOf(SCOPES, value ?? []) ? null : `must be a list of ${SCOPES.join(', ')}`),
};

/**
 * Reads the setting of outside issuers.
 *
 * @throws Error that lists every fault
 */
export function outsideIssuers(text: string): readonly OutsideIssuer[] {
  const entries = listIn(text);
  const faults = entries.flatMap((entry, index) => faultsOf(entry).map((fault) => `[${index}] ${fault}`));
  const issuers = entries.map((entry) => (entry as Record<string, unknown> | null)?.['issuer']);
  const twice = issuers.filter(isText).find((issuer, index, all) => all.indexOf(issuer) < index);
  if (twice !== undefined) faults.push(`names ${twice} twice`);
  if (faults.length > 0) throw new Error(`is wrong: ${faults.join('; ')}.`);
  return (entries as Record<string, unknown>[]).map(
    ({ issuer, jwks_uri, audience, algorithms, typ, scopes }) =>
      ({
        issuer,
        jwksUri: jwks_uri,
        audience,
        algorithms,
        typ: typ ?? 'at+jwt',
        scopes: scopes ?? [],
      }) as OutsideIssuer,
  );
}

function listIn(text: string): unknown[] {
  const example =
    '[{"issuer": "https://login.example", "jwks_uri": "https://login.example/jwks", "audience": "https://store.example", "algorithms": ["RS256"], "scopes": ["orders:read"]}]';
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // The error is thrown below.
  }
  throw new Error(`must be a JSON list such as ${example}.`);
}

function faultsOf(entry: unknown): string[] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return ['must be an object'];
  const unknown = Object.keys(entry).filter((name) => !Object.hasOwn(MEMBERS, name));
  return [
    ...unknown.map(
      (name) => `${name} is not a known member; the members are ${Object.keys(MEMBERS).join(', ')}`,
    ),
    ...Object.entries(MEMBERS).flatMap(([name, faultOf]) => {
      const fault = faultOf((entry as Record<string, unknown>)[name]);
      return fault === null ? [] : [`${name} ${fault}`];
    }),
  ];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,500}$/.test(value);
}

function isOneOf(allowed: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && allowed.includes(value);
}

function isListOf(allowed: readonly string[], value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => isOneOf(allowed, each));
}

function isAddress(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, hostname, username, password } = new URL(value);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  return protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
