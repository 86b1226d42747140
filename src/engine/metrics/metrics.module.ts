import { Global, Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { MetricsServer } from './metrics-server.js';
import { Metrics } from './registry.js';
import { RuntimeMetrics } from './runtime-metrics.js';
import { Scrapes } from './scrapes.js';

declare module '../../generated/contract.js' {
  interface Features {
    metrics: { controllers: MetricsController };
  }
}

/**
 * The metrics for operators (ADR 44). The classes of src/app/instruments.ts, `RequestMetrics` and `RuntimeMetrics` add
 * functions to `Metrics`. These functions read the instruments.
 */
@Global()
@Module({
  controllers: [MetricsController],
  providers: [Metrics, Scrapes, MetricsServer, RuntimeMetrics],
  exports: [Metrics, MetricsServer],
})
export class MetricsModule {}
