import { Logger } from '@nestjs/common';
import { GraphQLError, locatedError, type GraphQLResolveInfo } from 'graphql';
import { DatabaseUnavailable } from '../database/faults.js';
import type { Reads } from '../database/reads.js';
import type { AdmittedOperation } from '../graphql/admitted-operation.js';
import type { GraphqlContext } from '../graphql/context.js';
import type { Guards } from '../graphql/direct-query.js';
import { argumentsOf } from '../graphql/field.js';
import { RowAccess } from '../access/row-access.js';
import type { CompiledRoot, Decision } from './compiler.js';
import { UNWRITABLE } from './dialect.js';
import type { Call, Use } from './fragment.js';

/** A field of `Query`: its name in the answer, and its statement. `__typename` has no statement. */
export interface PlannedRoot {
  readonly name: string;
  readonly compiled: CompiledRoot | null;
}

/** The JSON text of `data`, and the errors. A field with an error is null in `data`. */
export interface Planned {
  readonly data: string;
  readonly errors: readonly GraphQLError[];
}

type Text = string | null;

/**
 * A query as one statement for each of its fields. It answers only in the usual case. For a caller without the right to
 * a field, for wrong arguments, and for values that SQL cannot write, the result is null. The resolvers then execute
 * the query, and make the errors if there are any.
 */
export class Plan {
  private readonly logger = new Logger('TrustedDocuments');
  private isTold = false;

  constructor(
    private readonly roots: readonly PlannedRoot[],
    private readonly reads: Reads,
  ) {}

  run({ values }: AdmittedOperation, context: GraphqlContext): Planned | null | Promise<Planned | null> {
    const errors: GraphQLError[] = [];
    let calls: readonly (Call | null)[];
    try {
      // All decisions come before the first statement, so that a refusal costs no statement.
      calls = this.roots.map(({ compiled }) => compiled && callOf(compiled, values, context));
    } catch {
      return null;
    }
    const texts = this.roots.map(({ compiled }, index) =>
      compiled ? this.textOf(compiled, calls[index] as Call, errors) : '"Query"',
    );
    if (texts.every(isReady)) return this.answer(texts, errors);
    return Promise.all(texts.map((text) => Promise.resolve(text))).then((known) =>
      this.answer(known, errors),
    );
  }

  private answer(texts: readonly Text[], errors: readonly GraphQLError[]): Planned | null {
    if (texts.some((text) => text === null || text.includes(UNWRITABLE))) return null;
    const members = texts.map((text, index) => `${JSON.stringify(this.roots[index]?.name)}:${text}`);
    return { data: `{${members.join(',')}}`, errors };
  }

  private textOf(root: CompiledRoot, call: Call, errors: GraphQLError[]): Text | Promise<Text> {
    const { policy, field } = root.decisions[0] as Decision;
    const { reach, args } = call.uses[0] as Use;
    const owner = policy?.owner;
    if (owner && !policy.isThere(reach, args[owner.name])) return 'null';
    const failed = (error: unknown): Text => {
      if (!(error instanceof DatabaseUnavailable)) {
        this.tell(error, `${field.type}.${field.field}`);
        return null;
      }
      errors.push(locatedError(error, root.nodes, [root.name]));
      return 'null';
    };
    try {
      const statement = reach.onlyOf === null ? root.statement : (root.own ?? root.statement);
      const value = this.reads.value(statement.of(call));
      return value instanceof Promise ? value.then(found, failed) : found(value);
    } catch (error) {
      return failed(error);
    }
  }

  /** Logs the first failure of a statement, because such a failure is a bug. The resolvers make the answer. */
  private tell(error: unknown, field: string): void {
    if (this.isTold) return;
    this.isTold = true;
    this.logger.error({ err: error, field }, 'the statement of a trusted document failed');
  }
}

function isReady(text: Text | Promise<Text>): text is Text {
  return !(text instanceof Promise);
}

function found(value: unknown): Text {
  return value === undefined ? 'null' : (value as string);
}

/** @throws Error if the query has to be executed without a plan */
function callOf(root: CompiledRoot, variables: AdmittedOperation['values'], context: GraphqlContext): Call {
  const { principal } = context;
  const uses = root.decisions.map(({ field, policy, argumentsOf: argumentsIn }, index): Use => {
    const given = argumentsIn(variables);
    if (index === 0) requireAllowed(root, given, context);
    const reach = policy?.rowAccessOf(principal) ?? RowAccess.EVERYTHING;
    const args = argumentsOf(field, given) as Use['args'];
    if (index === 0 && !root.isFor(args)) throw new Error('The statement is for other arguments.');
    return { reach, args };
  });
  return { principal, uses };
}

/** Asks the guards of the service, as for every field of `Query`. */
function requireAllowed({ type, field, nodes }: CompiledRoot, args: object, context: GraphqlContext): void {
  const guards = field.extensions['guards'] as Guards;
  const info = { fieldName: field.name, fieldNodes: nodes, returnType: field.type, parentType: type };
  if (!guards(undefined, args, context, info as unknown as GraphQLResolveInfo)) {
    throw new Error('A guard refuses the field, or its answer comes only later.');
  }
}
