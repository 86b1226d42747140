import {
  GraphQLError,
  parse,
  SingleFieldSubscriptionsRule,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type SourceLocation,
  type ValidationRule,
} from 'graphql';
import { FIELDS } from '../../generated/fields.js';
import { GraphqlLimitExceeded, StoreError } from '../errors/errors.js';
import { introspectionRule } from './introspection.js';
import { subscriptionRootRule } from './subscription-root.js';

/**
 * Bounds the errors of validation. For each error the text is read up to the place of the error, and the error may
 * contain a name as long as the text.
 */
const MOST_ERRORS = 20;
/** The maximum number of field comparisons in one validation. graphql-js sets this bound, and has no setting for it. */
const MAX_COMPARISONS = 500_000;
const MOST_OF_A_MESSAGE = 1_000;

class GraphqlSyntaxError extends StoreError {
  readonly code = 'GRAPHQL_PARSE_FAILED';
}

export class GraphqlInvalid extends StoreError {
  readonly code = 'GRAPHQL_VALIDATION_FAILED';
}

/** An error of a text, with its places in the text. */
export interface TextFault {
  readonly error: StoreError;
  readonly locations: readonly SourceLocation[] | undefined;
}

/** A text that is not GraphQL, or does not fit the schema. */
export class TextRefused extends Error {
  constructor(readonly faults: readonly TextFault[]) {
    super('The text of an operation was refused.');
  }
}

/** @throws TextRefused */
export function parseText(text: string): DocumentNode {
  try {
    return parse(text);
  } catch (error) {
    const { message, locations } = error as GraphQLError;
    throw new TextRefused([{ error: new GraphqlSyntaxError(shortened(message)), locations }]);
  }
}

/** The rules of the specification. */
export const RULES: readonly ValidationRule[] = specifiedRules.map((rule) =>
  rule === SingleFieldSubscriptionsRule ? subscriptionRootRule : rule,
);

/** The rules of the specification. If `introspection` is false, also the rule that refuses introspection. */
export function rulesOf({ introspection }: { readonly introspection: boolean }): readonly ValidationRule[] {
  return introspection ? RULES : [...RULES, introspectionRule];
}

/** @throws TextRefused */
export function requireValid(
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
): void {
  const errors = validate(schema, document, rules, { maxErrors: MOST_ERRORS });
  if (errors.length === 0) return;
  throw new TextRefused(errors.map(({ message, locations }) => ({ error: faultOf(message), locations })));
}

function faultOf(message: string): StoreError {
  if (message === 'Validation aborted.') {
    return new GraphqlLimitExceeded(
      `The fields of this operation need more than ${MAX_COMPARISONS} comparisons, which is the limit.`,
    );
  }
  return new GraphqlInvalid(shortened(message) + argumentsBesides(message));
}

/** Lists the arguments of a field that got an unknown argument. */
function argumentsBesides(message: string): string {
  const field = /^Unknown argument "\w+" on field "(\w+\.\w+)"/.exec(message)?.[1] ?? '';
  const dto = FIELDS[field]?.args;
  if (message.length > MOST_OF_A_MESSAGE || !dto) return '';
  return ` The arguments are ${[...dto.shape.members.keys()].join(', ')}.`;
}

/** A name or a value in a message may be as long as the text of the operation. */
export function shortened(message: string): string {
  if (message.length <= MOST_OF_A_MESSAGE) return message;
  return `${message.slice(0, MOST_OF_A_MESSAGE / 2)}…${message.slice(-MOST_OF_A_MESSAGE / 2)}`;
}
