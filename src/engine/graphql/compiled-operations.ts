import {
  BREAK,
  execute,
  Kind,
  OperationTypeNode,
  visit,
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import type { AdmittedOperation } from './admitted-operation.js';
import type { GraphqlContext } from './context.js';
import { formatError, reportErrors } from './errors.js';
import { META_TYPES } from './introspection.js';
import { DateTime, SafeInt } from './scalars.js';

const OUR_SCALARS: ReadonlySet<string> = new Set([DateTime.name, SafeInt.name]);
const COMPILED_AFTER = 5;
/** Bounds compilation, which takes about 0.1 ms for each selection. */
const MOST_SELECTIONS = 200;

/**
 * The compiled code of frequent operations. Compiling a text costs several times as much as executing it. So a text is
 * compiled only when it comes for the fifth time. The code is kept only as long as the parsed text (see `ParsedTexts`),
 * so an attacker gains nothing by sending more and more different texts. graphql-js executes everything else:
 * subscriptions, and operations that the compiled code would execute differently.
 */
export class CompiledOperations {
  private readonly uses = new WeakMap<OperationDefinitionNode, number>();
  /** Null: graphql-js must execute the operation. */
  private readonly compiled = new WeakMap<OperationDefinitionNode, CompiledQuery | null>();

  constructor(private readonly schema: GraphQLSchema) {}

  isCompiled(operation: OperationDefinitionNode): boolean {
    return this.compiled.get(operation) != null;
  }

  /** Executes an operation, and returns its result in the public form. Returns null if the operation is not compiled. */
  async run(
    admitted: AdmittedOperation,
    contextValue: GraphqlContext,
  ): Promise<FormattedExecutionResult | null> {
    const query = this.compiledFor(admitted);
    if (query === null) return null;
    const { document, operation, variables } = admitted;
    const outcome = await query.query(undefined, contextValue, variables);
    // Without data, the compiled code refused the variables and has executed nothing. It is stricter than the
    // specification (it does not know defaults of non-null variables), so graphql-js decides.
    const { data, errors } =
      'data' in outcome
        ? outcome
        : await execute({
            schema: this.schema,
            document,
            operationName: operation.name?.value,
            variableValues: variables,
            contextValue,
          });
    if (errors) reportErrors(errors, contextValue.requestId);
    return {
      ...(errors && { errors: errors.map((error) => formatError(error.toJSON(), error)) }),
      ...(data !== undefined && { data }),
    };
  }

  private compiledFor({ document, operation, size }: AdmittedOperation): CompiledQuery | null {
    const known = this.compiled.get(operation);
    if (known !== undefined) return known;
    if (operation.operation === OperationTypeNode.SUBSCRIPTION || size.selections > MOST_SELECTIONS)
      return null;
    const uses = (this.uses.get(operation) ?? 0) + 1;
    this.uses.set(operation, uses);
    if (uses < COMPILED_AFTER) return null;
    const query = isOtherwiseCompiled(document)
      ? null
      : compileQuery(this.schema, document, operation.name?.value ?? '');
    const usable = query && isCompiledQuery(query) ? query : null;
    this.compiled.set(operation, usable);
    return usable;
  }
}

/**
 * Whether graphql-js must execute this document, because compiled code would behave differently. Compiled code treats a
 * condition (`@skip`, `@include`) that is null as false. It returns fields in another order after skipped fields, and
 * does not check variables inside lists and objects. Introspection is not compiled either, because compiling it is
 * slow, and no tool sends it all the time. The compiled code gets the default of a variable as JSON, so a `Date` would
 * become a text.
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
    VariableDefinition: ({ type, defaultValue }) => (defaultValue && isOurScalar(type) ? stop() : undefined),
    ListValue: ({ values }) => (values.some(({ kind }) => kind === Kind.VARIABLE) ? stop() : undefined),
    ObjectField: ({ value }) => (value.kind === Kind.VARIABLE ? stop() : undefined),
  });
  return found;
}

/** Whether a type is one of our own scalars (scalars.ts), or a list of them. */
function isOurScalar(type: TypeNode): boolean {
  return type.kind === Kind.NAMED_TYPE ? OUR_SCALARS.has(type.name.value) : isOurScalar(type.type);
}
