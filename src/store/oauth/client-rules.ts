import { ValidationFailed, type Fault } from '../../engine/errors/errors.js';
import type { NewClient } from './client.entity.js';

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
// Schemes that a redirect must not have. With some of them, a browser may run the URI as code, or read a file. With the
// others, no program gets the answer.
const NEVER = /^(javascript|vbscript|data|blob|file|about|ws|wss|ftp):/i;

/** @throws ValidationFailed with all faults of the new client */
export function requireSound({ isConfidential, grantTypes, redirectUris, mayIntrospect }: NewClient): void {
  const faults: Fault[] = [];
  const refuse = (pointer: string, detail: string): void => {
    faults.push({ pointer: `#/${pointer}`, code: 'NOT_ALLOWED', detail });
  };
  const isForUsers = grantTypes.includes('authorization_code');
  if (!isConfidential && grantTypes.includes('client_credentials')) {
    refuse('grant_types', 'must not have client_credentials for a public client, because it has no secret');
  }
  if (!isForUsers && grantTypes.includes('refresh_token')) {
    refuse('grant_types', 'must have authorization_code if it has refresh_token');
  }
  if (!isConfidential && mayIntrospect) refuse('may_introspect', 'must not be true for a public client');
  if (isForUsers && redirectUris.length === 0) {
    refuse('redirect_uris', 'must have at least one address with authorization_code');
  }
  if (!isForUsers && redirectUris.length > 0) {
    refuse('redirect_uris', 'must be empty without authorization_code');
  }
  redirectUris.forEach((uri, index) => {
    const fault = faultOfRedirect(uri, isConfidential);
    if (fault !== null) refuse(`redirect_uris/${index}`, fault);
  });
  if (faults.length > 0) throw new ValidationFailed(faults);
}

/** The rules are in RFC 8252, sections 7 and 8, and RFC 9700, section 2.1. */
function faultOfRedirect(text: string, isConfidential: boolean): string | null {
  const url = URL.parse(text);
  if (!url || /[#*]/.test(text)) return 'must be a URI without a fragment or a wildcard';
  if (NEVER.test(text)) return `must not have the scheme ${url.protocol.slice(0, -1)}`;
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password';
  if (url.protocol === 'https:') return null;
  if (url.protocol === 'http:') {
    return LOOPBACK.has(url.hostname) ? null : 'must be https, except on the same machine';
  }
  if (isConfidential) return 'must be https, or http on the same machine';
  return url.protocol.includes('.')
    ? null
    : 'must be https, or have a scheme with a dot in it, such as com.example.app';
}

/** Whether the URI leads to an app instead of a site. */
export function isNative(uri: string): boolean {
  return !uri.startsWith('https:');
}
