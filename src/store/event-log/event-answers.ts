import { Injectable } from '@nestjs/common';
import type { Asker } from '../../engine/database/asker.js';
import { ConnectionCredentials, type CredentialHandle } from '../../engine/access/connection-credentials.js';
import { LiveAnswer, type StreamWish } from '../../engine/contract/live-answer.js';
import type { ApiVersion } from '../../engine/contract/representation.js';
import { bodyOf } from '../../engine/http/error.filter.js';
import { EventStreams, type EventStream } from '../../engine/http/event-streams.js';
import { idsOf, problemOf, report, type RequestIds } from '../../engine/contract/problem.js';
import { StreamEnd } from '../../engine/contract/stream-end.js';
import { Places, type Place } from '../../engine/rate-limits/places.js';
import { RateLimits } from '../../engine/rate-limits/rate-limits.js';
import { EventFeed } from '../../engine/events/event-feed.js';
import { EventViews, type EventsWanted } from './event-views.js';
import type { Flow } from '../../engine/events/flow.js';
import type { StoreEvent } from '../../engine/events/store-event.js';
import { Tailer } from '../../engine/events/tailer.js';

interface Followed {
  readonly version: ApiVersion;
  readonly events: Flow<StoreEvent>;
  readonly wanted: EventsWanted;
  readonly handle: CredentialHandle;
  readonly failureOf: () => Error | null;
}

/** The answers of `listEvents` as a stream. */
@Injectable()
export class EventAnswers {
  constructor(
    private readonly feed: EventFeed,
    private readonly tailer: Tailer,
    private readonly views: EventViews,
    private readonly held: ConnectionCredentials,
    private readonly streams: EventStreams,
    private readonly limits: RateLimits,
    private readonly places: Places,
  ) {}

  /**
   * @param after null for events that happen from now on
   * @throws CursorInvalid, CursorExpired, RateLimited, Unauthenticated, Unavailable before the stream begins
   */
  async begin(
    version: ApiVersion,
    after: number | null,
    wanted: EventsWanted,
    { caller, lastEventId }: StreamWish,
    asker: Asker,
  ): Promise<never> {
    this.streams.requireOpen();
    const start = lastEventId === null ? after : Math.max(after ?? 0, Number(lastEventId));
    let events: Flow<StoreEvent> | null = null;
    let failure: Error | null = null;
    const handle = await this.held.hold(caller, (error) => {
      failure = error;
      events?.end();
    });
    const position = start ?? this.tailer.position;
    let place: Place | null = null;
    const leave = (): void => {
      handle.release();
      place?.free();
    };
    try {
      place = this.places.take('subscriptions', this.limits.of(handle.principal, caller.ip));
      events = await this.feed.follow('everything', start, asker);
    } catch (error) {
      leave();
      throw error;
    }
    const followed: Followed = { version, events, wanted, handle, failureOf: () => failure };
    return LiveAnswer.instead((request, reply) => {
      const stream = this.streams.begin(reply, String(position), () => {
        leave();
        followed.events.end();
      });
      void this.pump(followed, stream, idsOf(request), request.url.split('?', 1)[0] as string);
    });
  }

  /** Never rejects. */
  private async pump(
    { version, events, wanted, handle, failureOf }: Followed,
    stream: EventStream,
    ids: RequestIds,
    path: string,
  ): Promise<void> {
    if (failureOf()) events.end();
    try {
      await events.forEach(async (event) => {
        if (!handle.credential.isFresh) await handle.credential.confirm();
        const view = this.views.viewOf(version, event, handle.principal, wanted);
        // The next event is read only after this one is sent, so a slow client falls behind. A client that is too far
        // behind is cut off. So only a limited number of events is kept in memory for each client.
        if (view) await stream.send(null, JSON.stringify(view), view.cursor);
      });
      const failure = failureOf();
      if (failure) throw failure;
    } catch (error) {
      const end = StreamEnd.by(error, ids.requestId);
      this.streams.broken.add(end.kind);
      if (end.kind === 'unread') return stream.cut();
      const problem = problemOf(end.error);
      if (end.kind === 'final') report(problem, ids.requestId);
      await stream.send('problem', JSON.stringify(bodyOf(problem, path, ids)), null);
    }
    await stream.end();
  }
}
