import {
  buildASTSchema,
  GraphQLError,
  parse,
  validateSchema,
  valueFromASTUntyped,
  type ASTNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import type { Faults } from '../faults.ts';

const FILE = 'schema.graphql';

export interface Sdl {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  /** Adds a fault at a node. `name` is the name of the node in the message, such as `Query.products(sort:)`. */
  readonly fault: (node: ASTNode | null | undefined, name: string, text: string) => void;
}

export function placeOf(node: ASTNode | null | undefined, name: string): string {
  const start = node?.loc?.startToken;
  return start === undefined ? `${FILE} ${name}` : `${FILE}:${start.line}:${start.column} ${name}`;
}

/** @throws ContractError when the text is not a schema, because then no further check is possible */
export function readSdl(text: string, faults: Faults): Sdl {
  const document = parseSdl(text, faults);
  fail(validateSDL(document), faults);
  const schema = buildASTSchema(document, { assumeValidSDL: true });
  fail(validateSchema(schema), faults);
  return { schema, document, fault: (node, name, what) => faults.add(placeOf(node, name), what) };
}

/** @throws ContractError when the text has a wrong syntax; its types are not checked */
export function parseSdl(text: string, faults: Faults): DocumentNode {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) fail([error], faults);
    throw error;
  }
}

function fail(errors: readonly GraphQLError[], faults: Faults): void {
  for (const { message, locations } of errors) {
    const [location] = locations ?? [];
    faults.add(location === undefined ? FILE : `${FILE}:${location.line}:${location.column}`, message);
  }
  if (errors.length > 0) faults.throwIfAny();
}

interface WithDirectives {
  readonly astNode?: { readonly directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined;
}

/** The arguments of a directive as plain values; undefined when `owner` does not have the directive. */
export function directive(owner: WithDirectives, name: string): Record<string, unknown> | undefined {
  const node = owner.astNode?.directives?.find((each) => each.name.value === name);
  if (node === undefined) return undefined;
  return Object.fromEntries(
    (node.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
  );
}
