import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Credentials } from '../engine/access/credentials.js';
import { Database } from '../engine/database/database.js';
import { engineOf } from '../engine/database/engine.js';
import { EventLog } from '../engine/events/event-log.js';
import { LiveEvents } from '../engine/events/live-events.js';
import { Tailer } from '../engine/events/tailer.js';
import { GraphqlInstruments } from '../engine/graphql/instruments.js';
import { EventStreams } from '../engine/http/event-streams.js';
import { LoopGuard } from '../engine/http/loop-guard.js';
import { RequestMetrics } from '../engine/http/request-metrics.js';
import { DATABASE_METRICS, EVENT_METRICS, USE_METRICS } from '../engine/metrics/domain-catalogue.js';
import { Metrics, type Sample } from '../engine/metrics/registry.js';
import { HeldBytes } from '../engine/rate-limits/held-bytes.js';
import { Places } from '../engine/rate-limits/places.js';
import { Tracing } from '../engine/tracing/tracing.js';
import { RateLimits } from '../engine/rate-limits/rate-limits.js';

/** Tells `Metrics` how to read the instruments of the database (ADR 44). */
@Injectable()
export class DatabaseInstruments implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const { metrics } = this;
    const { unitOfWork, reads, replicaReads, scans, pool, dataSource, replica } = this.database;
    const isSqlite = engineOf(dataSource) === 'sqlite';
    const system = isSqlite ? 'sqlite' : 'postgresql';
    metrics.add(DATABASE_METRICS.statements, () =>
      Object.entries({
        reads,
        writes: unitOfWork,
        scans,
        ...(replica !== null && { replica: replicaReads }),
      }).map(([name, { statements }]): Sample => [
        { db_system_name: system, db_client_connection_pool_name: name },
        statements,
      ]),
    );
    metrics.add(DATABASE_METRICS.acts, () => labelled('result', unitOfWork.acts.entries()));
    metrics.addValue(DATABASE_METRICS.pendingActs, () => unitOfWork.pending);
    metrics.addValue(DATABASE_METRICS.commits, () => unitOfWork.commits);
    metrics.addValue(DATABASE_METRICS.waitingScans, () => scans.waiting);
    if (isSqlite) metrics.addValue(DATABASE_METRICS.batches, () => unitOfWork.batches);
    if (pool === null) return;
    metrics.addValue(DATABASE_METRICS.replicaUsed, () => Number(replica?.isUsed ?? false));
    metrics.add(DATABASE_METRICS.replicaReads, () =>
      labelled('server', replica?.served.entries() ?? NONE_SERVED),
    );
    metrics.addValue(DATABASE_METRICS.conflicts, () => unitOfWork.conflicts.value);
    metrics.add(DATABASE_METRICS.connections, () =>
      labelled('db_client_connection_state', [
        ['idle', pool.idleCount],
        ['used', pool.totalCount - pool.idleCount],
      ]),
    );
    metrics.addValue(DATABASE_METRICS.mostConnections, () => pool.options.max);
    metrics.addValue(DATABASE_METRICS.pendingConnections, () => this.database.waitingForConnection);
  }
}

/** Tells `Metrics` how to read the instruments of the log of events and of the outbox. */
@Injectable()
export class EventInstruments implements OnModuleInit {
  private outbox = { length: 0, ageSeconds: 0 };

  constructor(
    private readonly metrics: Metrics,
    private readonly log: EventLog,
    private readonly tailer: Tailer,
    private readonly live: LiveEvents,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const { metrics, tailer } = this;
    metrics.addValue(EVENT_METRICS.position, () => tailer.position);
    metrics.addValue(EVENT_METRICS.lag, () => tailer.lags);
    if (engineOf(this.database.dataSource) === 'sqlite') return;
    metrics.prepare(() => this.readOutbox());
    metrics.addValue(EVENT_METRICS.outbox, () => this.outbox.length);
    metrics.addValue(EVENT_METRICS.outboxAge, () => this.outbox.ageSeconds);
    metrics.addValue(EVENT_METRICS.leader, () => Number(this.live.isLeader ?? false));
  }

  /** Keeps the last known values if the database does not answer. */
  private async readOutbox(): Promise<void> {
    try {
      this.outbox = await this.log.outbox();
    } catch {
      // The error is ignored here, because `/health/ready` and the log report the outage.
    }
  }
}

/** Tells `Metrics` how to read the instruments of open connections. */
@Injectable()
export class ConnectionInstruments implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly places: Places,
    private readonly held: HeldBytes,
    private readonly streams: EventStreams,
    private readonly graphql: GraphqlInstruments,
  ) {}

  onModuleInit(): void {
    const { metrics, places, held, streams, graphql } = this;
    metrics.addValue(EVENT_METRICS.webSockets, () => places.countOf('WebSockets'));
    metrics.addValue(EVENT_METRICS.streams, () => streams.count);
    metrics.addValue(EVENT_METRICS.subscriptions, () => places.countOf('subscriptions'));
    metrics.addValue(EVENT_METRICS.units, () => places.unitsOf('subscriptions'));
    metrics.addValue(EVENT_METRICS.mostUnits, () => places.most);
    metrics.addValue(EVENT_METRICS.heldBytes, () => held.total);
    metrics.add(EVENT_METRICS.closed, () => labelled('reason', graphql.closed.entries()));
    metrics.add(EVENT_METRICS.broken, () =>
      [...streams.broken.entries()].map(([kind, count]): Sample => [{ reason: BREAKS[kind] }, count]),
    );
    metrics.addValue(EVENT_METRICS.released, () => held.released.value);
  }
}

const BREAKS = { unread: 'slow', passing: 'outage', final: 'error' };

/** Tells `Metrics` how to read the instruments of GraphQL, credentials, repeated requests and traces. */
@Injectable()
export class UseInstruments implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly graphql: GraphqlInstruments,
    private readonly credentials: Credentials,
    private readonly requests: RequestMetrics,
    private readonly tracing: Tracing,
  ) {}

  onModuleInit(): void {
    const { metrics, graphql, credentials, requests, tracing } = this;
    metrics.add(USE_METRICS.operationDuration, () =>
      Object.entries(graphql.durations).map(([type, durations]): Sample => [
        { graphql_operation_type: type },
        durations,
      ]),
    );
    metrics.add(USE_METRICS.documents, () =>
      [...graphql.documents].map(([name, { value }]): Sample => [{ graphql_document: name }, value]),
    );
    metrics.addValue(USE_METRICS.refusedOperations, () => graphql.refused.value);
    metrics.add(USE_METRICS.checks, () =>
      [...credentials.checks.entries()].map(([check, count]): Sample => {
        const [scheme = '', result = ''] = check.split(' ');
        return [{ scheme, result }, count];
      }),
    );
    metrics.addValue(USE_METRICS.recalls, () => credentials.recalls.value);
    metrics.add(USE_METRICS.replays, () =>
      labelled('interface', [
        ['rest', requests.replays.value],
        ['graphql', graphql.replays.value],
      ]),
    );
    metrics.add(USE_METRICS.spans, () => labelled('result', tracing.spans.entries()));
  }
}

/** Tells `Metrics` how to read the instruments of limits. */
@Injectable()
export class LimitInstruments implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly limits: RateLimits,
    private readonly places: Places,
    private readonly database: Database,
    private readonly guard: LoopGuard,
  ) {}

  onModuleInit(): void {
    const { limits, places, database, guard } = this;
    this.metrics.add(USE_METRICS.units, () => labelled('limit', limits.taken.entries()));
    this.metrics.add(USE_METRICS.refusals, () =>
      labelled('limit', [
        ...limits.refused.entries(),
        ...[...places.refused.entries()].map(([kind, count]) => [kind.toLowerCase(), count] as const),
        ['scans', database.scans.refused],
        ['event_loop', guard.refused.value],
      ]),
    );
  }
}

const NONE_SERVED = [
  ['replica', 0],
  ['primary', 0],
] as const;

function labelled(label: string, values: Iterable<readonly [string, number]>): readonly Sample[] {
  return [...values].map(([value, count]): Sample => [{ [label]: value }, count]);
}
