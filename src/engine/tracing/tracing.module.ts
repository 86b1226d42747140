import { Global, Module } from '@nestjs/common';
import { TracingConfig } from '../config/slices.js';
import { Tracing } from './tracing.js';

/** Traces for operators (ADR 50). The packages of OpenTelemetry are loaded only if traces are on. */
@Global()
@Module({
  providers: [
    {
      provide: Tracing,
      inject: [TracingConfig],
      useFactory: async ({ target }: TracingConfig) =>
        target === null ? Tracing.OFF : (await import('./otlp.js')).tracingTo(target),
    },
  ],
  exports: [Tracing],
})
export class TracingModule {}
