import { Module } from '@nestjs/common';
import { Execution } from './execution.js';
import { WebSockets } from './websocket.js';

/** Operations, and above all subscriptions, over WebSocket; see create-app.ts for where it begins to serve. */
@Module({ providers: [Execution, WebSockets], exports: [WebSockets] })
export class WebSocketModule {}
