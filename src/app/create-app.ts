import { ApplicationConfig, DiscoveryService, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { Credentials } from '../engine/access/credentials.js';
import { pageMaker } from '../engine/browse/page.js';
import type { Config } from '../engine/config/config.js';
import { Cursors } from '../engine/contract/cursors.js';
import { Representations } from '../engine/contract/representation.js';
import { graphqlRoutes, graphqlSseRoutes } from '../engine/graphql/graphql-routes.js';
import { GraphqlSse } from '../engine/graphql/graphql-sse.js';
import { isHandshake } from '../engine/graphql/handshake.js';
import { QueryLane } from '../engine/graphql/query-lane.js';
import { WebSockets } from '../engine/graphql/websocket.js';
import { Identification } from '../engine/http/identification.js';
import { Lanes } from '../engine/http/lane.js';
import { accessLog, logSockets, NestLog } from '../engine/http/log.js';
import { LoopGuard } from '../engine/http/loop-guard.js';
import { layPipeline } from '../engine/http/pipeline.js';
import { PlainPosts } from '../engine/http/plain-posts.js';
import { PlainReads } from '../engine/http/plain-reads.js';
import { RequestMetrics } from '../engine/http/request-metrics.js';
import { traceRequests } from '../engine/http/request-tracing.js';
import { createAdapter } from '../engine/http/server.js';
import { Turns } from '../engine/http/turns.js';
import { HeldBytes } from '../engine/rate-limits/held-bytes.js';
import { RateLimits } from '../engine/rate-limits/rate-limits.js';
import type { Tracer } from '../engine/tracing/tracer.js';
import { Tracing } from '../engine/tracing/tracing.js';
import { AccessGuard } from '../store/accounts/access.guard.js';
import { Interactions } from '../store/oauth/interactions.js';
import { layOAuth, OAUTH_ROUTES } from '../store/oauth/oauth-routes.js';
import { OAuthServer } from '../store/oauth/oauth-server.js';
import { readBuiltPages } from './pages/built-pages.js';
import { graphiqlFor, layPages, PAGE_ROUTES } from './pages/page-routes.js';

/** The whole application, ready to listen. Tests use the same application. */
export async function createApp(config: Config, logger: Logger): Promise<NestFastifyApplication> {
  // `app` exists before `count` is called, because requests come only after the application listens.
  const count = (method: string, status: number): void =>
    app.get(RequestMetrics, { strict: false }).count(method, undefined, status);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config),
    createAdapter(config.http, logger, count, isHandshake),
    { logger: new NestLog(logger), bodyParser: false, abortOnError: false },
  );
  const fastify = app.getHttpAdapter().getInstance();
  const { tracer } = app.get(Tracing, { strict: false });
  const isPlain = answersPlainly(app, config);
  const plainReads = isPlain ? plainReadsOf(app, config, tracer) : null;
  const plainPosts = isPlain ? plainPostsOf(app, config, tracer) : null;
  new Turns(app.get(HeldBytes, { strict: false })).keep(app.getHttpServer());
  if (tracer !== null) {
    const isTraced = ({ raw }: FastifyRequest): boolean =>
      plainReads?.hasFailed(raw) === true || plainPosts?.hasBegun(raw) === true;
    traceRequests(fastify, tracer, isTraced);
  }
  fastify.decorate('pageMaker', pageMaker);
  const pages = readBuiltPages();
  const limits = app.get(RateLimits, { strict: false });
  const guard = app.get(LoopGuard, { strict: false });
  const requests = app.get(RequestMetrics, { strict: false });
  requests.watch(app.getHttpServer());
  const routeSets = [
    graphqlRoutes(config.http, graphiqlFor(pages), app.get(QueryLane, { strict: false })),
    graphqlSseRoutes(config.http),
    OAUTH_ROUTES,
    PAGE_ROUTES,
  ];
  layPipeline(fastify, {
    config: config.http,
    currency: config.currency,
    guard,
    requests,
    logAccess: accessLog(logger, config.log.accessShare),
    plainReads,
    plainPosts,
    lanes: new Lanes(app.get(ApplicationConfig), app.get(DiscoveryService, { strict: false })),
    routeSets,
    shell: pages?.browse ?? null,
    identification: new Identification(app.get(Credentials, { strict: false }), limits, guard, routeSets),
    cursors: app.get(Cursors, { strict: false }),
    representations: app.get(Representations, { strict: false }),
  });
  layPages(fastify, config, pages);
  layOAuth(
    fastify,
    config.http,
    app.get(OAuthServer, { strict: false }),
    app.get(Interactions, { strict: false }),
  );
  app.get(GraphqlSse, { strict: false }).serve(fastify);
  await app.init();
  app
    .get(WebSockets, { strict: false })
    .serve(app.getHttpServer(), logSockets(logger, config.log.accessShare));
  return app;
}

/**
 * Whether some requests are answered in front of Fastify. Fastify answers all requests if a setting needs headers that
 * plain answers do not have: `Server-Timing`, the headers for the end of version 1, or CORS for some origins only.
 * Fastify also answers all requests if there is a guard other than `AccessGuard`: such a guard may need more members of
 * a request, and a plain request has only the members that the service itself uses.
 */
function answersPlainly(app: NestFastifyApplication, { http }: Config): boolean {
  const isDated = http.v1Deprecated !== null || http.v1Sunset !== null;
  const isChoosy = http.corsOrigins !== null && http.corsOrigins !== '*';
  const guards = app.get(ApplicationConfig).getGlobalGuards();
  return !(isDated || isChoosy || http.serverTiming) && guards.every((guard) => guard instanceof AccessGuard);
}

function plainReadsOf(app: NestFastifyApplication, { http }: Config, tracer: Tracer | null): PlainReads {
  const reads = new PlainReads(app.getHttpAdapter().getInstance(), http.trustProxy, tracer);
  reads.standInFrontOf(app.getHttpServer());
  return reads;
}

function plainPostsOf(app: NestFastifyApplication, { http }: Config, tracer: Tracer | null): PlainPosts {
  const posts = new PlainPosts(app.getHttpAdapter().getInstance(), http.trustProxy, tracer);
  posts.standInFrontOf(app.getHttpServer());
  return posts;
}
