import {
  getNullableType,
  isListType,
  isLeafType,
  isNonNullType,
  isObjectType,
  OperationTypeNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { fieldPolicy, type Policy } from '../access/policy.js';
import type { Engine } from '../database/sql.js';
import { argumentsFor, type Variables } from '../graphql/argument-values.js';
import type { GraphqlContext } from '../graphql/context.js';
import { isGuarded } from '../graphql/field.js';
import { fragmentsIn } from '../graphql/fragments.js';
import { FIELDS, type Field as ContractField } from '../../generated/fields.js';
import type { Currency } from '../values/currency.js';
import { Dialect } from './dialect.js';
import { fragment, Statement, type Fragment, type Parameter, type Use } from './fragment.js';
import {
  rootSourceOf,
  RowType,
  rowTypeOf,
  sourceOf,
  type Column,
  type RootList,
  type Source,
} from './row-types.js';

type Field = GraphQLField<unknown, GraphqlContext>;
type Selections = ReadonlyMap<string, readonly FieldNode[]>;
type Of<K extends Source['kind']> = Extract<Source, { kind: K }>;

/**
 * The number of fields that a statement may select. SQLite refuses an expression that joins more than a thousand parts.
 */
const MOST_FIELDS = 200;

/** The sources that are never null. */
const ALWAYS: ReadonlySet<Source['kind']> = new Set(['major', 'money', 'rows']);

/** The reason why a document does not become SQL. */
export class NotCompilable extends Error {}

/** The decision about a guarded field, or about a field with arguments. It is made before the statement runs. */
export interface Decision {
  readonly field: ContractField;
  /** Null if everybody who sees the object may see the field. */
  readonly policy: Policy | null;
  readonly argumentsOf: (variables: Variables) => Record<string, unknown>;
}

/** A field of `Query` as one statement, whose only value is the JSON text of the field. */
export interface CompiledRoot {
  /** The response name. */
  readonly name: string;
  readonly type: GraphQLObjectType;
  readonly field: Field;
  readonly nodes: readonly FieldNode[];
  /** The first decision is about the field of `Query` itself. */
  readonly decisions: readonly Decision[];
  readonly statement: Statement;
  /** The statement for a caller that may see only its own rows; null if `statement` is also for this caller. */
  readonly own: Statement | null;
  /** Whether the statement answers a request with these arguments. */
  readonly isFor: (args: Use['args']) => boolean;
}

/** The facts on which the statements depend, besides the schema. */
export interface Target {
  readonly engine: Engine;
  readonly currency: Currency;
}

interface Operation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/**
 * Compiles queries to SQL. Arguments and access follow from the contract. `row-types.ts` says where the data is.
 */
export class DocumentCompiler {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly target: Target,
  ) {}

  /**
   * The fields of an operation, in the order of the answer.
   *
   * @param conditions the values of the variables in `@skip` and `@include`
   * @throws NotCompilable
   */
  rootsOf({ document, operation }: Operation, conditions: Variables): readonly RootField[] {
    if (operation.operation !== OperationTypeNode.QUERY) {
      throw new NotCompilable(`Only queries become SQL, and this is a ${operation.operation}.`);
    }
    const type = this.schema.getQueryType() as GraphQLObjectType;
    const fragments = fragmentsIn(document);
    const selections = collectFields(this.schema, fragments, conditions, type, operation.selectionSet);
    return [...selections].map(([name, nodes]) => {
      const compile = () =>
        new RootCompiler(this.schema, this.target, fragments, conditions).root(name, nodes);
      return { name, field: `Query.${nameOf(nodes)}`, compile };
    });
  }
}

/** A selected field of `Query`. */
export interface RootField {
  /** The response name. */
  readonly name: string;
  readonly field: string;
  /** Null for `__typename`. @throws NotCompilable */
  readonly compile: () => CompiledRoot | null;
}

/** The object whose fields are written: a row of a table under an alias. */
interface Parent {
  readonly rows: RowType;
  readonly alias: string;
}

class RootCompiler {
  private readonly dialect: Dialect;
  private readonly decisions: Decision[] = [];
  private aliases = 0;
  private fields = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly target: Target,
    private readonly fragments: ReturnType<typeof fragmentsIn>,
    private readonly conditions: Variables,
  ) {
    this.dialect = Dialect.of(target.engine);
  }

  root(name: string, nodes: readonly FieldNode[]): CompiledRoot | null {
    const type = this.schema.getQueryType() as GraphQLObjectType;
    if (nameOf(nodes) === '__typename') return null;
    const field = this.fieldOf(type, nodes);
    const path = `Query.${field.name}`;
    const source = rootSourceOf(path);
    if (field.extensions['guards'] === null) throw new NotCompilable(`${path} has checks of its own.`);
    if (!source) throw new NotCompilable(`No feature says how ${path} becomes SQL.`);
    const common = { name, type, field, nodes, decisions: this.decisions };
    if (source.kind === 'rows') return { ...common, ...this.rootRows(source, path, field, nodes) };
    return {
      ...common,
      own: null,
      isFor: () => true,
      statement: this.rootRow(source.id, path, field, nodes),
    };
  }

  private rootRow(
    by: 'args' | 'principal',
    path: string,
    field: Field,
    nodes: readonly FieldNode[],
  ): Statement {
    const { policy } = this.decide(path, field, nodes, ['id']);
    const parent = this.parentOf(this.objectOf(field));
    const id: Parameter =
      by === 'args' ? ({ uses }) => uses[0]?.args['id'] as number : ({ principal }) => principal.userId;
    const row = fragment`${parent.alias}.id = ${this.dialect.number(id)}`;
    const owner = policy?.owner;
    // An owner that an argument names is compared with the caller before the statement runs.
    const found = owner?.place === 'row' ? fragment`${row} AND ${this.reached(parent, owner.name, 0)}` : row;
    const text = this.object(parent, this.objectOf(field), nodes);
    return new Statement(
      fragment`SELECT ${text} AS value FROM ${parent.rows.table} ${parent.alias} WHERE ${found}`,
    );
  }

  private rootRows(
    { order, limit, only }: RootList,
    path: string,
    field: Field,
    nodes: readonly FieldNode[],
  ): Pick<CompiledRoot, 'statement' | 'own' | 'isFor'> {
    const names = field.args.map((argument) => argument.name);
    const { policy } = this.decide(path, field, nodes, names);
    const item = this.itemOf(field);
    const parent = this.parentOf(item);
    const text = this.object(parent, item, nodes);
    const statementOf = (where: Fragment): Statement =>
      new Statement(
        fragment`SELECT ${this.list(parent, text, where, { order, limit: this.limitOf(0, limit) })} AS value`,
      );
    const owner = policy?.owner;
    const own = owner
      ? statementOf(
          fragment` WHERE ${parent.alias}.${parent.rows.columnOf(owner.name).name} = ${this.onlyOf(0)}`,
        )
      : null;
    const free = names.filter((name) => name !== limit);
    return {
      statement: statementOf(fragment``),
      own,
      isFor: (args) => free.every((name) => args[name] === only[name]),
    };
  }

  /** The JSON text of a row that exists. */
  private object(parent: Parent, type: GraphQLObjectType, nodes: readonly FieldNode[]): Fragment {
    return this.members(type, nodes, (field, own) => this.member(parent, type, field, own));
  }

  private members(
    type: GraphQLObjectType,
    nodes: readonly FieldNode[],
    write: (field: Field, nodes: readonly FieldNode[]) => Fragment | string,
  ): Fragment {
    let whole = fragment``;
    let text = '';
    let before = '{';
    for (const [name, own] of this.selectionsOf(type, nodes)) {
      this.fields += 1;
      if (this.fields > MOST_FIELDS) throw new NotCompilable(`It selects more than ${MOST_FIELDS} fields.`);
      text += `${before}${JSON.stringify(name)}:`;
      before = ',';
      if (nameOf(own) === '__typename') {
        text += JSON.stringify(type.name);
        continue;
      }
      whole = fragment`${whole}${this.dialect.literal(text)}||${write(this.fieldOf(type, own), own)}||`;
      text = '';
    }
    // `{}` if the conditions leave out every field.
    return fragment`${whole}${this.dialect.literal(before === '{' ? '{}' : `${text}}`)}`;
  }

  private member(
    parent: Parent,
    type: GraphQLObjectType,
    field: Field,
    nodes: readonly FieldNode[],
  ): Fragment | string {
    const path = `${type.name}.${field.name}`;
    const source = sourceOf(path);
    const column = parent.rows.column(field.name);
    if (!source && (field.resolve || !column)) {
      throw new NotCompilable(`No feature says how ${path} becomes SQL.`);
    }
    const contract = FIELDS[path];
    const isDecided = contract && (isGuarded(contract) || field.args.length > 0);
    const known = source?.kind === 'rows' && source.limit !== null ? [source.limit] : [];
    const number = isDecided ? this.decide(path, field, nodes, known).number : null;
    const text = source
      ? this.from(source, parent, field, nodes, number)
      : this.leaf(`${parent.alias}.${column?.name}`, column as Column, field);
    const missing = isNonNullType(field.type) ? this.dialect.unwritable : "'null'";
    const isPresent = source ? ALWAYS.has(source.kind) : column?.isNullable === false;
    const whole = isPresent ? fragment`${text}` : fragment`coalesce(${text}, ${missing})`;
    const owner = number === null ? null : this.decisions[number]?.policy?.owner;
    if (number === null || !owner) return whole;
    if (owner.place !== 'parent')
      throw new NotCompilable(`The owner of ${path} is not a field of its parent.`);
    return fragment`CASE WHEN ${this.reached(parent, owner.name, number)} THEN ${whole} ELSE 'null' END`;
  }

  /** Whether the caller may see the rows of the owner that a property names. */
  private reached({ rows, alias }: Parent, property: string, number: number): Fragment {
    const onlyOf = this.onlyOf(number);
    return fragment`(${onlyOf} IS NULL OR ${alias}.${rows.columnOf(property).name} = ${onlyOf})`;
  }

  private onlyOf(number: number): Fragment {
    return this.dialect.number(({ uses }) => uses[number]?.reach.onlyOf as number | null);
  }

  private limitOf(number: number, argument: string): Fragment {
    return this.dialect.number(({ uses }) => uses[number]?.args[argument] as number);
  }

  private from(
    source: Source,
    parent: Parent,
    field: Field,
    nodes: readonly FieldNode[],
    number: number | null,
  ): Fragment | string {
    const column = (property: string) => `${parent.alias}.${parent.rows.columnOf(property).name}`;
    switch (source.kind) {
      case 'nothing':
        return 'NULL';
      case 'major':
        return this.dialect.major(column(source.property), this.target.currency.toMinor(1, {}));
      case 'money':
        return this.money(column(source.property), field, nodes);
      case 'value':
        return this.value(source, parent, field);
      case 'row':
        return this.row(column(source.property), field, nodes);
      default:
        return this.rows(source, parent, field, nodes, number);
    }
  }

  private money(name: string, field: Field, nodes: readonly FieldNode[]): Fragment {
    const column: Column = { name, kind: 'id', isNullable: false };
    return this.members(this.objectOf(field), nodes, (member) =>
      member.name === 'currency'
        ? this.dialect.literal(JSON.stringify(this.target.currency.code))
        : this.leaf(name, column, member),
    );
  }

  private value({ entity, owner, property }: Of<'value'>, { alias }: Parent, field: Field): Fragment {
    const rows = RowType.of(entity);
    const other = this.alias();
    const column = rows.columnOf(property);
    const text = this.leaf(`${other}.${column.name}`, column, field);
    const own = `${other}.${rows.columnOf(owner).name} = ${alias}.id`;
    return fragment`(SELECT ${text} FROM ${rows.table} ${other} WHERE ${own})`;
  }

  private row(id: string, field: Field, nodes: readonly FieldNode[]): Fragment {
    const type = this.objectOf(field);
    const parent = this.parentOf(type);
    const text = this.object(parent, type, nodes);
    const { alias, rows } = parent;
    return fragment`(SELECT ${text} FROM ${rows.table} ${alias} WHERE ${alias}.id = ${id})`;
  }

  private rows(
    { owner, order, limit }: Of<'rows'>,
    { alias }: Parent,
    field: Field,
    nodes: readonly FieldNode[],
    number: number | null,
  ): Fragment {
    const item = this.itemOf(field);
    const parent = this.parentOf(item);
    const text = this.object(parent, item, nodes);
    const where = fragment` WHERE ${parent.alias}.${parent.rows.columnOf(owner).name} = ${alias}.id`;
    const most = limit === null ? null : this.limitOf(number as number, limit);
    return this.list(parent, text, where, { order, limit: most });
  }

  /** The JSON text of the rows of a table. */
  private list(
    { rows, alias }: Parent,
    text: Fragment,
    where: Fragment,
    { order, limit }: { readonly order: string; readonly limit: Fragment | null },
  ): Fragment {
    const isDescending = order.startsWith('-');
    const key = `${alias}.${rows.columnOf(order.replace(/^-/, '')).name}`;
    const most = limit === null ? '' : fragment` LIMIT ${limit}`;
    const found = fragment`
      SELECT ${text} AS x, ${key} AS k FROM ${rows.table} ${alias}${where}
      ORDER BY ${key}${isDescending ? ' DESC' : ''}${most}`;
    return fragment`'['||coalesce((${this.dialect.joined(found, isDescending)}), '')||']'`;
  }

  private leaf(name: string, column: Column, { name: field, type }: Field): string {
    const leaf = getNullableType(type);
    const text = isLeafType(leaf) ? this.dialect.value(name, column, leaf.name) : null;
    if (text !== null) return text;
    throw new NotCompilable(`${field} is ${String(leaf)}, and its column is ${column.kind}.`);
  }

  /**
   * Adds the decision about a field.
   *
   * @throws NotCompilable when the contract has no such field, or the field has an argument that is not in `known`
   */
  private decide(
    path: string,
    field: Field,
    nodes: readonly FieldNode[],
    known: readonly string[],
  ): Decision & { readonly number: number } {
    const contract = FIELDS[path];
    const unknown = field.args.find(({ name }) => !known.includes(name));
    if (!contract || unknown) {
      throw new NotCompilable(
        `No feature says how ${path}${unknown ? `(${unknown.name}:)` : ''} becomes SQL.`,
      );
    }
    const policy = contract.access === null ? null : fieldPolicy(contract);
    const argumentsOf = argumentsFor(field, nodes[0] as FieldNode);
    const decision = { field: contract, policy, argumentsOf };
    return { ...decision, number: this.decisions.push(decision) - 1 };
  }

  private selectionsOf(type: GraphQLObjectType, nodes: readonly FieldNode[]): Selections {
    return collectSubfields(this.schema, this.fragments, this.conditions, type, nodes);
  }

  private fieldOf(type: GraphQLObjectType, nodes: readonly FieldNode[]): Field {
    const field = type.getFields()[nameOf(nodes)];
    if (!field) throw new NotCompilable(`${nameOf(nodes)} is part of introspection.`);
    return field as Field;
  }

  private objectOf({ name, type }: Field): GraphQLObjectType {
    const inner = getNullableType(type);
    if (isObjectType(inner)) return inner;
    throw new NotCompilable(`${name} is ${String(inner)}, which is not an object.`);
  }

  private itemOf({ name, type }: Field): GraphQLObjectType {
    const list = getNullableType(type);
    const item = isListType(list) ? getNullableType(list.ofType) : null;
    if (isObjectType(item)) return item;
    throw new NotCompilable(`${name} is ${String(type)}, which is not a list of objects.`);
  }

  private parentOf(type: GraphQLObjectType): Parent {
    const rows = rowTypeOf(type.name);
    if (!rows) throw new NotCompilable(`No feature says which rows ${type.name} shows.`);
    return { rows, alias: this.alias() };
  }

  private alias(): string {
    this.aliases += 1;
    return `t${this.aliases}`;
  }
}

function nameOf(nodes: readonly FieldNode[]): string {
  return (nodes[0] as FieldNode).name.value;
}
