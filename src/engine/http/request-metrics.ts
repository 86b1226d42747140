import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OPERATIONS } from '../../generated/operations.js';
import { HTTP_METRICS } from '../metrics/catalogue.js';
import { Counter, Histogram } from '../metrics/instruments.js';
import { Metrics, type Labels, type Sample } from '../metrics/registry.js';
import type { AfterAnswer } from './after-answer.js';
import { presentResponse } from './node-server.js';
import type { AnyRequest } from '../contract/any-request.js';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * If true, the request is not counted at its end: it was counted when its stream of events began, or it belongs to
     * the request of a visitor.
     */
    isCounted: boolean;
  }
}

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10];
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The name that OpenTelemetry gives to a method outside of its list. */
const OTHER_METHOD = '_OTHER';
const UNMATCHED = 'unmatched';
/** The route of requests that have no series of their own, because there are too many series. */
const OTHER_ROUTE = 'other';
/**
 * The maximum number of combinations of method, route and status that have series of their own. Answers with 4xx have
 * a separate bound, so that wrong requests cannot use up the series for other answers. Each combination has 13 series.
 */
const MOST_SETS = { refused: 24, others: 72 };

/**
 * Counts the requests and their durations, by method, route and status. The route is an address that the service
 * declares, such as `/api/v1/products/{id}`, and never the path that the client sent.
 */
@Injectable()
export class RequestMetrics {
  private readonly sets = new Map<Histogram, Labels>();
  private readonly left = { ...MOST_SETS };
  private readonly routes = new Map<string, Durations>();
  private readonly folded = new Map<number, Histogram>();
  private readonly unmatched = this.routeOf(UNMATCHED);
  private readonly abandoned = new Counter();
  /** The answers of REST that repeat the answer to an earlier request with the same `Idempotency-Key`. */
  readonly replays = new Counter();
  private connections = 0;

  constructor(metrics: Metrics) {
    metrics.add(HTTP_METRICS.requestDuration, () =>
      [...this.sets].map(([histogram, labels]): Sample => [labels, histogram]),
    );
    metrics.addValue(HTTP_METRICS.abandoned, () => this.abandoned.value);
    metrics.addValue(HTTP_METRICS.connections, () => this.connections);
  }

  /**
   * Returns the function that counts the answers of a route. The function knows the route, and looks up no labels.
   *
   * @param url in the router's syntax
   */
  counterOf(url: string): AfterAnswer {
    const counted = this.routeOf(templateOf(url));
    return (request, reply) => {
      if (request.idempotencyKey?.isReplayed === true) this.replays.add();
      if (request.isCounted) return;
      const durations = counted.at(request.method, reply.statusCode);
      durations.observe(reply.elapsedTime / 1_000, request.span?.trace);
    };
  }

  /** Counts a stream of events when it begins, because it may last for days. */
  countBegun(request: AnyRequest, reply: FastifyReply): void {
    request.isCounted = true;
    this.count(request.method, request.routeOptions.url, 200, reply.elapsedTime / 1_000);
  }

  /**
   * Counts an answer that a function of `counterOf` does not count.
   *
   * @param url in the router's syntax; undefined if the router found no route
   */
  count(method: string, url: string | undefined, status: number, seconds = 0): void {
    const route = url === undefined ? this.unmatched : this.routeOf(templateOf(url));
    route.at(method, status).observe(seconds);
  }

  /** Counts the connections of a server, and the requests whose client left before the answer. */
  watch(server: Server): void {
    server.on('connection', (socket) => {
      this.connections += 1;
      socket.once('close', () => {
        this.connections -= 1;
        if (presentResponse(socket)?.headersSent === false) this.abandoned.add();
      });
    });
  }

  private routeOf(name: string): Durations {
    const known = this.routes.get(name);
    if (known) return known;
    const route = new Durations((method, status) => this.newSet(method, name, status));
    this.routes.set(name, route);
    return route;
  }

  private newSet(method: string, route: string, status: number): Histogram {
    const kind = status >= 400 && status < 500 ? 'refused' : 'others';
    if (this.left[kind] > 0) {
      this.left[kind] -= 1;
      return this.kept(method, route, status);
    }
    const folded = this.folded.get(status) ?? this.kept(OTHER_METHOD, OTHER_ROUTE, status);
    this.folded.set(status, folded);
    return folded;
  }

  private kept(method: string, route: string, status: number): Histogram {
    const histogram = new Histogram(BOUNDS);
    this.sets.set(histogram, {
      http_request_method: method,
      http_route: route,
      http_response_status_code: String(status),
    });
    return histogram;
  }
}

/** The durations of the requests for one route, by method and status. */
class Durations {
  private readonly known = new Map<string, Histogram[]>();

  constructor(private readonly make: (method: string, status: number) => Histogram) {}

  at(method: string, status: number): Histogram {
    return this.known.get(method)?.[status] ?? this.add(methodOf(method), status);
  }

  private add(method: string, status: number): Histogram {
    const own = this.known.get(method) ?? [];
    this.known.set(method, own);
    return (own[status] ??= this.make(method, status));
  }
}

/** The name of a method in metrics and traces. */
export function methodOf(method: string): string {
  return METHODS.has(method) ? method : OTHER_METHOD;
}

/**
 * The address in the contract for each address in the router's syntax. The short form of a path has the address of the
 * whole path.
 */
const TEMPLATES: ReadonlyMap<string, string> = new Map(
  Object.values(OPERATIONS).flatMap(({ paths }) =>
    paths.map((path): [string, string] => [path, inContract(paths[0] as string)]),
  ),
);

/** @param url in the router's syntax */
export function templateOf(url: string): string {
  return TEMPLATES.get(url) ?? inContract(url);
}

function inContract(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
