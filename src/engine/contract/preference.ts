import type { FastifyReply } from 'fastify';
import type { AnyRequest } from './any-request.js';

type Return = 'minimal' | 'representation';

/** The answer that a client prefers for a change (RFC 7240, section 4.2). The first `return` counts. */
export function preferredReturn(header: string | undefined): Return | null {
  if (header === undefined) return null;
  for (const part of header.split(',')) {
    const [, value] = /^\s*return\s*=\s*"?([a-z]+)"?\s*(?:;|$)/i.exec(part) ?? [];
    const wanted = value?.toLowerCase();
    if (wanted === 'minimal' || wanted === 'representation') return wanted;
    if (wanted !== undefined) return null;
  }
  return null;
}

/** Sets `Preference-Applied`. Returns true if the client wants no body. */
export function applyPreference({ headers }: AnyRequest, reply: FastifyReply): boolean {
  const wanted = preferredReturn(headers['prefer'] as string | undefined);
  if (wanted === null) return false;
  reply.header('preference-applied', `return=${wanted}`);
  return wanted === 'minimal';
}
