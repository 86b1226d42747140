import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Cursors } from '../engine/contract/cursors.js';
import { Bindings } from './bindings.js';
import { Connections } from '../engine/graphql/connections.js';
import { QueryLane } from '../engine/graphql/query-lane.js';
import { GraphqlInstruments } from '../engine/graphql/instruments.js';
import { TypeFields } from '../engine/graphql/type-fields.js';
import { Representations } from '../engine/contract/representation.js';

/**
 * Binds the application to its contracts: `@Operation`, `@RootField`, `@TypeField` and `@SubscriptionField` mark
 * handlers, and `@Represents` marks the representation of an entity. At the start, `Bindings` checks that each
 * operation, each root field and each field with `@auth` has exactly one handler.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [Representations, Bindings, Cursors, Connections, TypeFields, QueryLane, GraphqlInstruments],
  exports: [Representations, Cursors, Connections, TypeFields, QueryLane, GraphqlInstruments],
})
export class ContractModule {}
