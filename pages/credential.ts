const PLACE = 'store:credential';

/** The credential of the visitor, as one header of each request. */
export interface Credential {
  readonly kind: 'key' | 'token' | 'basic';
  readonly name: string;
  readonly value: string;
}

/** The credential is kept only for this tab. It is never in an address or a cookie. */
export function keptCredential(): Credential | null {
  const text = sessionStorage.getItem(PLACE);
  return text === null ? null : (JSON.parse(text) as Credential);
}

export function keep(credential: Credential): void {
  sessionStorage.setItem(PLACE, JSON.stringify(credential));
}

export function forget(): void {
  sessionStorage.removeItem(PLACE);
}

export function byKey(key: string): Credential {
  return { kind: 'key', name: 'X-API-Key', value: key };
}

export function byToken(token: string): Credential {
  return { kind: 'token', name: 'Authorization', value: `Bearer ${token}` };
}

export function byPassword(email: string, password: string): Credential {
  const bytes = new TextEncoder().encode(`${email}:${password}`);
  return { kind: 'basic', name: 'Authorization', value: `Basic ${btoa(String.fromCodePoint(...bytes))}` };
}
