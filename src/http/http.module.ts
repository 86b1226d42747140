import { Module } from '@nestjs/common';
import { DocumentsController } from './documents.controller.js';
import { EventStreams } from './event-streams.js';
import { HealthController, Shutdown } from './health.controller.js';

/** What belongs to no feature: health, the contracts as documents. The server itself is made in server.ts. */
@Module({
  controllers: [HealthController, DocumentsController],
  providers: [Shutdown, EventStreams],
  exports: [Shutdown, EventStreams],
})
export class HttpModule {}
