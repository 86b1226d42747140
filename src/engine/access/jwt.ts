import { isUtf8 } from 'node:buffer';
import { Unauthenticated } from '../errors/errors.js';
import { SCOPES, type Scope } from '../../generated/operations.js';

const KNOWN_SCOPES: ReadonlySet<string> = new Set(SCOPES);

// A JWT whose header has one of these parameters is refused. These parameters contain the key for the verification, or
// the address of this key, or they change how a recipient must read the token (RFC 7515, 7516 and 7797).
const FORBIDDEN = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'enc', 'zip'];

/** The content of a token. The signature has not been verified yet. */
export interface ReadToken {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The token in `Authorization: Bearer` (RFC 6750, section 2.1). */
export function tokenIn(authorization: string): string {
  return authorization.replace(/^bearer +/i, '');
}

/**
 * @throws Unauthenticated for a token that is not a JWS of a JSON object, or whose header has one of the parameters in
 *   `FORBIDDEN`
 */
export function readToken(token: string): ReadToken {
  const parts = token.split('.');
  if (parts.length !== 3) throw malformed();
  const [header, claims] = parts.map(bytesIn);
  const read = { header: objectIn(header as Buffer), claims: objectIn(claims as Buffer) };
  if (FORBIDDEN.some((name) => Object.hasOwn(read.header, name))) throw malformed();
  return read;
}

/** Decodes base64url. Only the canonical text of the bytes is accepted (RFC 4648, section 3.5). */
function bytesIn(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (part === '' || bytes.toString('base64url') !== part) throw malformed();
  return bytes;
}

function objectIn(bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw malformed();
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // The error is thrown below.
  }
  throw malformed();
}

function malformed(): Unauthenticated {
  return new Unauthenticated('The access token is malformed.');
}

/** The scopes in the claim `scope` (RFC 8693, section 4.2) that this service knows and that are in `allowed`. */
export function scopesOf(claim: unknown, allowed: ReadonlySet<string> = KNOWN_SCOPES): ReadonlySet<Scope> {
  const named = typeof claim === 'string' ? claim.split(' ') : [];
  return new Set(named.filter((scope): scope is Scope => KNOWN_SCOPES.has(scope) && allowed.has(scope)));
}

/**
 * Whether the header parameter `typ` has the wanted value. `typ` is a media type, in upper or lower case, with or
 * without the prefix `application/` (RFC 7515, section 4.1.9).
 */
export function isOfType(typ: unknown, wanted: string): boolean {
  return typeof typ === 'string' && typ.toLowerCase().replace(/^application\//, '') === wanted.toLowerCase();
}
