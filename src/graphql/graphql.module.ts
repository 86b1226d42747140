import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { SCHEMA_GRAPHQL } from '../contract/documents.js';
import { ENUM_VALUES } from '../generated/graphql.js';
import { contextOf } from './context.js';
import { formatError } from './errors.js';
import { idempotencyPlugin } from './idempotency.plugin.js';
import { jitPlugin } from './jit.plugin.js';
import { MAX_TOKENS } from './limits.js';
import { ParsedTexts } from './parsed-texts.js';
import { protocolPlugin } from './protocol.plugin.js';
import { DateTime, SafeInt } from './scalars.js';
import { TypeFields } from './type-fields.js';
import { subscriptionsPlugin } from './subscriptions.plugin.js';
import { TrustedDocuments } from './trusted-documents.js';
import { trustedDocumentsPlugin } from './trusted-documents.plugin.js';

/** Apollo on `/graphql`, from the contract as it stands in schema.graphql. */
export const StoreGraphqlModule = GraphQLModule.forRootAsync<ApolloDriverConfig>({
  driver: ApolloDriver,
  inject: [CONFIG, TypeFields, RateLimits],
  useFactory: (config: Config, typeFields: TypeFields, rateLimits: RateLimits) => ({
    path: '/graphql',
    typeDefs: SCHEMA_GRAPHQL,
    transformSchema: (schema) => typeFields.bindTo(schema),
    resolvers: { DateTime, SafeInt, ...ENUM_VALUES },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      trustedDocumentsPlugin(config.trustedDocuments, trustedBy(config)),
      protocolPlugin({ depth: config.graphqlMaxDepth, cost: config.graphqlMaxCost }, rateLimits),
      idempotencyPlugin(),
      jitPlugin(),
      subscriptionsPlugin(),
    ],
    context: (request: FastifyRequest) => contextOf(request),
    formatError,
    autoTransformHttpErrors: false,
    introspection: config.introspection,
    graphiql: false,
    // Replaced by our own rule: POST takes JSON only, and what comes from another site is refused; see http/steps.ts.
    csrfPrevention: false,
    persistedQueries: false,
    documentStore: new ParsedTexts(),
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    parseOptions: { maxTokens: MAX_TOKENS },
  }),
});

/** @throws ConfigError */
function trustedBy({ trustedDocuments, trustedDocumentsDir }: Config): TrustedDocuments {
  return trustedDocuments === 'off'
    ? TrustedDocuments.NONE
    : TrustedDocuments.in(trustedDocumentsDir, SCHEMA_GRAPHQL);
}
