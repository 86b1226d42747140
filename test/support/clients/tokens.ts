import { randomUUID } from 'node:crypto';
import { SignJWT, type JWTPayload } from 'jose';
import { loadConfig } from '../../../src/engine/config/config.js';
import { AccessConfig } from '../../../src/engine/config/slices.js';
import { SigningKeys } from '../../../src/store/tokens/signing-keys.js';
import { subjectOf } from '../../../src/store/tokens/subject.js';
import type { Call, TestApp } from './app.js';

export const { issuer: ISSUER, audience: AUDIENCE } = loadConfig({}).access;

/** What an access token of the store's own server says; undefined leaves a member out. */
export function claimsOf(more: JWTPayload = {}): JWTPayload {
  // To the millisecond, as the server does, so that what was ended in the same second did not end it.
  const now = Date.now() / 1000;
  const usual = { iss: ISSUER, aud: AUDIENCE, sub: 'till', client_id: 'till', jti: randomUUID() };
  return { ...usual, iat: now, exp: Math.floor(now) + 600, ...more };
}

/** A token as the store's own server makes them, signed by the key of the store. */
export async function tokenOf(
  store: TestApp,
  more: JWTPayload = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const { kid, privateKey } = await store.app.get(SigningKeys, { strict: false }).current();
  const { issuer, audience } = store.app.get(AccessConfig, { strict: false });
  return new SignJWT(claimsOf({ iss: issuer, aud: audience, ...more }))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
    .sign(privateKey);
}

/** What a program was given by a user. */
export function userTokenOf(store: TestApp, userId: number, scope = ''): Promise<string> {
  return tokenOf(store, { sub: subjectOf(userId), scope });
}

export function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A call without another credential. */
export function asBearer(token: string): Call {
  return { key: null, headers: bearer(token) };
}
