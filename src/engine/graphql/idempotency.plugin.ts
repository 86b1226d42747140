import type { ApolloServerPlugin, GraphQLRequest } from '@apollo/server';
import {
  getVariableValues,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields } from 'graphql/execution/collectFields.js';
import { ValidationFailed } from '../errors/errors.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.js';
import type { GraphqlContext } from './context.js';
import type { Counter } from '../metrics/instruments.js';
import { fragmentsIn } from './fragments.js';

/**
 * Takes the key of a mutation from `extensions.idempotencyKey`. Over HTTP, the key may be in the header
 * `Idempotency-Key` instead. The answer says whether its result comes from an earlier request. Queries and
 * subscriptions change nothing, so a key has no effect on them.
 */
export function idempotencyPlugin(replays: Counter): ApolloServerPlugin<GraphqlContext> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ schema, document, operation, request, contextValue }) => {
        if (operation?.operation !== OperationTypeNode.MUTATION) return;
        const given = keyIn(request, contextValue.keyHeader);
        if (!given) return;
        requireOneMutation(given.place, schema, document, operation, request.variables ?? {});
        contextValue.idempotencyKey = given.key;
      },
      willSendResponse: async ({ response: { body, http }, contextValue }) => {
        if (contextValue.idempotencyKey?.isReplayed !== true || body.kind !== 'single') return;
        replays.add();
        body.singleResult.extensions = { ...body.singleResult.extensions, idempotentReplayed: true };
        http.headers.set('idempotent-replayed', 'true');
      },
    }),
  };
}

type Place = { readonly parameter: string } | { readonly pointer: string };

/** @throws ValidationFailed */
function keyIn(
  { http, extensions }: GraphQLRequest,
  keyHeader: string | null,
): { key: IdempotencyKey; place: Place } | null {
  const header = http?.headers.get('idempotency-key') ?? keyHeader ?? undefined;
  const extension: unknown = extensions?.['idempotencyKey'] ?? undefined;
  if (header === undefined && extension === undefined) return null;
  const place =
    header === undefined ? { pointer: '#/extensions/idempotencyKey' } : { parameter: 'Idempotency-Key' };
  if (header !== undefined && extension !== undefined) {
    throw fault(place, 'REPEATED_PARAMETER', 'must not be given in extensions as well');
  }
  const text = header ?? extension;
  const key = typeof text === 'string' ? IdempotencyKey.in(text) : null;
  if (key) return { key, place };
  const detail = 'must be 1 to 255 printable characters, in double quotes or without spaces and commas';
  throw fault(place, typeof text === 'string' ? 'PATTERN' : 'WRONG_TYPE', detail);
}

/**
 * Requires that the operation executes exactly one field of `Mutation`. A skipped field does not count, and equal
 * fields that are merged count once.
 *
 * @throws ValidationFailed
 */
function requireOneMutation(
  place: Place,
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown>,
): void {
  // One error is enough here. Each error contains the whole wrong value, so many errors could take much memory.
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 1 });
  const type = schema.getMutationType();
  // Without valid variables nothing is executed, and graphql-js reports the reason.
  if (!coerced || !type) return;
  const fields = collectFields(schema, fragmentsIn(document), coerced, type, operation.selectionSet);
  const count = [...fields.values()].filter(([field]) => !field?.name.value.startsWith('__')).length;
  if (count === 1) return;
  throw fault(
    place,
    count === 0 ? 'TOO_FEW' : 'TOO_MANY',
    `must be used with exactly one mutation; this operation has ${count === 0 ? 'none' : count}`,
  );
}

function fault(place: Place, code: string, detail: string): ValidationFailed {
  return new ValidationFailed([{ ...place, code, detail }]);
}
