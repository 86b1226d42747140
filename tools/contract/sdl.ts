import {
  Kind,
  type ASTNode,
  type DirectiveNode,
  type FieldDefinitionNode,
  type ObjectTypeDefinitionNode,
  type StringValueNode,
} from 'graphql';
import { format, resolveConfig } from 'prettier';
import { Faults, type ContractFault } from '../faults.ts';
import { parseSdl, placeOf } from '../graphql/schema.ts';
import { member, members, textOf } from '../json.ts';
import { camelCase, snakeCase } from '../names.ts';
import { Document } from '../openapi/document.ts';
import type { Operation, Rest } from '../openapi/model.ts';
import { readOperations } from '../openapi/operations.ts';
import { Shapes } from '../openapi/shapes.ts';
import { accessOf } from '../ties/access.ts';
import { inputsOf } from '../ties/collect.ts';
import { fieldTiedTo, typeTiedTo, type Names } from '../ties/names.ts';
import { Copies } from './copies.ts';
import { argumentsOf, definitionOf, described, descriptionIn, directiveOf, nameOfType } from './sdl-text.ts';
import {
  AFTER_CURSOR,
  CHANGE,
  changeKinds,
  CONNECTION_ARGUMENTS,
  CONNECTION_SIZE,
  connectionDescription,
  connectionTypes,
  CURSOR,
  EXPECTED_VERSION,
  MUTATION_COST,
  PAGE_ARGUMENTS,
  versionField,
} from './standard-sdl.ts';

const FILE = 'schema.graphql';
/** The last words of a fault: `ONE` if one part is missing, `SEVERAL` if more parts are missing. */
const ONE = 'which follows from openapi.yaml; npm run contract adds it';
const SEVERAL = 'which follow from openapi.yaml; npm run contract adds them';
/**
 * The parts that one pass adds may need further parts, which the next pass adds. For example, a new connection needs
 * arguments.
 */
const MOST_PASSES = 5;

/** A part that schema.graphql lacks, or the new text of a copied description, with the fault that reports it. */
interface Addition {
  readonly offset: number;
  /** The end of the text that is replaced. If nothing is replaced, it equals `offset`. */
  readonly end: number;
  readonly text: string;
  readonly fault: ContractFault;
}

export interface CompletedSdl {
  readonly text: string;
  /** A fault for each part that was missing, and for each description that was copied again. */
  readonly faults: readonly ContractFault[];
}

/**
 * Adds to schema.graphql the parts that follow from openapi.yaml through the ties. The parts that an author wrote stay
 * as they are. A copied description follows its source. The added parts are:
 *
 * - the fields of a tied type;
 * - the arguments of a tied field with their bounds and costs, and the access and the cost of the field;
 * - the arguments and types of connections;
 * - the version and the event of a row;
 * - descriptions.
 *
 * @param copies the copied descriptions. The function updates this object
 * @throws ContractError when openapi.yaml has faults, or the syntax of schema.graphql is wrong
 */
export async function completeSdl(
  openapi: string,
  sdl: string,
  copies = new Copies(),
): Promise<CompletedSdl> {
  const faults = new Faults();
  const document = new Document(openapi, faults);
  const rest = readOperations(document);
  faults.throwIfAny();
  let text = sdl;
  const missing: ContractFault[] = [];
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const additions = new Additions(text, document, rest, copies).list;
    if (additions.length === 0) break;
    missing.push(...additions.map(({ fault }) => fault));
    const fromEnd = additions.toReversed().toSorted((a, b) => b.offset - a.offset);
    for (const { offset, end, text: added } of fromEnd)
      text = text.slice(0, offset) + added + text.slice(end);
  }
  const config = await resolveConfig(FILE);
  return {
    text: missing.length === 0 ? sdl : await format(text, { parser: 'graphql', ...config }),
    faults: missing,
  };
}

/**
 * The parts that are missing in a text of schema.graphql. A part that depends on another missing part is found in the
 * next pass.
 */
class Additions {
  readonly list: Addition[] = [];
  /**
   * One pass adds to each place at most once. If several operations ask for parts at the same place, the next passes
   * add the others.
   */
  readonly #places = new Set<string>();
  readonly #sdl: string;
  readonly #document: Document;
  readonly #rest: Rest;
  readonly #names: ReadonlySet<string>;
  readonly #types: ReadonlyMap<string, ObjectTypeDefinitionNode>;
  readonly #fields: ReadonlyMap<string, FieldDefinitionNode>;
  readonly #ties: Names;
  readonly #copies: Copies;

  constructor(sdl: string, document: Document, rest: Rest, copies: Copies) {
    this.#copies = copies;
    this.#sdl = sdl;
    this.#document = document;
    this.#rest = rest;
    const { definitions } = parseSdl(sdl, new Faults());
    this.#names = new Set(definitions.flatMap((node) => ('name' in node ? [node.name?.value ?? ''] : [])));
    this.#types = new Map(
      definitions.flatMap((node) =>
        node.kind === Kind.OBJECT_TYPE_DEFINITION ? [[node.name.value, node] as const] : [],
      ),
    );
    this.#fields = new Map(
      [...this.#types].flatMap(([type, { fields }]) =>
        (fields ?? []).map((field) => [`${type}.${field.name.value}`, field] as const),
      ),
    );
    const inputs = definitions.filter((node) => node.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION);
    const types = new Map([...this.#types.values(), ...inputs].map((node) => [node.name.value, node]));
    this.#ties = {
      hasType: (name) => isTiedByName(types.get(name)),
      hasField: (coordinate) => isTiedByName(this.#fields.get(coordinate)),
    };
    for (const operation of rest.operations) this.#ofOperation(operation);
    this.#ofSchemas();
    for (const [coordinate, field] of this.#fields) {
      if (coordinate.startsWith('Subscription.')) this.#ofSubscription(coordinate, field);
      this.#ofConnection(coordinate, field);
    }
  }

  #ofOperation(operation: Operation): void {
    const coordinate = fieldTiedTo(this.#ties, operation);
    const field = this.#fields.get(coordinate ?? '');
    if (coordinate === null || field === undefined) return;
    const words = textOf(member(operation.node, 'description'));
    if (!isConnection(field)) this.#addDescription(coordinate, field, words);
    const isSlice = operation.answer.shape === 'slice';
    // A connection has arguments of its own for the place and the size of a slice.
    const apart = isSlice ? (isConnection(field) ? ['cursor', 'limit'] : ['cursor']) : [];
    const inputs = inputsOf(this.#rest, { operation, coordinate }).filter(
      ({ name }) => !apart.includes(name),
    );
    const given = argumentsOf(coordinate, inputs, this.#ties);
    const guard = isGuarded(operation, field) ? [['expectedVersion', EXPECTED_VERSION] as const] : [];
    this.#addArguments(coordinate, field, Object.fromEntries([...given, ...guard]));
    const row = this.#types.get(nameOfType(field.type));
    if (row && guard.length > 0) this.#addField('version', row, versionField(wordsOf(row)));
    const access = directiveOf(accessOf(this.#rest, this.#ties, operation, coordinate));
    this.#addDirective(coordinate, field, ['auth', 'public'], access);
    if (coordinate.startsWith('Mutation.')) this.#addDirective(coordinate, field, ['cost'], MUTATION_COST);
    const limit = operation.query?.dto.members.find(({ name }) => name === 'limit')?.shape.default;
    if (limit !== undefined && field.type.kind === Kind.LIST_TYPE) {
      const size = `@listSize(slicingArguments: ["limit"], assumedSize: ${JSON.stringify(limit)})`;
      this.#addDirective(coordinate, field, ['listSize'], size);
    }
  }

  /** A field for each member of the schemas that are tied to a type. */
  #ofSchemas(): void {
    const shapes = new Shapes(this.#document, 'answer');
    for (const [name, node] of members(member(member(this.#document.root, 'components'), 'schemas'))) {
      const type = this.#types.get(typeTiedTo(this.#ties, node, name) ?? '');
      const dto = type && shapes.dtos.get(shapes.of([node], name)?.dto ?? '');
      if (type) this.#addDescription(type.name.value, type, textOf(member(node, 'description')));
      for (const each of dto?.members ?? []) {
        const own = camelCase(each.name);
        const text = each.tie === undefined ? definitionOf(own, each, this.#ties, false) : null;
        if (type !== undefined && text !== null) this.#addField(own, type, text);
      }
    }
  }

  /** The rows of a subscription have fields for the event. `productChanged` also says how a product changed. */
  #ofSubscription(coordinate: string, field: FieldDefinitionNode): void {
    this.#addArguments(coordinate, field, { after: AFTER_CURSOR });
    const row = this.#types.get(nameOfType(field.type));
    if (row === undefined) return;
    const { value: name } = row.name;
    if (field.name.value === `${name.charAt(0).toLowerCase()}${name.slice(1)}Changed`) {
      this.#addField('change', row, CHANGE.replace('*', `${name}Change`));
      if (!this.#names.has(`${name}Change`) && this.#isFirst(`${name}Change`))
        this.#add(
          this.#sdl.length,
          changeKinds(name, wordsOf(row)),
          field,
          coordinate,
          `no enum ${name}Change`,
        );
    }
    this.#addField('cursor', row, CURSOR);
  }

  /**
   * A connection has the arguments of its list, except the arguments of pages. For example, `productsConnection` has
   * the arguments of `products`.
   */
  #ofConnection(coordinate: string, field: FieldDefinitionNode): void {
    const [, node] = /^(\w+)Connection$/.exec(nameOfType(field.type)) ?? [];
    if (node === undefined) return;
    if (!this.#names.has(`${node}Connection`) && this.#isFirst(`${node}Connection`)) {
      this.#add(
        this.#sdl.length,
        connectionTypes(node),
        field,
        coordinate,
        `no types ${node}Connection and ${node}Edge`,
        SEVERAL,
      );
    }
    const list = this.#fields.get(coordinate.replace(/Connection$/, ''));
    this.#addDescription(coordinate, field, connectionDescription(list?.name.value));
    const own = (list?.arguments ?? [])
      .filter(({ name }) => !PAGE_ARGUMENTS.includes(name.value))
      .map((argument) => [argument.name.value, this.#source(argument)] as const);
    this.#addArguments(coordinate, field, { ...CONNECTION_ARGUMENTS, ...Object.fromEntries(own) });
    const access = list?.directives?.find(({ name }) => ['auth', 'public'].includes(name.value));
    if (access) this.#addDirective(coordinate, field, ['auth', 'public'], this.#source(access));
    this.#addDirective(coordinate, field, ['listSize'], CONNECTION_SIZE);
  }

  /** @param wanted the definition of each argument, by name */
  #addArguments(
    coordinate: string,
    field: FieldDefinitionNode,
    wanted: Readonly<Record<string, string>>,
  ): void {
    const present = field.arguments ?? [];
    for (const { name, description } of present) {
      const place = `${coordinate}.${name.value}`;
      const source = descriptionIn(wanted[name.value]);
      if (description && source !== undefined && this.#isFirst(`${place} description`))
        this.#copyAgain(place, description, source);
    }
    const missing = Object.entries(wanted).filter(
      ([name]) => !present.some((each) => each.name.value === name),
    );
    if (missing.length === 0 || !this.#isFirst(`${coordinate} arguments`)) return;
    const text = missing.map(([, definition]) => definition).join('\n');
    const after = present.at(-1)?.loc?.end;
    const names = missing.map(([name]) => name).join(', ');
    const [fault, advice] =
      missing.length > 1 ? [`no arguments ${names}`, SEVERAL] : [`no argument ${names}`, ONE];
    const offset = after ?? field.name.loc?.end ?? 0;
    const added = after === undefined ? `(\n${text}\n)` : `\n${text}`;
    this.#add(offset, added, field, coordinate, fault, advice);
  }

  /**
   * Several operations may be tied to one field, and several schemas to one type. The first of them gives the
   * description.
   */
  #addDescription(
    coordinate: string,
    node: FieldDefinitionNode | ObjectTypeDefinitionNode,
    text: string | undefined,
  ): void {
    if (text === undefined || !this.#isFirst(`${coordinate} description`)) return;
    if (node.description) this.#copyAgain(coordinate, node.description, text);
    else this.#add(node.loc?.start ?? 0, `${described(text)}\n`, node, coordinate, 'no description');
  }

  #copyAgain(coordinate: string, description: StringValueNode, source: string): void {
    const { loc, value } = description;
    if (loc === undefined || !this.#copies.isOld(coordinate, value, source)) return;
    const fault = {
      place: placeOf(description, coordinate),
      text: 'has a copied description, and its source has changed; npm run contract copies it again',
    };
    this.list.push({ offset: loc.start, end: loc.end, text: described(source), fault });
  }

  #addDirective(
    coordinate: string,
    field: FieldDefinitionNode,
    names: readonly string[],
    text: string,
  ): void {
    if (field.directives?.some(({ name }) => names.includes(name.value))) return;
    if (!this.#isFirst(`${coordinate} ${names.join()}`)) return;
    this.#add(field.loc?.end ?? 0, ` ${text}`, field, coordinate, `no ${text}`);
  }

  #addField(name: string, type: ObjectTypeDefinitionNode, text: string): void {
    const coordinate = `${type.name.value}.${name}`;
    const present = this.#fields.get(coordinate);
    if (present) {
      this.#addDescription(coordinate, present, descriptionIn(text));
      return;
    }
    if (!this.#isFirst(coordinate)) return;
    const end = type.loc?.end ?? 0;
    const isEmpty = (type.fields ?? []).length === 0;
    // If a type has no fields, the braces are added with the first field.
    if (isEmpty && !this.#isFirst(type.name.value)) return;
    const added = isEmpty ? ` {\n${text}\n}` : `${text}\n`;
    this.#add(isEmpty ? end : end - 1, added, type, type.name.value, `no field ${name}`);
  }

  #add(offset: number, text: string, node: ASTNode, coordinate: string, fault: string, advice = ONE): void {
    this.list.push({
      offset,
      end: offset,
      text,
      fault: {
        place: placeOf(node, coordinate),
        text: `has ${fault}, ${advice}`,
      },
    });
  }

  #isFirst(place: string): boolean {
    const { size } = this.#places;
    return this.#places.add(place).size > size;
  }

  #source({ loc }: ASTNode): string {
    return this.#sdl.slice(loc?.start, loc?.end);
  }
}

/** Whether the operation takes `If-Match` for the row that the field returns. */
function isGuarded({ headers, answer }: Operation, field: FieldDefinitionNode): boolean {
  const hasCondition = headers?.dto.members.some(({ name }) => name.toLowerCase() === 'if-match') === true;
  return hasCondition && [null, nameOfType(field.type)].includes(answer.entity);
}

function isTiedByName(
  node: { readonly directives?: readonly DirectiveNode[] | undefined } | undefined,
): boolean {
  return node !== undefined && node.directives?.some(({ name }) => name.value === 'untied') !== true;
}

/** `OrderItem` → `order item` */
function wordsOf({ name }: ObjectTypeDefinitionNode): string {
  return snakeCase(name.value).replaceAll('_', ' ');
}

function isConnection({ type }: FieldDefinitionNode): boolean {
  return nameOfType(type).endsWith('Connection');
}
