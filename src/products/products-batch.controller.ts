import { Controller } from '@nestjs/common';
import type { Context } from '../contract/context.js';
import { Operation, type Operations } from '../contract/operation.js';
import type { ProductBatch } from '../generated/dto.js';
import { ProductsBatch } from './products-batch.js';

declare module '../contract/complete.js' {
  interface Controllers {
    productsBatch: ProductsBatchController;
  }
}

@Controller()
export class ProductsBatchController implements Pick<Operations, 'changeProducts'> {
  constructor(private readonly batch: ProductsBatch) {}

  @Operation('changeProducts')
  async changeProducts(body: ProductBatch, context: Context) {
    return { results: [...(await this.batch.run(body, context, '/api/v1/products/batch'))] };
  }
}
