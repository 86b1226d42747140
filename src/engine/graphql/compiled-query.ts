import {
  GraphQLError,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  locatedError,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { addPath, pathToArray, type Path } from 'graphql/jsutils/Path.js';
import { argumentsFor, type Variables } from './argument-values.js';
import type { AdmittedOperation } from './admitted-operation.js';
import type { GraphqlContext } from './context.js';
import { fragmentsIn } from './fragments.js';
import { leafWriter } from './leaf-texts.js';

/** A text, or the promise of one. */
type Text = string | Promise<string>;
/** Writes a value as JSON. It never throws because of an error of a resolver, and its promise is never rejected. */
type Write<T = unknown> = (value: T, run: Run, path: Path | undefined) => Text;
type Selected = Pick<AdmittedOperation, 'document' | 'operation'>;
type Field = GraphQLField<unknown, GraphqlContext>;

/** Methods with `@TypeField` have no parameter for the `GraphQLResolveInfo`. */
const NO_INFO = undefined as unknown as GraphQLResolveInfo;

/** A selection that only graphql-js can execute. */
class NotCompilable extends Error {}

/** One execution. */
class Run {
  readonly errors: GraphQLError[] = [];
  /** Whether graphql-js must execute the query, for example because a null removes the object around it. */
  isAbandoned = false;

  constructor(
    readonly context: GraphqlContext,
    readonly variables: Variables,
  ) {}

  abandon(): string {
    this.isAbandoned = true;
    return '';
  }
}

/** The JSON text of `data`, and the errors. A field with an error is null in `data`. */
export interface Executed {
  readonly data: string;
  readonly errors: readonly GraphQLError[];
}

/** A query as code that calls the resolvers and writes the JSON text of their results, without intermediate objects. */
export class CompiledQuery {
  private constructor(private readonly write: Write) {}

  /** Returns null if only graphql-js can execute the operation. */
  static of(schema: GraphQLSchema, { document, operation }: Selected): CompiledQuery | null {
    const type = schema.getQueryType();
    if (!type) return null;
    const compiler = new Compiler(schema, { document, operation });
    try {
      return new CompiledQuery(compiler.root(type));
    } catch (error) {
      if (error instanceof NotCompilable || error instanceof GraphQLError) return null;
      throw error;
    }
  }

  /** Returns null if graphql-js must execute the operation, for example because a value does not fit its type. */
  run(context: GraphqlContext, variables: Variables): Executed | null | Promise<Executed | null> {
    const run = new Run(context, variables);
    const finish = (data: string): Executed | null => (run.isAbandoned ? null : { data, errors: run.errors });
    const text = guarded(() => this.write(undefined, run, undefined), run);
    return typeof text === 'string' ? finish(text) : text.then(finish);
  }
}

/**
 * The promises are chained as in graphql-js, so that the errors of fields that run at the same time have the same order
 * as with graphql-js.
 */
class Compiler {
  private readonly fragments;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly selected: Selected,
  ) {
    this.fragments = fragmentsIn(selected.document);
  }

  root(type: GraphQLObjectType): Write {
    const { selectionSet } = this.selected.operation;
    return this.object(type, collectFields(this.schema, this.fragments, {}, type, selectionSet), true).write;
  }

  private value(type: GraphQLOutputType, nodes: readonly FieldNode[]): Compiled {
    const inner = getNullableType(type);
    const { write, hasPath } = this.present(inner, nodes);
    const isRequired = isNonNullType(type);
    const whole: Write = (value, run, path) =>
      value === null || value === undefined ? (isRequired ? run.abandon() : 'null') : write(value, run, path);
    return { write: whole, hasPath };
  }

  private present(type: GraphQLOutputType, nodes: readonly FieldNode[]): Compiled {
    if (isLeafType(type)) {
      const write = leafWriter(type);
      return { write: (value, run) => write(value) ?? run.abandon(), hasPath: false };
    }
    if (isListType(type)) return this.list(type.ofType as GraphQLOutputType, nodes);
    if (!isObjectType(type) || type.isTypeOf) throw new NotCompilable(`${String(type)} is not compiled.`);
    return this.object(type, collectSubfields(this.schema, this.fragments, {}, type, nodes), false);
  }

  private list(type: GraphQLOutputType, nodes: readonly FieldNode[]): Compiled {
    const { write, hasPath } = this.value(type, nodes);
    const whole: Write = (values, run, path) => {
      if (!Array.isArray(values)) return run.abandon();
      const texts: Text[] = [];
      for (let place = 0; place < values.length; place += 1) {
        const value: unknown = values[place];
        if (value instanceof Promise) return run.abandon();
        texts.push(write(value, run, hasPath ? addPath(path, place, undefined) : undefined));
      }
      if (texts.every(isReady)) return `[${texts.join(',')}]`;
      const all = Promise.all(texts.map((text) => Promise.resolve(text)));
      return all.then((known) => `[${known.join(',')}]`);
    };
    return { write: whole, hasPath };
  }

  /**
   * Generates straight-line code for an object, because a loop over names would look up each name of each row. The code
   * contains only names that the lexer of GraphQL has accepted.
   */
  private object(
    type: GraphQLObjectType,
    selections: ReadonlyMap<string, readonly FieldNode[]>,
    isRoot: boolean,
  ): Compiled {
    const writers: Write[] = [];
    const lines: string[] = [];
    const waiting: string[] = [];
    const members: string[] = [];
    let hasPath = false;
    for (const [name, nodes] of selections) {
      const key = JSON.stringify(JSON.stringify(name)).slice(1, -1);
      const begin = `${members.length === 0 ? '{' : ','}${key}:`;
      const fieldName = (nodes[0] as FieldNode).name.value;
      if (fieldName === '__typename') {
        members.push(`"${begin}\\"${type.name}\\""`);
        continue;
      }
      const field = type.getFields()[fieldName] as Field | undefined;
      if (!field) throw new NotCompilable(`${type.name}.${fieldName} is not compiled.`);
      const text = `text${writers.length}`;
      const from = field.resolve ? 'source' : `source[${JSON.stringify(fieldName)}]`;
      if (!field.resolve && isRoot) throw new NotCompilable(`${type.name}.${fieldName} has no resolver.`);
      const value = this.value(field.type, nodes);
      const compiled = field.resolve
        ? this.resolved(type, field, name, nodes, value, isRoot)
        : usual(field.type, value);
      const path = !compiled.hasPath
        ? 'undefined'
        : field.resolve
          ? 'path'
          : `addPath(path, ${JSON.stringify(name)}, ${JSON.stringify(type.name)})`;
      hasPath ||= compiled.hasPath;
      lines.push(`const ${text} = writers[${writers.length}](${from}, run, ${path});`);
      if (!isLeafType(getNullableType(field.type)) || field.resolve) waiting.push(text);
      members.push(`"${begin}" + ${text}`);
      writers.push(compiled.write);
    }
    const texts = `[${waiting.join(', ')}]`;
    const whole = `${members.join(' + ')} + "}"`;
    const isWaiting = waiting.map((text) => `typeof ${text} !== "string"`).join(' || ');
    const wait = isWaiting && `if (${isWaiting}) return Promise.all(${texts}).then((${texts}) => ${whole});`;
    // oxlint-disable-next-line typescript/no-implied-eval -- see above
    const write = new Function(
      'writers',
      'addPath',
      `return (source, run, path) => { ${lines.join(' ')} ${wait} return ${whole}; };`,
    )(writers, addPath) as Write;
    return { write, hasPath };
  }

  /**
   * A field with a resolver. If the resolver of a nullable field fails, the field is null, and the error is kept. If
   * the resolver of any other field fails, graphql-js executes the query again.
   */
  private resolved(
    type: GraphQLObjectType,
    field: Field,
    name: string,
    nodes: readonly FieldNode[],
    { write, hasPath }: Compiled,
    isRoot: boolean,
  ): Compiled {
    const resolve = field.resolve as NonNullable<Field['resolve']>;
    const isRequired = isNonNullType(field.type);
    const hasOwnPath = hasPath || !isRequired;
    const argumentsOf = argumentsFor(field, nodes[0] as FieldNode);
    const infoOf = isRoot ? this.infoOf(type, field, nodes) : () => NO_INFO;
    const fail = (error: unknown, run: Run, path: Path | undefined): string => {
      if (isRequired) return run.abandon();
      run.errors.push(locatedError(error, nodes, path && pathToArray(path)));
      return 'null';
    };
    const whole: Write = (source, run, around) => {
      const path = hasOwnPath ? addPath(around, name, type.name) : undefined;
      let value: unknown;
      try {
        value = resolve(source, argumentsOf(run.variables), run.context, infoOf(run, path));
      } catch (error) {
        return fail(error, run, path);
      }
      if (!(value instanceof Promise)) return isUnusual(value) ? run.abandon() : write(value, run, path);
      // An error of `write` is not an error of the resolver, so it must not reach `fail`.
      return value
        .then((known: unknown) =>
          guarded(() => (isUnusual(known) ? run.abandon() : write(known, run, path)), run),
        )
        .then(undefined, (error: unknown) => fail(error, run, path));
    };
    return { write: whole, hasPath: hasOwnPath };
  }

  private infoOf(type: GraphQLObjectType, field: Field, nodes: readonly FieldNode[]) {
    const { schema, fragments } = this;
    const { operation } = this.selected;
    return (run: Run, path: Path | undefined): GraphQLResolveInfo => ({
      fieldName: field.name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType: type,
      path: path as Path,
      schema,
      fragments,
      rootValue: undefined,
      operation,
      variableValues: run.variables,
    });
  }
}

interface Compiled {
  readonly write: Write;
  /** Whether a field in the value may be null because of an error. Then the error needs the path of the field. */
  readonly hasPath: boolean;
}

function isReady(text: Text): text is string {
  return typeof text === 'string';
}

/** Lets graphql-js execute the query if `write` throws: a getter of a row, or the serialiser of a scalar, may throw. */
function guarded(write: () => Text, run: Run): Text {
  try {
    return write();
  } catch {
    return run.abandon();
  }
}

/**
 * Lets graphql-js execute the query if a property of a row is a function, a promise or an error. For scalars this check
 * is not needed, because their serialisers refuse such values.
 */
function usual(type: GraphQLOutputType, { write, hasPath }: Compiled): Compiled {
  if (isLeafType(getNullableType(type))) return { write, hasPath };
  return {
    write: (value, run, path) =>
      typeof value === 'function' || isUnusual(value) ? run.abandon() : write(value, run, path),
    hasPath,
  };
}

/** Whether graphql-js treats a value in a special way. */
function isUnusual(value: unknown): boolean {
  return (
    value instanceof Error ||
    (typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function')
  );
}
