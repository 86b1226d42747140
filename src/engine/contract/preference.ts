import type { FastifyReply, FastifyRequest } from 'fastify';

type Return = 'minimal' | 'representation';

/** What a client would like to get back from a change (RFC 7240, section 4.2); the first word on it counts. */
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

/** Says which preference was kept to. True when the client wants no body. */
export function applyPreference({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const wanted = preferredReturn(headers['prefer'] as string | undefined);
  if (wanted === null) return false;
  reply.header('preference-applied', `return=${wanted}`);
  return wanted === 'minimal';
}
