import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../engine/database/database.module.js';
import { Products1763700000000 } from '../../engine/database/migrations/1763700000000-products.js';
import { ProductTrigrams1763700000018 } from '../../engine/database/migrations/1763700000018-product-trigrams.js';
import { ProductTrigramsOnSqlite1763700000019 } from '../../engine/database/migrations/1763700000019-product-trigrams-on-sqlite.js';
import { Product, ProductStock } from './product.entity.js';
import './product.rows.js';
import { ProductListing } from './product-listing.js';
import { BatchFormV1, BatchFormV2 } from './products-batch-forms.js';
import { ProductsBatch } from './products-batch.js';
import { ProductsBatchController } from './products-batch.controller.js';
import { ProductsController } from './products.controller.js';
import { ProductsV2Controller } from './products.v2.controller.js';
import { ProductsRepository } from './products.repository.js';
import { ProductsResolver } from './products.resolver.js';
import { StocksRepository } from './stocks.repository.js';
import type { Changes } from '../../engine/events/topics.js';

declare module '../../generated/contract.js' {
  interface Features {
    products: {
      entities: { Product: Product; ProductStock: ProductStock };
      controllers: ProductsController | ProductsV2Controller | ProductsBatchController;
      resolvers: ProductsResolver;
      events: Changes<'product', Product>;
    };
  }
}

/**
 * The products of the store and their stocks: REST controllers and a GraphQL resolver, with the repositories that they
 * share.
 */
@Module({
  imports: [
    DatabaseModule.forFeature({
      entities: [Product, ProductStock],
      migrations: [Products1763700000000, ProductTrigrams1763700000018, ProductTrigramsOnSqlite1763700000019],
    }),
  ],
  controllers: [ProductsController, ProductsV2Controller, ProductsBatchController],
  providers: [
    ProductsRepository,
    StocksRepository,
    ProductListing,
    ProductsBatch,
    BatchFormV1,
    BatchFormV2,
    ProductsResolver,
  ],
  exports: [ProductsRepository, StocksRepository],
})
export class ProductsModule {}
