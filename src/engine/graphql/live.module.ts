import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { Execution } from './execution.js';
import { GraphqlSse } from './graphql-sse.js';
import { WebSockets } from './websocket.js';

/**
 * Operations, and above all subscriptions, on connections that stay open: over WebSocket and as server-sent events.
 * `create-app.ts` starts both transports.
 */
@Module({
  imports: [HttpModule],
  providers: [Execution, WebSockets, GraphqlSse],
  exports: [WebSockets, GraphqlSse],
})
export class LiveModule {}
