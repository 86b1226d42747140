import {
  parse,
  print,
  separateOperations,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Weighed } from '../rate-limits/places.js';

/**
 * A selection weighs one unit (see `Weighed`) for each full hundred characters of its text, because a longer text has
 * more nodes. For every eight characters, the nodes take a few hundred bytes of memory.
 */
const CHARACTERS_OF_A_UNIT = 100;

/**
 * The only stored copy of a selection. Its nodes have no locations, because clients write the same selection in
 * different ways.
 */
class Selection implements Weighed {
  holders = 0;
  readonly weight: number;
  readonly document: DocumentNode;

  constructor(
    readonly id: number,
    readonly text: string,
  ) {
    this.document = parse(text, { noLocation: true });
    this.weight = unitsOf(text.length);
  }
}

export type { Selection };

interface Printed {
  readonly text: string;
  readonly variables: ReadonlySet<string>;
}

/** The selections of subscriptions. Equal selections are kept once, for all clients and for all ways to write them. */
export class Selections {
  private readonly held = new Map<string, Selection>();
  /** An entry is kept as long as the parsed text (see `ParsedTexts`). */
  private readonly printed = new WeakMap<OperationDefinitionNode, Printed>();
  private last = 0;

  get size(): number {
    return this.held.size;
  }

  /** @param variableValues the values of all variables. The values that the selection uses are returned. */
  hold(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variableValues: Readonly<Record<string, unknown>>,
  ): { selection: Selection; variables: Readonly<Record<string, unknown>> } {
    let printed = this.printed.get(operation);
    if (printed === undefined) {
      printed = printedOf(schema, document, operation);
      this.printed.set(operation, printed);
    }
    const { text } = printed;
    const selection = this.held.get(text) ?? new Selection((this.last += 1), text);
    this.held.set(text, selection);
    selection.holders += 1;
    const given = Object.entries(variableValues).filter(([name]) => printed.variables.has(name));
    return { selection, variables: Object.fromEntries(given) };
  }

  release(selection: Selection): void {
    selection.holders -= 1;
    if (selection.holders === 0) this.held.delete(selection.text);
  }
}

export function unitsOf(characters: number): number {
  return Math.floor(characters / CHARACTERS_OF_A_UNIT);
}

/**
 * Prints one operation with the fragments that it needs. The argument `after` is left out: it is a position in the log
 * of events, and differs from client to client.
 */
function printedOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Printed {
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  const alone = separateOperations(document)[operation.name?.value ?? ''] ?? document;
  const selected = visit(alone, {
    Field: (field) =>
      Object.hasOwn(fields, field.name.value)
        ? { ...field, arguments: field.arguments?.filter(({ name }) => name.value !== 'after') ?? [] }
        : undefined,
  });
  const variables = new Set<string>();
  visit(selected, {
    // Only uses are counted, not the definitions.
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      variables.add(name.value);
    },
  });
  const needed = visit(selected, {
    VariableDefinition: ({ variable }) => (variables.has(variable.name.value) ? undefined : null),
  });
  return { text: print(needed), variables };
}
