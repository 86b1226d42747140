import { HeaderMap, type ApolloServerPlugin } from '@apollo/server';
import { BREAK, Kind, OperationTypeNode, visit, type DocumentNode, type GraphQLSchema } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { GraphqlContext } from './context.js';
import { formatError, reportErrors } from './errors.js';
import { META_TYPES } from './introspection.js';

const COMPILED_AFTER = 5;
/** Bounds compilation, which takes about 0.1 ms for each selection. */
const MOST_SELECTIONS = 200;

/**
 * Executes frequent operations by compiled code. Compiling a text costs several times as much as executing it. So a
 * text is compiled only when it comes for the fifth time. The code is kept only as long as the parsed text (see
 * `ParsedTexts`), so an attacker gains nothing by sending more and more different texts. graphql-js executes everything
 * else: subscriptions, and operations that the compiled code would execute differently.
 */
export function jitPlugin(): ApolloServerPlugin<GraphqlContext> {
  let schema: GraphQLSchema;
  const uses = new WeakMap<DocumentNode, Map<string, number>>();
  const compiled = new WeakMap<DocumentNode, Map<string, CompiledQuery | null>>();

  const compiledFor = (document: DocumentNode, name: string): CompiledQuery | null => {
    const known = compiled.get(document)?.get(name);
    if (known !== undefined) return known;
    const counts = uses.get(document) ?? new Map<string, number>();
    uses.set(document, counts.set(name, (counts.get(name) ?? 0) + 1));
    if ((counts.get(name) as number) < COMPILED_AFTER) return null;
    const query = isOtherwiseCompiled(document) ? null : compileQuery(schema, document, name);
    const byName = compiled.get(document) ?? new Map<string, CompiledQuery | null>();
    const usable = query && isCompiledQuery(query) ? query : null;
    compiled.set(document, byName.set(name, usable));
    return usable;
  };

  return {
    serverWillStart: async (service) => {
      schema = service.schema;
    },
    requestDidStart: async () => ({
      responseForOperation: async ({ document, operation, operationName, request, contextValue }) => {
        if (operation?.operation === OperationTypeNode.SUBSCRIPTION) return null;
        if ((contextValue.admitted?.size.selections ?? Infinity) > MOST_SELECTIONS) return null;
        const query = compiledFor(document, operationName ?? '');
        if (!query) return null;
        const result = await query.query(undefined, contextValue, request.variables ?? {});
        // The compiled code refused the variables and has executed nothing. It is stricter than the specification (it
        // does not know defaults of non-null variables), so graphql-js decides, and reports the errors.
        if (!('data' in result)) return null;
        const { data, errors } = result;
        if (errors) reportErrors(errors, contextValue.requestId);
        return {
          http: { status: 200, headers: new HeaderMap() },
          body: {
            kind: 'single',
            singleResult: {
              // Errors that are returned here do not pass Apollo's own formatting.
              ...(errors && {
                errors: errors.map((error) => formatError(error.toJSON(), error)),
              }),
              data,
            },
          },
        };
      },
    }),
  };
}

/**
 * Whether graphql-js must execute this document, because compiled code would behave differently. Compiled code treats a
 * condition (`@skip`, `@include`) that is null as false. It returns fields in another order after skipped fields, and
 * does not check variables inside lists and objects. Introspection is not compiled either, because compiling it is
 * slow, and no tool sends it all the time.
 */
function isOtherwiseCompiled(document: DocumentNode): boolean {
  let found = false;
  const stop = () => {
    found = true;
    return BREAK;
  };
  visit(document, {
    Directive: stop,
    Field: ({ name }) => (name.value in META_TYPES ? stop() : undefined),
    ListValue: ({ values }) => (values.some(({ kind }) => kind === Kind.VARIABLE) ? stop() : undefined),
    ObjectField: ({ value }) => (value.kind === Kind.VARIABLE ? stop() : undefined),
  });
  return found;
}
