import type { GraphQLRequest } from '@apollo/server';
import { MessageType } from 'graphql-ws';
import { ValidationFailed } from '../errors/errors.js';
import type { OperationRequest } from './admitted-operation.js';

interface Payload {
  query?: unknown;
  readonly documentId?: unknown;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

/**
 * Requires that `documentId` is a text, if it is present and not null. Call this before Apollo reads the body, because
 * Apollo does not know `documentId`.
 *
 * @throws ValidationFailed
 */
export function requireDocumentId(payload: unknown): void {
  const id = (payload as { documentId?: unknown } | null)?.documentId;
  if (id == null || typeof id === 'string') return;
  throw new ValidationFailed([{ pointer: '#/documentId', code: 'WRONG_TYPE', detail: 'must be a text' }]);
}

/**
 * The value of `persistedQuery` that is made from a `documentId`. The error for such a value has the JSON Pointer of
 * `documentId`, because the client sent this member.
 */
class OfDocumentId {
  readonly version = 1;

  constructor(readonly sha256Hash: string) {}
}

/** Converts `documentId` to `extensions.persistedQuery`, so that the id has only one form. */
export function withDocumentId(
  extensions: Record<string, unknown> | null | undefined,
  documentId: unknown,
): Record<string, unknown> | undefined {
  if (typeof documentId !== 'string') return extensions ?? undefined;
  return { ...extensions, persistedQuery: new OfDocumentId(documentId.replace(/^sha256:/, '')) };
}

/**
 * Converts the `documentId` of an HTTP request that Apollo hands on. This member is in the body, or in the query of the
 * URL.
 */
export function takeDocumentId(request: GraphQLRequest): void {
  const { http } = request;
  if (!http) return;
  const inBody = (http.body as { readonly documentId?: unknown } | undefined)?.documentId;
  const documentId =
    http.method === 'GET' ? (new URLSearchParams(http.search).get('documentId') ?? undefined) : inBody;
  const extensions = withDocumentId(request.extensions, documentId);
  if (extensions) request.extensions = extensions;
}

/**
 * Adds an empty text to a WebSocket message that has the hash of a trusted document instead of a text. graphql-ws
 * requires a text.
 */
export function addEmptyText(message: unknown): void {
  const { type, payload } = (message ?? {}) as { readonly type?: unknown; readonly payload?: Payload | null };
  if (type !== MessageType.Subscribe || payload == null || payload.query !== undefined) return;
  if (payload.documentId != null || payload.extensions?.['persistedQuery'] != null) payload.query = '';
}

/** @throws ValidationFailed */
export function hashIn(request: OperationRequest): string | undefined {
  const { extensions } = request;
  const persistedQuery = extensions?.['persistedQuery'] as
    { readonly sha256Hash?: unknown } | null | undefined;
  if (persistedQuery == null) return undefined;
  const { sha256Hash } = persistedQuery;
  if (typeof sha256Hash === 'string' && /^[\da-f]{64}$/.test(sha256Hash)) return sha256Hash;
  throw wrongHash(request, 'must be a SHA-256 in 64 lower-case hexadecimal digits');
}

export function wrongHash({ extensions }: OperationRequest, detail: string): ValidationFailed {
  const pointer =
    extensions?.['persistedQuery'] instanceof OfDocumentId
      ? '#/documentId'
      : '#/extensions/persistedQuery/sha256Hash';
  return new ValidationFailed([{ pointer, code: 'PATTERN', detail }]);
}

export function withoutHash(given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { persistedQuery: _, ...extensions } = given;
  return extensions;
}
