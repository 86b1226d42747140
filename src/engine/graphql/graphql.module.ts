import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../config/config.js';
import { LoopGuard } from '../http/loop-guard.js';
import { Places } from '../rate-limits/places.js';
import { RateLimits } from '../rate-limits/rate-limits.js';
import { SCHEMA_GRAPHQL } from '../contract/documents.js';
import { ENUM_VALUES } from '../../generated/graphql.js';
import { admissionPlugin } from './admission.plugin.js';
import { contextOf } from './context.js';
import { formatError } from './errors.js';
import { idempotencyPlugin } from './idempotency.plugin.js';
import { jitPlugin } from './jit.plugin.js';
import { ParsedTexts } from './parsed-texts.js';
import { protocolPlugin } from './protocol.plugin.js';
import { DateTime, SafeInt } from './scalars.js';
import { TypeFields } from './type-fields.js';
import { subscriptionsPlugin } from './subscriptions.plugin.js';
import { TrustedDocuments } from './trusted-documents.js';
import { trustedDocumentsPlugin } from './trusted-documents.plugin.js';

/**
 * Bounds the errors of validation: each costs reading the text up to its place, and may contain a name as long as the
 * text.
 */
const MOST_ERRORS = 20;

/** Apollo on `/graphql`, with the contract in schema.graphql. */
export const StoreGraphqlModule = GraphQLModule.forRootAsync<ApolloDriverConfig>({
  driver: ApolloDriver,
  inject: [CONFIG, TypeFields, RateLimits, Places, LoopGuard],
  useFactory: (
    config: Config,
    typeFields: TypeFields,
    rateLimits: RateLimits,
    places: Places,
    guard: LoopGuard,
  ) => ({
    path: '/graphql',
    typeDefs: SCHEMA_GRAPHQL,
    transformSchema: (schema) => typeFields.bindTo(schema),
    resolvers: { DateTime, SafeInt, ...ENUM_VALUES },
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      trustedDocumentsPlugin(config.trustedDocuments, trustedBy(config)),
      admissionPlugin(),
      protocolPlugin({ depth: config.graphqlMaxDepth, cost: config.graphqlMaxCost }, rateLimits, guard),
      idempotencyPlugin(),
      jitPlugin(),
      subscriptionsPlugin(places),
    ],
    context: (request: FastifyRequest) => contextOf(request, { isGone: () => request.raw.socket.destroyed }),
    formatError,
    autoTransformHttpErrors: false,
    introspection: config.introspection,
    graphiql: false,
    // Our own rule replaces it: POST accepts JSON only, and requests from other sites are refused; see
    // engine/http/steps.ts.
    csrfPrevention: false,
    persistedQueries: false,
    documentStore: new ParsedTexts(),
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    validationOptions: { maxErrors: MOST_ERRORS },
  }),
});

/** @throws ConfigError */
function trustedBy({ trustedDocuments, trustedDocumentsDir }: Config): TrustedDocuments {
  return trustedDocuments === 'off'
    ? TrustedDocuments.NONE
    : TrustedDocuments.in(trustedDocumentsDir, SCHEMA_GRAPHQL);
}
