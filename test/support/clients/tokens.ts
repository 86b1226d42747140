import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SignJWT, type JWTPayload } from 'jose';
import { loadConfig } from '../../../src/engine/config/config.js';
import { AccessConfig } from '../../../src/engine/config/slices.js';
import { SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { subjectOf } from '../../../src/store/tokens/subject.js';
import type { Call, TestApp } from './app.js';

export const { issuer: ISSUER, audience: AUDIENCE } = loadConfig({}).access;

/** The claims of an access token of the store's own server. A claim with the value undefined is left out. */
export function claimsOf(more: JWTPayload = {}): JWTPayload {
  // `iat` has fractions of a second, as in the tokens of the server. Otherwise a token that is issued in the second of
  // a revocation would be revoked too.
  const now = Date.now() / 1000;
  const usual = { iss: ISSUER, aud: AUDIENCE, sub: 'till', client_id: 'till', jti: randomUUID() };
  return { ...usual, iat: now, exp: Math.floor(now) + 600, ...more };
}

/**
 * A token in the form of the store's own server, signed with the key of the store. A revocation also ends the tokens
 * that were issued in its millisecond, so this function first waits for a later millisecond.
 */
export async function tokenOf(
  store: TestApp,
  more: JWTPayload = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  await pause(2);
  const { kid, privateKey } = await store.app.get(SigningKeys, { strict: false }).current();
  const { issuer, audience } = store.app.get(AccessConfig, { strict: false });
  return new SignJWT(claimsOf({ iss: issuer, aud: audience, ...more }))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
    .sign(privateKey);
}

/** A token that a user has given to a program. */
export function userTokenOf(store: TestApp, userId: number, scope = ''): Promise<string> {
  return tokenOf(store, { sub: subjectOf(userId), scope });
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A call with this token as its only credential. */
export function asBearer(token: string): Call {
  return { key: null, headers: bearer(token) };
}
