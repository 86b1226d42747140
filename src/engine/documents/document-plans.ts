import { Logger } from '@nestjs/common';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Reads } from '../database/reads.js';
import type { AdmittedOperation } from '../graphql/admitted-operation.js';
import type { GraphqlContext } from '../graphql/context.js';
import { DocumentCompiler, type Target } from './compiler.js';
import { conditionValues, outcomesOf } from './outcome.js';
import { Plan } from './plan.js';

/** The plans of an operation: one for each combination of the values in its `@skip` and `@include`. */
interface Plans {
  readonly conditions: readonly string[];
  readonly made: Map<string, Plan>;
}

/** The trusted documents that became SQL (ADR 53). */
export class DocumentPlans {
  private readonly compiler: DocumentCompiler;
  private readonly plans = new WeakMap<OperationDefinitionNode, Plans>();

  constructor(
    schema: GraphQLSchema,
    target: Target,
    private readonly reads: Reads,
  ) {
    this.compiler = new DocumentCompiler(schema, target);
  }

  /** Compiles the operations of the documents. The resolvers execute the operations that do not become SQL. */
  add(documents: readonly DocumentNode[]): void {
    const counts = { compiled: 0, asBefore: 0 };
    for (const document of documents) {
      for (const { operation, reason, conditions } of outcomesOf(this.compiler, document)) {
        counts[reason === null ? 'compiled' : 'asBefore'] += 1;
        if (reason === null) this.plans.set(operation, { conditions, made: new Map() });
      }
    }
    if (documents.length > 0) {
      new Logger('TrustedDocuments').debug(counts, 'operations of trusted documents became SQL');
    }
  }

  has(operation: OperationDefinitionNode): boolean {
    return this.plans.has(operation);
  }

  /** Returns null if the resolvers have to execute the operation. */
  run(admitted: AdmittedOperation, context: GraphqlContext): ReturnType<Plan['run']> {
    const plans = this.plans.get(admitted.operation);
    if (!plans) return null;
    const { conditions, made } = plans;
    const key = conditionValues(conditions, admitted.values);
    if (key === null) return null;
    const plan = made.get(key) ?? this.planOf(admitted);
    made.set(key, plan);
    return plan.run(admitted, context);
  }

  private planOf(admitted: AdmittedOperation): Plan {
    const roots = this.compiler.rootsOf(admitted, admitted.values);
    return new Plan(
      roots.map(({ name, compile }) => ({ name, compiled: compile() })),
      this.reads,
    );
  }
}
