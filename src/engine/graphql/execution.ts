import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { ApolloDriver } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import type { FormattedExecutionResult } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { RequestIds } from '../contract/problem.js';
import type { StreamEnd } from '../contract/stream-end.js';
import { RateLimits, requireTaken } from '../rate-limits/rate-limits.js';
import { EventStreams } from '../http/event-streams.js';
import { LoopGuard } from '../http/loop-guard.js';
import { contextOf, type OperationCaller } from './context.js';
import { resultOfThrown } from './errors.js';
import type { Stream } from './stream.js';
import { currentSpan, type Span } from '../tracing/span.js';
import { Tracing } from '../tracing/tracing.js';
import { UNREAD } from './operation-span.js';
import { streamOf } from './subscriptions.plugin.js';
import { requireDocumentId, withDocumentId } from './document-id.js';

/** A payload may have `documentId` instead of the text. */
export type Payload = Omit<SubscribePayload, 'query'> & {
  readonly query?: string | undefined;
  readonly documentId?: unknown;
};

type Connection = Parameters<typeof contextOf>[2] & { readonly isCounted?: boolean };

type Outcome = FormattedExecutionResult | Stream | StreamEnd;

/** Executes operations that are not HTTP requests to Apollo, through the same Apollo and its plugins. */
@Injectable()
export class Execution {
  constructor(
    private readonly modules: ModuleRef,
    private readonly limits: RateLimits,
    private readonly guard: LoopGuard,
    /** Counts the streams that an error ended. */
    readonly streams: EventStreams,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Returns a result. For a subscription, it returns a stream of results, or a `StreamEnd` if the stream cannot begin
   * right now. All other errors are in `errors` of the result, in their public form, and are reported if necessary.
   * `data` of the result is undefined if nothing was executed. The method never throws.
   *
   * @param connection the other facts about the operation. `isCounted`: the operation came as an HTTP request, which is
   *   counted already
   */
  run(payload: Payload, caller: OperationCaller, connection: Connection): Promise<Outcome> {
    const requestId = randomUUID();
    const span = this.spanOf(requestId, connection);
    const ids = { requestId, trace: span?.trace ?? connection.trace ?? null };
    const execute = () => this.execute(payload, caller, connection, ids);
    return span === null ? execute() : span.around(execute);
  }

  /**
   * An operation on a WebSocket has no headers, so it cannot continue a trace of its client. It begins a new trace. An
   * operation that came as an HTTP request is recorded only if the request is recorded.
   */
  private spanOf(requestId: string, { isCounted = false }: Connection): Span | null {
    const parent = currentSpan();
    if (parent !== undefined) return parent.child(UNREAD.inside);
    const { tracer } = this.tracing;
    if (tracer === null || isCounted || !tracer.isRecorded(null)) return null;
    return tracer.begin(UNREAD.alone, { 'store.request_id': requestId });
  }

  private async execute(
    payload: Payload,
    caller: OperationCaller,
    { isCounted = false, ...connection }: Connection,
    ids: RequestIds,
  ): Promise<Outcome> {
    const { query, operationName, variables, documentId } = payload;
    const extensions = withDocumentId(payload.extensions, documentId);
    const { subject } = caller;
    try {
      // The operation is counted first. Otherwise, an overloaded service would answer any number of operations.
      if (subject && !isCounted) requireTaken(await this.limits.take(subject));
      if (subject?.policy === 'anonymous') this.guard.requireRoom();
      this.guard.mark({ id: ids.requestId, method: 'GRAPHQL', routeOptions: { url: '/graphql' } });
      requireDocumentId(payload);
      const contextValue = contextOf(caller, ids.requestId, { ...connection, trace: ids.trace });
      const { body } = await this.apollo().executeOperation(
        {
          ...(query !== undefined && { query }),
          ...(operationName != null && { operationName }),
          ...(variables && { variables }),
          ...(extensions && { extensions }),
        },
        { contextValue },
      );
      if (body.kind !== 'single') throw new Error('Incremental delivery is not part of the schema.');
      return streamOf(body.singleResult) ?? body.singleResult;
    } catch (error) {
      return resultOfThrown(error, ids);
    }
  }

  private apollo() {
    const { graphQlAdapter } = this.modules.get<GraphQLModule<ApolloDriver>>(GraphQLModule, {
      strict: false,
    });
    return graphQlAdapter.instance;
  }
}
