import { Kind, visit, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import type { Variables } from '../graphql/argument-values.js';
import { NotCompilable, type CompiledRoot, type DocumentCompiler } from './compiler.js';

/** The maximum number of variables in `@skip` and `@include`. Each variable doubles the number of statements. */
const MOST_CONDITIONS = 4;

/** The statements of an operation of a trusted document, or the reason why it has none. */
export interface Outcome {
  readonly operation: OperationDefinitionNode;
  readonly roots: readonly RootOutcome[];
  /** The variables in `@skip` and `@include`. There is a statement for each combination of their values. */
  readonly conditions: readonly string[];
  /** The reason why the operation does not become SQL; null if it does. */
  readonly reason: string | null;
}

export interface RootOutcome {
  /** The response name. */
  readonly name: string;
  /** Null for `__typename`, and for a field that does not become SQL. */
  readonly compiled: CompiledRoot | null;
  readonly reason: string | null;
}

/** The outcomes for the operations of a document. Fields that `@skip` or `@include` may leave out are included here. */
export function outcomesOf(compiler: DocumentCompiler, document: DocumentNode): readonly Outcome[] {
  const whole = visit(document, { Directive: () => null });
  return whole.definitions.flatMap((operation, index): Outcome[] => {
    if (operation.kind !== Kind.OPERATION_DEFINITION) return [];
    const conditions = conditionsIn(document);
    const { roots, reason } = outcomeOf(compiler, whole, operation);
    const own = document.definitions[index] as OperationDefinitionNode;
    const most = `@skip and @include use more than ${MOST_CONDITIONS} variables.`;
    const many = conditions.length > MOST_CONDITIONS ? most : null;
    return [{ operation: own, roots, conditions, reason: reason ?? many }];
  });
}

function outcomeOf(
  compiler: DocumentCompiler,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Pick<Outcome, 'roots' | 'reason'> {
  try {
    const roots = compiler.rootsOf({ document, operation }, {}).map(({ name, compile }): RootOutcome => {
      const [compiled, reason] = tried(compile);
      return { name, compiled: compiled ?? null, reason };
    });
    const { reason = null } = roots.find((root) => root.reason !== null) ?? {};
    return { roots, reason };
  } catch (error) {
    return { roots: [], reason: reasonOf(error) };
  }
}

function tried<T>(work: () => T): readonly [T | undefined, reason: string | null] {
  try {
    return [work(), null];
  } catch (error) {
    return [undefined, reasonOf(error)];
  }
}

/** @throws the error itself if it is not `NotCompilable`, because such an error is a bug */
function reasonOf(error: unknown): string {
  if (error instanceof NotCompilable) return error.message;
  throw error;
}

function conditionsIn(document: DocumentNode): readonly string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: given = [] }) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** The values of the conditions, which decide which fields are selected; null if one of them is not a boolean. */
export function conditionValues(names: readonly string[], variables: Variables): string | null {
  return names.every((name) => typeof variables[name] === 'boolean')
    ? names.map((name) => (variables[name] === true ? '1' : '0')).join('')
    : null;
}
