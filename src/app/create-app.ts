import { ApplicationConfig, DiscoveryService, NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
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
import { logAccess, logSockets, NestLog } from '../engine/http/log.js';
import { LoopGuard } from '../engine/http/loop-guard.js';
import { layPipeline } from '../engine/http/pipeline.js';
import { RequestMetrics } from '../engine/http/request-metrics.js';
import { traceRequests } from '../engine/http/request-tracing.js';
import { createAdapter } from '../engine/http/server.js';
import { RateLimits } from '../engine/rate-limits/rate-limits.js';
import { Tracing } from '../engine/tracing/tracing.js';
import { Interactions } from '../store/oauth/interactions.js';
import { layOAuth, OAUTH_ROUTES } from '../store/oauth/oauth-routes.js';
import { OAuthServer } from '../store/oauth/oauth-server.js';
import { readBuiltPages } from './pages/built-pages.js';
import { graphiqlFor, layPages, PAGE_ROUTES } from './pages/page-routes.js';

/** The whole application, ready to listen. Tests use the same application. */
export async function createApp(config: Config, logger: Logger): Promise<NestFastifyApplication> {
  // Requests come only when the application listens, long after it is made.
  const count = (method: string, status: number): void =>
    app.get(RequestMetrics, { strict: false }).count(method, undefined, status);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config),
    createAdapter(config.http, logger, count, isHandshake),
    { logger: new NestLog(logger), bodyParser: false, abortOnError: false },
  );
  const fastify = app.getHttpAdapter().getInstance();
  const { tracer } = app.get(Tracing, { strict: false });
  if (tracer !== null) traceRequests(fastify, tracer);
  logAccess(fastify, logger, config.log.accessShare);
  fastify.decorate('pageMaker', pageMaker);
  const pages = readBuiltPages();
  const limits = app.get(RateLimits, { strict: false });
  const guard = app.get(LoopGuard, { strict: false });
  const requests = app.get(RequestMetrics, { strict: false });
  requests.watch(app.getHttpServer());
  const routeSets = [
    graphqlRoutes(graphiqlFor(pages), app.get(QueryLane, { strict: false })),
    graphqlSseRoutes(config.http),
    OAUTH_ROUTES,
    PAGE_ROUTES,
  ];
  layPipeline(fastify, {
    config: config.http,
    currency: config.currency,
    guard,
    requests,
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
