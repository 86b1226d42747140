import { Controller } from '@nestjs/common';
import { LiveAnswer } from '../contract/live-answer.js';
import { Operation, type Operations } from '../contract/operation.js';
import { CONTENT_TYPES, OPEN_METRICS, PROMETHEUS } from './exposition.js';
import { Scrapes } from './scrapes.js';

/** Serves the metrics to administrators. `MetricsServer` serves them to everybody, on a port of its own. */
@Controller()
export class MetricsController implements Pick<Operations, 'getMetrics'> {
  constructor(private readonly scrapes: Scrapes) {}

  @Operation('getMetrics')
  async getMetrics(): Promise<string> {
    return LiveAnswer.instead(async ({ answerType }, reply) => {
      const format = answerType === OPEN_METRICS ? OPEN_METRICS : PROMETHEUS;
      const text = await this.scrapes.textIn(format);
      void reply.type(CONTENT_TYPES[format]).header('cache-control', 'no-store').send(text);
    });
  }
}
