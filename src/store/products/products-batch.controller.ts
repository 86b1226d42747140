import { Controller } from '@nestjs/common';
import type { Context } from '../../engine/contract/context.js';
import { Operation } from '../../engine/contract/operation.js';
import type { ProductBatch, ProductBatchV2 } from '../../generated/dto.js';
import { BatchFormV1, BatchFormV2 } from './products-batch-forms.js';
import { ProductsBatch } from './products-batch.js';

@Controller()
export class ProductsBatchController {
  constructor(
    private readonly batch: ProductsBatch,
    private readonly v1: BatchFormV1,
    private readonly v2: BatchFormV2,
  ) {}

  @Operation('changeProducts')
  async changeProducts(body: ProductBatch, context: Context) {
    return { results: [...(await this.batch.run(body, context, this.v1))] };
  }

  @Operation('changeProductsV2')
  async changeProductsV2(body: ProductBatchV2, context: Context) {
    return { results: [...(await this.batch.run(body, context, this.v2))] };
  }
}
