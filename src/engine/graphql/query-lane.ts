import { Injectable } from '@nestjs/common';
import type { FastifyReply, RouteHandlerMethod } from 'fastify';
import { OperationTypeNode, type FormattedExecutionResult, type GraphQLFormattedError } from 'graphql';
import type { OperationRequest } from './admitted-operation.js';
import { complete, mediaTypeFor } from './answer.js';
import type { CompiledOperations } from './compiled-operations.js';
import { httpContextOf, type GraphqlContext } from './context.js';
import { withDocumentId } from './document-id.js';
import type { GraphqlInstruments } from './instruments.js';
import type { OperationReader, Reading } from './read-operation.js';
import { spanOf } from './operation-span.js';
import type { AnyRequest } from '../contract/any-request.js';

interface Parts {
  readonly reader: OperationReader;
  readonly compiled: CompiledOperations;
  readonly instruments: GraphqlInstruments;
  readonly maxCost: number;
}

/**
 * Every text with a mutation or a subscription has one of these words. A query may have them too, for example in a
 * comment. Then Apollo answers it until the text is kept.
 */
const OTHER_OPERATIONS = /\b(?:mutation|subscription)\b/;

/**
 * Answers queries without Apollo. They are read by the same reader, executed by the same code and answered in the same
 * way as with Apollo. Only the steps of Apollo itself are left out. All other requests go to Apollo, such as mutations,
 * GET, a text together with its hash, and requests that are malformed.
 */
@Injectable()
export class QueryLane {
  private parts: Parts | null = null;

  /** Begins to answer. Before this call, Apollo gets every request. */
  open(parts: Parts): void {
    this.parts = parts;
  }

  inFrontOf(apollo: RouteHandlerMethod): RouteHandlerMethod {
    return (request, reply) =>
      this.answerQuery(request, reply) ?? apollo.call(request.server, request, reply);
  }

  /** Answers a request with a body that was read. Returns null if Apollo must answer it. */
  answerQuery(request: AnyRequest, reply: FastifyReply): string | Promise<string> | null {
    const query = this.queryIn(request);
    if (query === null) return null;
    const answer = (): string | Promise<string> => this.answer(query, request, reply);
    return request.span === null ? answer() : spanOf(request.span).around(answer);
  }

  /** Returns null if Apollo must answer the request. */
  private queryIn(request: AnyRequest): OperationRequest | null {
    if (this.parts === null || request.method !== 'POST') return null;
    const { body } = request;
    if (!isRecord(body) || mediaTypeFor(request.headers.accept) === null) return null;
    const { query, operationName, variables, documentId } = body;
    if (query != null && typeof query !== 'string') return null;
    if (operationName != null && typeof operationName !== 'string') return null;
    if (variables != null && !isRecord(variables)) return null;
    if (body['extensions'] != null && !isRecord(body['extensions'])) return null;
    const extensions = withDocumentId(body['extensions'], documentId);
    const hasHash = extensions?.['persistedQuery'] != null;
    if (hasHash === Boolean(query)) return null;
    const text = query || this.parts.reader.trustedText(extensions);
    if (text === undefined) return null;
    const known = this.parts.reader.knownOperation(text, operationName ?? undefined);
    const isQuery = known ? known.operation === OperationTypeNode.QUERY : !OTHER_OPERATIONS.test(text);
    if (!isQuery) return null;
    return {
      query: query ?? undefined,
      operationName: operationName ?? undefined,
      variables: variables ?? undefined,
      extensions,
      http: request,
    };
  }

  private answer(
    operation: OperationRequest,
    request: AnyRequest,
    reply: FastifyReply,
  ): string | Promise<string> {
    const { reader, instruments, maxCost } = this.parts as Parts;
    const begunAt = performance.now();
    const context = httpContextOf(request);
    const finish = ({ reading, data, errors }: Outcome): string => {
      if (reading?.admitted) instruments.durations.query.observe((performance.now() - begunAt) / 1_000);
      // The values of `data` matter only if there are errors.
      const known = errors && data !== undefined ? (JSON.parse(data) as Record<string, unknown>) : {};
      const result: FormattedExecutionResult = {
        ...(errors && { errors }),
        ...(data !== undefined && { data: known }),
      };
      const { status, headers } = complete(result, reading, {
        ids: context,
        mediaType: mediaTypeFor(request.headers.accept),
        hasText: true,
        maxCost,
      });
      for (const [name, value] of headers) void reply.header(name, value);
      if (status !== undefined) void reply.code(status);
      const members = [
        ...(errors ? [`"errors":${JSON.stringify(errors)}`] : []),
        ...(data === undefined ? [] : [`"data":${data}`]),
        ...(result.extensions ? [`"extensions":${JSON.stringify(result.extensions)}`] : []),
      ];
      return `{${members.join(',')}}\n`;
    };
    const reading = reader.readOperation(operation, context);
    const outcome =
      reading instanceof Promise
        ? reading.then((known) => this.execute(known, context))
        : this.execute(reading, context);
    return outcome instanceof Promise ? outcome.then(finish) : finish(outcome);
  }

  private execute(reading: Reading | null, context: GraphqlContext): Outcome | Promise<Outcome> {
    const admitted = reading?.admitted;
    if (!admitted) return { reading, data: undefined, errors: reading?.errors ?? [] };
    context.admitted = admitted;
    const { compiled } = this.parts as Parts;
    const result = compiled.run(admitted, context) ?? compiled.interpreted(admitted, context);
    if (result instanceof Promise) return result.then((known) => ({ reading, ...known }));
    return { reading, ...result };
  }
}

/** The data for an answer. */
interface Outcome {
  readonly reading: Reading | null;
  /** The data as JSON; undefined if nothing was executed. */
  readonly data: string | undefined;
  readonly errors: readonly GraphQLFormattedError[] | undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
