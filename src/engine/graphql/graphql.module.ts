import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
} from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import { GraphqlConfig } from '../config/slices.js';
import { Database } from '../database/database.js';
import { engineOf } from '../database/engine.js';
import { DocumentPlans } from '../documents/document-plans.js';
import { Currency } from '../values/currency.js';
import { LoopGuard } from '../http/loop-guard.js';
import { Places } from '../rate-limits/places.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { SCHEMA_GRAPHQL } from '../contract/documents.js';
import { ENUM_VALUES } from '../../generated/graphql.js';
import { httpContextOf } from './context.js';
import { DocumentTrust } from './document-trust.js';
import { formatError } from './errors.js';
import { idempotencyPlugin } from './idempotency.plugin.js';
import { GraphqlInstruments } from './instruments.js';
import { protocolPlugin } from './protocol.plugin.js';
import { KeptResults } from './kept-results.js';
import { QueryLane } from './query-lane.js';
import { DateTime, SafeInt } from './scalars.js';
import { TypeFields } from './type-fields.js';
import { subscriptionsPlugin } from './subscriptions.plugin.js';
import { TrustedDocuments } from './trusted-documents.js';

/** Apollo on `/graphql`, with the contract in schema.graphql. */
export const StoreGraphqlModule = GraphQLModule.forRootAsync<ApolloDriverConfig>({
  driver: ApolloDriver,
  inject: [
    GraphqlConfig,
    TypeFields,
    RateLimits,
    Places,
    LoopGuard,
    QueryLane,
    GraphqlInstruments,
    Database,
    Currency,
  ],
  useFactory: (
    config: GraphqlConfig,
    typeFields: TypeFields,
    rateLimits: RateLimits,
    places: Places,
    guard: LoopGuard,
    lane: QueryLane,
    instruments: GraphqlInstruments,
    { dataSource, reads }: Database,
    currency: Currency,
  ) => ({
    path: '/graphql',
    typeDefs: SCHEMA_GRAPHQL,
    transformSchema: (schema) => typeFields.bindTo(schema),
    resolvers: { DateTime, SafeInt, ...ENUM_VALUES },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      // Without this plugin, Apollo loads the code that encodes traces for its own service.
      ApolloServerPluginInlineTraceDisabled(),
      protocolPlugin(
        {
          limits: { depth: config.maxDepth, cost: config.maxCost },
          introspection: config.introspection,
          trust: new DocumentTrust(config.trustedDocuments, trustedBy(config)),
          rateLimits,
          guard,
          instruments,
        },
        lane,
        (schema) => new DocumentPlans(schema, { engine: engineOf(dataSource), currency }, reads),
        new KeptResults(reads),
      ),
      idempotencyPlugin(instruments.replays),
      subscriptionsPlugin(places),
    ],
    context: httpContextOf,
    formatError,
    autoTransformHttpErrors: false,
    graphiql: false,
    // Our own rules replace this check of Apollo. POST accepts JSON only (engine/http/steps.ts), and is refused if it
    // comes from a page of another origin that is not allowed (engine/http/origins.ts).
    csrfPrevention: false,
    persistedQueries: false,
    documentStore: null,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
  }),
});

/** @throws ConfigError */
function trustedBy({ trustedDocuments, trustedDocumentsDir }: GraphqlConfig): TrustedDocuments {
  return trustedDocuments === 'off'
    ? TrustedDocuments.NONE
    : TrustedDocuments.in(trustedDocumentsDir, SCHEMA_GRAPHQL);
}
