import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConnectionCredentials, type CredentialHandle } from '../access/connection-credentials.js';
import { readJson } from '../contract/json.js';
import { StreamEnd } from '../contract/stream-end.js';
import { MalformedRequest, ValidationFailed } from '../errors/errors.js';
import { Tailer } from '../events/tailer.js';
import { within } from '../tracing/span.js';
import { EventStreams, type EventStream } from '../http/event-streams.js';
import { idsOf, type RequestIds } from '../contract/problem.js';
import { resultOfThrown } from './errors.js';
import { callerOf } from './context.js';
import { Execution, type Payload } from './execution.js';
import { cursorIn, FROM_NOW_ON, type Resume } from './resume.js';
import type { Delivery } from './shared-result.js';
import { Stream } from './stream.js';

export const SSE_PATH = '/graphql/stream';

/** The state of one stream. When the credential ends, a callback ends `source`, and stores the reason in `failure`. */
interface Held {
  source: Stream | null;
  failure: Error | null;
}

/**
 * GraphQL over server-sent events, in distinct connections mode: one operation for each request. Each event has its
 * cursor as `id`, so that a client can continue with `Last-Event-ID`. The operations go through the same `Execution` as
 * the operations of the WebSocket.
 */
@Injectable()
export class GraphqlSse implements OnModuleDestroy {
  constructor(
    private readonly held: ConnectionCredentials,
    private readonly execution: Execution,
    private readonly streams: EventStreams,
    private readonly tailer: Tailer,
  ) {}

  /** Call this before the application listens. `layPipeline` adds the steps before the handler. */
  serve(fastify: FastifyInstance): void {
    fastify.route({
      method: ['GET', 'POST'],
      url: SSE_PATH,
      exposeHeadRoute: false,
      handler: (request, reply) => {
        const answer = () => this.answer(request, reply);
        return request.span === null ? answer() : within(request.span, answer);
      },
    });
  }

  /**
   * Closes the streams at the same time as the WebSockets, before Apollo stops. Apollo waits until no client is
   * connected, for ten seconds at most.
   */
  onModuleDestroy(): Promise<void> {
    return this.streams.close();
  }

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.streams.requireOpen();
    const resume = resumeOf(request);
    const held: Held = { source: null, failure: null };
    const handle = await this.held.hold(request, (error) => {
      held.failure = error;
      held.source?.end();
    });
    const position = this.tailer.position;
    const outcome = await this.execute(request, handle, resume);
    const isStream = outcome instanceof Stream;
    // If no stream began, the answer has no id. An id would replace the older id that the client may have. Then the
    // client would miss the events between the two ids.
    const cursor = isStream ? String(outcome.after ?? position) : null;
    const stream = this.streams.begin(reply, cursor, () => {
      handle.release();
      if (isStream) outcome.end();
    });
    if (isStream) {
      held.source = outcome;
      return this.pump(outcome, stream, handle, () => held.failure, idsOf(request));
    }
    // The status does not report the error, because `EventSource` does not reconnect after an error status.
    if (outcome instanceof StreamEnd) return fail(stream, outcome, idsOf(request));
    await stream.send('next', JSON.stringify(outcome), null);
    await complete(stream);
  }

  /**
   * Executes the operation, and then releases the body of the request, so that a stream does not keep the body in
   * memory.
   */
  private async execute(request: FastifyRequest, handle: CredentialHandle, resume: Resume) {
    const { 'idempotency-key': key } = request.headers;
    const isSafe = request.method === 'GET';
    try {
      const payload = isSafe ? payloadInQuery(request.url) : payloadInBody(request.body);
      return await this.execution.run(
        payload,
        { ...callerOf(request), principal: handle.principal },
        {
          resume,
          isSafe,
          isCounted: true,
          keyHeader: key === undefined ? null : String(key),
          isGone: () => request.raw.socket.destroyed,
          trace: request.trace,
        },
      );
    } catch (error) {
      handle.release();
      throw error;
    } finally {
      request.body = undefined;
    }
  }

  private async pump(
    source: Stream,
    stream: EventStream,
    handle: CredentialHandle,
    failureOf: () => Error | null,
    ids: RequestIds,
  ): Promise<void> {
    const send = async ({ json, cursor }: Delivery): Promise<void> => {
      if (!handle.credential.isFresh) await handle.credential.confirm();
      return stream.send('next', json, cursor);
    };
    if (failureOf()) source.end();
    try {
      // The next event is read only after this event is sent. So a slow client falls behind, and only a bounded number
      // of events is kept for it.
      await source.forEach(send);
      const failure = failureOf();
      if (failure) throw failure;
    } catch (error) {
      const end = await this.endBy(error, handle, ids.requestId);
      this.streams.broken.add(end.kind);
      return fail(stream, end, ids);
    }
    await complete(stream);
  }

  /**
   * Decides how a stream ends after an error. If the credential has ended in the meantime, the stream ends for this
   * reason, and the caller does not learn the error.
   */
  private async endBy(
    error: unknown,
    { credential }: CredentialHandle,
    requestId: string,
  ): Promise<StreamEnd> {
    const end = StreamEnd.by(error, requestId);
    if (end.kind !== 'final' || credential.isFresh) return end;
    return credential.confirm().then(
      () => end,
      (refusal: unknown) => StreamEnd.by(refusal, requestId),
    );
  }
}

async function fail(stream: EventStream, { kind, reason, error }: StreamEnd, ids: RequestIds): Promise<void> {
  if (kind === 'unread') return stream.cut();
  if (kind === 'passing') {
    await stream.write(`: ${reason}\n\n`);
    return stream.end();
  }
  await stream.send('next', JSON.stringify(resultOfThrown(error, ids)), null);
  await complete(stream);
}

/** The usual client libraries treat an end without `complete` as a broken connection, and reconnect. */
async function complete(stream: EventStream): Promise<void> {
  await stream.send('complete', '', null);
  await stream.end();
}

/**
 * A request has at most one subscription, so the cursor belongs to the field of this subscription, whatever its name.
 *
 * @throws MalformedRequest
 */
function resumeOf({ headers }: FastifyRequest): Resume {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return FROM_NOW_ON;
  const position = cursorIn(id, 'Last-Event-ID');
  return { positionOf: () => position };
}

/** @throws MalformedRequest, ValidationFailed */
function payloadInQuery(url: string): Payload {
  const given = new URL(url, 'http://localhost').searchParams;
  const json = (name: string): unknown => {
    const text = given.get(name);
    if (text === null || text === '') return undefined;
    return valueIn(Buffer.from(text));
  };
  return payloadIn({
    query: given.get('query') ?? undefined,
    documentId: given.get('documentId') ?? undefined,
    // An empty name is the same as no name (GraphQL over HTTP, GET, Request Parameters).
    operationName: given.get('operationName') || null,
    variables: json('variables'),
    extensions: json('extensions'),
  });
}

/** @throws MalformedRequest @throws ValidationFailed */
function payloadInBody(body: unknown): Payload {
  return payloadIn(valueIn((body as Uint8Array | undefined) ?? new Uint8Array()));
}

function valueIn(bytes: Uint8Array): unknown {
  const { value, faults } = readJson(bytes);
  if (faults.length > 0) throw new ValidationFailed(faults);
  return value;
}

function payloadIn(value: unknown): Payload {
  const payload = (isObject(value) ? value : {}) as Payload;
  const { query, operationName, variables, extensions, documentId } = payload;
  const isKnown = documentId !== undefined || extensions?.['persistedQuery'] !== undefined;
  if (typeof query !== 'string' && !(query === undefined && isKnown)) {
    throw new MalformedRequest('The member "query" with the text of the operation is missing.');
  }
  if (operationName != null && typeof operationName !== 'string') {
    throw new MalformedRequest('operationName must be a text.');
  }
  for (const [name, part] of Object.entries({ variables, extensions })) {
    if (part != null && !isObject(part)) throw new MalformedRequest(`${name} must be an object.`);
  }
  return { query, operationName, variables, extensions, documentId };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
