import { Controller } from '@nestjs/common';
import { Operation } from '../../engine/contract/operation.js';
import { isoOf } from '../../engine/values/moment.js';
import { OrderSumsRepository } from './order-sums.repository.js';

@Controller()
export class OrdersSummaryController {
  constructor(private readonly sums: OrderSumsRepository) {}

  @Operation('getOrdersSummary')
  async getOrdersSummary() {
    const { at, minutes, ...others } = await this.sums.figures();
    return {
      at: isoOf(at),
      ...others,
      minutes: minutes.map(({ start, orders }) => ({ start: isoOf(start), orders })),
    };
  }
}
