import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { OperationTypeNode, type FormattedExecutionResult } from 'graphql';
import type { OperationRequest } from './admitted-operation.js';
import { complete, mediaTypeFor } from './answer.js';
import type { CompiledOperations } from './compiled-operations.js';
import { httpContextOf } from './context.js';
import { resultOfThrown } from './errors.js';
import type { OperationReader, Reading } from './read-operation.js';

interface Parts {
  readonly reader: OperationReader;
  readonly compiled: CompiledOperations;
  readonly maxCost: number;
}

/**
 * Answers queries whose text is known and compiled, without Apollo. They are read by the same reader, executed by the
 * same compiled code and answered in the same way as behind Apollo; only the steps of Apollo itself are left out. All
 * other requests go to Apollo: mutations, GET, new texts, hashes of texts, and requests that are malformed.
 */
@Injectable()
export class QueryLane {
  private parts: Parts | null = null;

  /** Begins to answer. Before this, Apollo gets every request. */
  open(parts: Parts): void {
    this.parts = parts;
  }

  inFrontOf(apollo: RouteHandlerMethod): RouteHandlerMethod {
    return (request, reply) => {
      const known = this.knownOperation(request);
      return known ? this.answer(known, request, reply) : apollo.call(request.server, request, reply);
    };
  }

  /** Returns null if Apollo must answer the request. */
  private knownOperation(request: FastifyRequest): OperationRequest | null {
    if (this.parts === null || request.method !== 'POST') return null;
    const { body } = request;
    if (!isRecord(body) || mediaTypeFor(request.headers.accept) === null) return null;
    const { query, operationName, variables, extensions, documentId } = body;
    if (typeof query !== 'string' || query === '' || documentId != null) return null;
    if (operationName != null && typeof operationName !== 'string') return null;
    if (variables != null && !isRecord(variables)) return null;
    if (extensions != null && (!isRecord(extensions) || extensions['persistedQuery'] != null)) return null;
    const operation = this.parts.reader.knownOperation(query, operationName ?? undefined);
    if (operation?.operation !== OperationTypeNode.QUERY || !this.parts.compiled.isCompiled(operation))
      return null;
    return {
      query,
      operationName: operationName ?? undefined,
      variables: variables ?? undefined,
      extensions: extensions ?? undefined,
      http: request,
    };
  }

  private async answer(
    operation: OperationRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const { reader, compiled, maxCost } = this.parts as Parts;
    const context = httpContextOf(request);
    let reading: Reading | null = null;
    let result: FormattedExecutionResult;
    try {
      reading = await reader.readOperation(operation, context);
      context.admitted = reading?.admitted ?? null;
      const executed = context.admitted && (await compiled.run(context.admitted, context));
      result = executed ?? { errors: reading?.errors ?? [] };
    } catch (error) {
      result = resultOfThrown(error, request.id);
    }
    const { status, headers } = complete(result, reading, {
      requestId: request.id,
      mediaType: mediaTypeFor(request.headers.accept),
      hasText: true,
      maxCost,
    });
    for (const [name, value] of headers) void reply.header(name, value);
    if (status !== undefined) void reply.code(status);
    const { errors, data, extensions } = result;
    return `${JSON.stringify({ errors, data, extensions })}\n`;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
