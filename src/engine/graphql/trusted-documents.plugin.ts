import type { ApolloServerPlugin, GraphQLRequest } from '@apollo/server';
import { Logger } from '@nestjs/common';
import type { TrustMode } from '../config/config.js';
import { StoreError, ValidationFailed } from '../errors/errors.js';
import { NOTHING } from './admission.plugin.js';
import type { GraphqlContext } from './context.js';
import { hashOf, type TrustedDocuments } from './trusted-documents.js';

/** The number of texts that are logged, so that clients cannot fill the log. */
const MOST_TOLD = 1_000;

/** Clients recognize this code and message, and send the text as well. */
class PersistedQueryNotFound extends StoreError {
  readonly code = 'PERSISTED_QUERY_NOT_FOUND';
}

class DocumentNotTrusted extends StoreError {
  readonly code = 'DOCUMENT_NOT_TRUSTED';
}

interface Asked {
  readonly text: string;
  readonly isTrusted: boolean;
}

/**
 * Replaces the hash of a trusted document by its text, and decides on texts. A hash comes as
 * `extensions.persistedQuery.sha256Hash`, which Apollo's clients send, or as `documentId` (GraphQL over HTTP, appendix
 * on persisted documents).
 */
export function trustedDocumentsPlugin(
  mode: TrustMode,
  documents: TrustedDocuments,
): ApolloServerPlugin<GraphqlContext> {
  const logger = new Logger('TrustedDocuments');
  const told = new Set<string>();

  const tell = (text: string, { operationName }: GraphQLRequest, { requestId }: GraphqlContext): void => {
    const hash = hashOf(text);
    if (told.has(hash) || told.size >= MOST_TOLD) return;
    told.add(hash);
    logger.warn({ requestId, sha256: hash, operationName }, 'a document that is not trusted was executed');
  };

  const textOf = (request: GraphQLRequest): Asked | null => {
    const hash = hashIn(request);
    const given = request.query || undefined;
    if (given === undefined) {
      if (hash === undefined) return null;
      const text = documents.textOf(hash);
      if (text === undefined) throw new PersistedQueryNotFound('PersistedQueryNotFound');
      return { text, isTrusted: true };
    }
    if (hash !== undefined && hash !== hashOf(given)) throw wrongHash(request, 'is not that of query');
    const isTrusted = documents.has(given);
    if (!isTrusted && mode === 'only') {
      throw new DocumentNotTrusted(
        `Only documents that the service knows are executed here; this one, sha256:${hashOf(given)}, is none of them.`,
      );
    }
    return { text: given, isTrusted };
  };

  return {
    requestDidStart: async ({ request, contextValue }) => {
      takeDocumentId(request);
      if (mode === 'off') return undefined;
      let refusal: Error | null = null;
      let asked: Asked | null = null;
      try {
        asked = textOf(request);
        if (asked) request.query = asked.text;
      } catch (error) {
        refusal = error as Error;
        request.query = NOTHING;
      }
      const { persistedQuery: _, ...extensions } = request.extensions ?? {};
      request.extensions = extensions;
      return {
        didResolveOperation: async ({ operation }) => {
          if (refusal) throw refusal;
          // Only executable documents are logged: others would take their places in `told`.
          if (operation && asked && !asked.isTrusted) tell(asked.text, request, contextValue);
        },
      };
    },
  };
}

/**
 * Call this before Apollo reads the body: Apollo does not know `documentId`.
 *
 * @throws ValidationFailed
 */
export function requireDocumentId(payload: unknown): void {
  const id = (payload as { documentId?: unknown } | null)?.documentId;
  if (id == null || typeof id === 'string') return;
  throw new ValidationFailed([{ pointer: '#/documentId', code: 'WRONG_TYPE', detail: 'must be a text' }]);
}

/** The values that were made from a `documentId`. Their faults point to the place where the client wrote it. */
const MADE = new WeakSet<object>();

/** Converts `documentId` to `extensions.persistedQuery`, so that there is only one form. */
export function withDocumentId(
  extensions: Record<string, unknown> | null | undefined,
  documentId: unknown,
): Record<string, unknown> | undefined {
  if (typeof documentId !== 'string') return extensions ?? undefined;
  const persistedQuery = { version: 1, sha256Hash: documentId.replace(/^sha256:/, '') };
  MADE.add(persistedQuery);
  return { ...extensions, persistedQuery };
}

function takeDocumentId(request: GraphQLRequest): void {
  const { http } = request;
  if (!http) return;
  const inBody = (http.body as { readonly documentId?: unknown } | undefined)?.documentId;
  const documentId =
    http.method === 'GET' ? (new URLSearchParams(http.search).get('documentId') ?? undefined) : inBody;
  const extensions = withDocumentId(request.extensions, documentId);
  if (extensions) request.extensions = extensions;
}

/** @throws ValidationFailed */
function hashIn(request: GraphQLRequest): string | undefined {
  const { extensions } = request;
  const persistedQuery = extensions?.['persistedQuery'] as
    { readonly sha256Hash?: unknown } | null | undefined;
  if (persistedQuery == null) return undefined;
  const { sha256Hash } = persistedQuery;
  if (typeof sha256Hash === 'string' && /^[\da-f]{64}$/.test(sha256Hash)) return sha256Hash;
  throw wrongHash(request, 'must be a SHA-256 in 64 lower-case hexadecimal digits');
}

function wrongHash({ extensions }: GraphQLRequest, detail: string): ValidationFailed {
  const isMade = MADE.has(extensions?.['persistedQuery'] as object);
  const pointer = isMade ? '#/documentId' : '#/extensions/persistedQuery/sha256Hash';
  return new ValidationFailed([{ pointer, code: 'PATTERN', detail }]);
}
