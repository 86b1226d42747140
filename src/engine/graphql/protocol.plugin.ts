import {
  HeaderMap,
  type ApolloServerPlugin,
  type GraphQLRequest,
  type GraphQLRequestContext,
} from '@apollo/server';
import { parse, type FormattedExecutionResult } from 'graphql';
import Negotiator from 'negotiator';
import { fieldsOf, secondsTo } from '../rate-limits/rate-limits.js';
import type { AdmittedOperation } from './admitted-operation.js';
import type { GraphqlContext } from './context.js';
import { takeDocumentId, withoutHash } from './document-id.js';
import { reportErrors } from './errors.js';
import { OperationReader, type ReaderParts, type Reading } from './read-operation.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const MEDIA_TYPES = [JSON_TYPE, 'application/graphql-response+json; charset=utf-8'];

/**
 * Apollo gets this harmless operation in place of a refused one. Apollo asks the plugin for an answer
 * (`responseForOperation`) only if there is an operation. It never executes this one.
 */
const NOTHING = { text: '{ __typename }', document: parse('{ __typename }') };

/**
 * Reads each operation before Apollo does, and sets the final headers and status of its answer. Apollo gets each
 * operation parsed and validated.
 */
export function protocolPlugin(parts: ReaderParts): ApolloServerPlugin<GraphqlContext> {
  let reader: OperationReader;
  return {
    serverWillStart: async ({ schema }) => {
      reader = new OperationReader(schema, parts);
    },
    requestDidStart: async (requestContext) => {
      const { request, contextValue } = requestContext;
      takeDocumentId(request);
      const reading = await reader.readOperation(request, contextValue);
      if (reading) {
        contextValue.admitted = reading.admitted;
        handOn(reading.admitted ?? NOTHING, requestContext);
      }
      return {
        responseForOperation: async () =>
          reading?.admitted === null
            ? {
                http: { status: 200, headers: new HeaderMap() },
                body: { kind: 'single', singleResult: { errors: reading.errors } },
              }
            : null,
        didEncounterErrors: async ({ errors }) => reportErrors(errors, contextValue.requestId),
        willSendResponse: async ({ response: { body, http }, source }) => {
          if (body.kind !== 'single') return;
          // For most `Accept` headers the first type is right. For the others, Apollo has chosen the type.
          if (takesFirst(request.http?.headers.get('accept'))) http.headers.set('content-type', JSON_TYPE);
          const result = body.singleResult;
          result.errors?.forEach((error) => {
            if (error.extensions) error.extensions['request_id'] = contextValue.requestId;
          });
          setLimits(http.headers, result, reading);
          if (reading?.cost != null) {
            const cost = { requested: reading.cost, limit: parts.limits.cost };
            result.extensions = { ...result.extensions, cost };
          }
          if (result.data !== undefined || !result.errors) return;
          // Apollo sets a status for the errors that it knows. Our errors have a status of their own, which replaces
          // it.
          const status = (result.errors[0]?.extensions?.['status'] as number | undefined) ?? 500;
          if (status === 405) http.headers.set('allow', 'POST');
          // With application/json, a request that has a text is answered with 200 even if it could not be executed
          // (GraphQL over HTTP, section 6.4.1). With the newer media type the answer keeps its status.
          const isHidden = status === 400 && source !== undefined && isPlainJson(request.http);
          http.status = isHidden ? 200 : status;
        },
      };
    },
  };
}

/** Apollo does not parse a text if the request context has a `document`. */
function handOn(
  { text, document }: Pick<AdmittedOperation, 'text' | 'document'>,
  requestContext: GraphQLRequestContext<GraphqlContext>,
): void {
  const { request } = requestContext;
  request.query = text;
  request.extensions = withoutHash(request.extensions);
  Object.assign(requestContext, { document });
}

function setLimits(headers: HeaderMap, result: FormattedExecutionResult, reading: Reading | null): void {
  const standing = reading?.standing;
  if (standing) {
    for (const [name, value] of Object.entries(fieldsOf(standing))) headers.set(name, value);
    if (!standing.isTaken) headers.set('retry-after', String(secondsTo(standing.resetsAt)));
  }
  if (isUnavailable(result)) headers.set('retry-after', '1');
}

/**
 * Whether nothing was executed because the service is unavailable. Then the client may send the whole operation again.
 */
function isUnavailable({ data, errors = [] }: FormattedExecutionResult): boolean {
  return (
    errors.length > 0 &&
    errors.every(({ extensions }) => extensions?.['status'] === 503) &&
    Object.values(data ?? {}).every((value) => value === null)
  );
}

/** Whether the answer has the type application/json. Apollo chooses in the same way. */
function isPlainJson(http: GraphQLRequest['http']): boolean {
  const accept = http?.headers.get('accept');
  return takesFirst(accept) || new Negotiator({ headers: { accept } }).mediaType(MEDIA_TYPES) === JSON_TYPE;
}

function takesFirst(accept: string | undefined): boolean {
  return !accept || accept === 'application/json' || accept === '*/*';
}
