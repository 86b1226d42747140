import {
  BREAK,
  execute,
  OperationTypeNode,
  visit,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { DocumentPlans } from '../documents/document-plans.js';
import type { AdmittedOperation } from './admitted-operation.js';
import { CompiledQuery, type Executed } from './compiled-query.js';
import type { GraphqlContext } from './context.js';
import { formatError, reportErrors } from './errors.js';
import type { KeptResults } from './kept-results.js';
import type { TextResult } from './text-result.js';

/**
 * A query is compiled at this number of requests. The first request of a text is not counted, because its tree is not
 * kept. The tree of a trusted document is kept, so all requests of this document are counted.
 */
const COMPILED_AFTER = 4;
/** A query with more selections is not compiled. */
const MOST_SELECTIONS = 200;

/**
 * The compiled code of frequent queries. Compiling a text costs several times as much as executing it. So a text is
 * compiled only when it comes for the fifth time (a trusted document: the fourth). The code is kept only as long as the
 * parsed text (see `ParsedTexts`), so an attacker gains nothing by sending more and more different texts. graphql-js
 * executes everything else, such as mutations, subscriptions, introspection, and queries with directives. For a trusted
 * document that became SQL, the SQL is tried first (see `DocumentPlans`). The document is compiled here only if the SQL
 * cannot answer.
 */
export class CompiledOperations {
  private readonly uses = new WeakMap<OperationDefinitionNode, number>();
  /** Null: graphql-js must execute the operation. */
  private readonly compiled = new WeakMap<OperationDefinitionNode, CompiledQuery | null>();

  /** @param plans the trusted documents that became SQL */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly plans: DocumentPlans,
    private readonly kept: KeptResults,
  ) {}

  /** Executes a query. Returns null if the operation is neither compiled nor SQL; then graphql-js executes it. */
  run(admitted: AdmittedOperation, context: GraphqlContext): Promise<TextResult> | TextResult | null {
    if (!this.plans.has(admitted.operation) && this.compiledFor(admitted) === null) return null;
    return this.kept.of(admitted, context.principal, () => this.execute(admitted, context));
  }

  private execute(admitted: AdmittedOperation, context: GraphqlContext): Promise<TextResult> | TextResult {
    const planned = this.plans.run(admitted, context);
    if (planned === null) return this.withoutPlan(admitted, context);
    if (!(planned instanceof Promise)) return this.shown(planned.data, planned.errors, context);
    return planned.then((known) =>
      known ? this.shown(known.data, known.errors, context) : this.withoutPlan(admitted, context),
    );
  }

  private withoutPlan(
    admitted: AdmittedOperation,
    context: GraphqlContext,
  ): Promise<TextResult> | TextResult {
    const query = this.compiledFor(admitted);
    if (query === null) return this.interpreted(admitted, context);
    const finish = (executed: Executed | null): Promise<TextResult> | TextResult =>
      executed ? this.shown(executed.data, executed.errors, context) : this.interpreted(admitted, context);
    const executed = query.run(context, admitted.values);
    return executed instanceof Promise ? executed.then(finish) : finish(executed);
  }

  /** The result of graphql-js. */
  async interpreted(
    { document, operation, variables }: AdmittedOperation,
    contextValue: GraphqlContext,
  ): Promise<TextResult> {
    const { data, errors = [] } = await execute({
      schema: this.schema,
      document,
      operationName: operation.name?.value,
      variableValues: variables,
      contextValue,
    });
    return this.shown(JSON.stringify(data ?? null), errors, contextValue);
  }

  private shown(data: string, errors: readonly GraphQLError[], { requestId }: GraphqlContext): TextResult {
    if (errors.length === 0) return { data, errors: undefined };
    reportErrors(errors, requestId);
    return { data, errors: errors.map((error) => formatError(error.toJSON(), error)) };
  }

  private compiledFor({ document, operation, size }: AdmittedOperation): CompiledQuery | null {
    const known = this.compiled.get(operation);
    if (known !== undefined) return known;
    if (operation.operation !== OperationTypeNode.QUERY || size.selections > MOST_SELECTIONS) return null;
    const uses = (this.uses.get(operation) ?? 0) + 1;
    this.uses.set(operation, uses);
    if (uses < COMPILED_AFTER) return null;
    const query = hasDirective(document) ? null : CompiledQuery.of(this.schema, { document, operation });
    this.compiled.set(operation, query);
    return query;
  }
}

function hasDirective(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive: () => {
      found = true;
      return BREAK;
    },
  });
  return found;
}
