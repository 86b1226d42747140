import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { Credentials } from './auth/credentials.js';
import type { Config } from './config.js';
import { Cursors } from './contract/cursors.js';
import { Representations } from './contract/representation.js';
import { GraphqlSse } from './graphql/graphql-sse.js';
import { WebSockets } from './graphql/websocket.js';
import { Identification } from './http/identification.js';
import { logAccess, logSockets, NestLog } from './http/log.js';
import { LoopGuard } from './http/loop-guard.js';
import { layPipeline } from './http/pipeline.js';
import { createAdapter } from './http/server.js';
import { RateLimits } from './rate-limits/rate-limits.js';
import { Interactions } from './oauth/interactions.js';
import { layOAuth } from './oauth/oauth-routes.js';
import { OAuthServer } from './oauth/oauth-server.js';
import { readBuiltPages } from './pages/built-pages.js';
import { layPages } from './pages/page-routes.js';

/** The whole application, ready to listen; tests start the same one. */
export async function createApp(config: Config, logger: Logger): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.with(config),
    createAdapter(config, logger),
    { logger: new NestLog(logger), bodyParser: false, abortOnError: false },
  );
  const fastify = app.getHttpAdapter().getInstance();
  logAccess(fastify, logger, config.accessLogShare);
  const pages = readBuiltPages();
  const limits = app.get(RateLimits, { strict: false });
  const guard = app.get(LoopGuard, { strict: false });
  layPipeline(fastify, {
    config,
    pages,
    guard,
    identification: new Identification(app.get(Credentials, { strict: false }), limits, guard),
    cursors: app.get(Cursors, { strict: false }),
    representations: app.get(Representations, { strict: false }),
  });
  layPages(fastify, config, pages);
  layOAuth(
    fastify,
    config,
    app.get(OAuthServer, { strict: false }),
    app.get(Interactions, { strict: false }),
  );
  app.get(GraphqlSse, { strict: false }).serve(fastify);
  await app.init();
  app
    .get(WebSockets, { strict: false })
    .serve(app.getHttpServer(), logSockets(logger, config.accessLogShare));
  return app;
}
