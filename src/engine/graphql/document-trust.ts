import { Logger } from '@nestjs/common';
import type { TrustMode } from '../config/settings.js';
import { StoreError } from '../errors/errors.js';
import type { OperationRequest } from './admitted-operation.js';
import { hashIn, wrongHash } from './document-id.js';
import { hashOf, type TrustedDocuments } from './trusted-documents.js';

/** The number of different texts that are logged. It is bounded, so that clients cannot fill the log. */
const MOST_TOLD = 1_000;

/** Clients recognise this code and message. They then send the request again, with the text of the query. */
class PersistedQueryNotFound extends StoreError {
  readonly code = 'PERSISTED_QUERY_NOT_FOUND';
}

class DocumentNotTrusted extends StoreError {
  readonly code = 'DOCUMENT_NOT_TRUSTED';
}

export interface GivenText {
  readonly text: string;
  /** The hash of the text if the text is not trusted; null if it is trusted, or if trust is not checked. */
  readonly untrusted: string | null;
  /** The file of the trusted document; null if the text is not trusted, or if trust is not checked. */
  readonly document: string | null;
}

/**
 * Finds the text of an operation, and decides whether it may be executed. A request names a trusted document by its
 * hash, as `extensions.persistedQuery.sha256Hash`, which Apollo's clients send, or as `documentId` (GraphQL over HTTP,
 * appendix on persisted documents).
 */
export class DocumentTrust {
  private readonly logger = new Logger('TrustedDocuments');
  private readonly told = new Set<string>();

  constructor(
    private readonly mode: TrustMode,
    private readonly documents: TrustedDocuments,
  ) {}

  /**
   * Returns null if the request has neither a text nor a hash, or has a hash although trust is not checked.
   *
   * @throws PersistedQueryNotFound, DocumentNotTrusted, ValidationFailed
   */
  textOf(request: OperationRequest): GivenText | null {
    const given = request.query || undefined;
    if (this.mode === 'off') {
      const isHash = Boolean(request.extensions?.['persistedQuery']);
      return given === undefined || isHash ? null : { text: given, untrusted: null, document: null };
    }
    const hash = hashIn(request);
    if (given === undefined) {
      if (hash === undefined) return null;
      const text = this.documents.textOf(hash);
      if (text === undefined) throw new PersistedQueryNotFound('PersistedQueryNotFound');
      return { text, untrusted: null, document: this.documents.fileOf(hash) };
    }
    const own = hashOf(given);
    if (hash !== undefined && hash !== own) throw wrongHash(request, 'is not the hash of "query"');
    if (this.documents.textOf(own) !== undefined)
      return { text: given, untrusted: null, document: this.documents.fileOf(own) };
    if (this.mode === 'only') {
      throw new DocumentNotTrusted(
        `This service executes only trusted documents. This document, sha256:${own}, is not one of them.`,
      );
    }
    return { text: given, untrusted: own, document: null };
  }

  /** The texts of the trusted documents. */
  texts(): readonly string[] {
    return this.documents.all().map(({ text }) => text);
  }

  /** The text of the trusted document whose hash the extensions have; undefined if there is none. */
  knownText(extensions: OperationRequest['extensions']): string | undefined {
    const persisted = extensions?.['persistedQuery'] as { readonly sha256Hash?: unknown } | null | undefined;
    const hash = persisted?.sha256Hash;
    return this.mode !== 'off' && typeof hash === 'string' ? this.documents.textOf(hash) : undefined;
  }

  /** Logs an operation that is executed although its text is not trusted, once for each text. */
  note({ untrusted: hash }: GivenText, operationName: string | undefined, requestId: string): void {
    if (hash === null || this.told.has(hash) || this.told.size >= MOST_TOLD) return;
    this.told.add(hash);
    this.logger.warn(
      { requestId, sha256: hash, operationName },
      'a document that is not trusted was executed',
    );
  }
}
