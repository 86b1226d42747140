import {
  coerceInputValue,
  isInputType,
  isNonNullType,
  typeFromAST,
  valueFromAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { pointerOf } from '../contract/pointer.js';
import { MOST_FAULTS, ValidationFailed, type Fault } from '../errors/errors.js';

const ENOUGH = new Error('Enough faults are known.');

/** A name or value in a message may be as long as the variables themselves. */
const MOST_OF_A_MESSAGE = 300;

/**
 * Reads the variables of an operation as graphql-js does (GraphQL, section 6.1.2), and returns their values. It stops
 * at the maximum number of reported faults, and prints no value. graphql-js would print a whole wrong value for each
 * fault in the value.
 *
 * @throws ValidationFailed
 */
export function readVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  if (variableDefinitions.length === 0) return values;
  const faults: Fault[] = [];
  const add = (path: readonly (string | number)[], code: string, detail: string): void => {
    faults.push({ pointer: pointerOf(['variables', ...path]), code, detail });
    if (faults.length >= MOST_FAULTS) throw ENOUGH;
  };
  try {
    for (const definition of variableDefinitions) {
      const { name } = definition.variable;
      const type = typeFromAST(schema, definition.type);
      // Validation reports a type that is not an input type.
      if (!isInputType(type)) continue;
      const value = Object.hasOwn(given, name.value) ? given[name.value] : undefined;
      const variable = `Variable "$${name.value}"`;
      if (value === undefined) {
        if (definition.defaultValue) values[name.value] = valueFromAST(definition.defaultValue, type);
        if (definition.defaultValue || !isNonNullType(type)) continue;
        add([name.value], 'REQUIRED', `${variable} of required type "${type.toString()}" was not provided`);
      } else if (value === null) {
        values[name.value] = null;
        if (!isNonNullType(type)) continue;
        add([name.value], 'WRONG_TYPE', `${variable} of non-null type "${type.toString()}" must not be null`);
      } else {
        values[name.value] = coerceInputValue(value, type, (path, _value, { message }) => {
          const place = [name.value, ...path];
          add(place, 'WRONG_TYPE', `${variable} ${reasonIn(message.slice(0, MOST_OF_A_MESSAGE), place)}`);
        });
      }
    }
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  if (faults.length > 0) throw new ValidationFailed(faults);
  return values;
}

/** Removes the value from a message of graphql-js, because the value may be a password. */
function reasonIn(message: string, [name = '', ...path]: readonly (string | number)[]): string {
  const reason =
    /^(Expected .*|Field "\w+".*|(?:Enum )?"?\w+"? cannot represent [\w -]*value|must be .*?(?=, not|$))/s.exec(
      message,
    )?.[1];
  const enumeration = /does not exist in ("\w+") enum/.exec(message)?.[1];
  if (reason === undefined && enumeration) return `has a value that is not in the enum ${enumeration}`;
  if (reason === undefined) return 'is not of its type';
  const inside = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  const place = inside === '' ? '' : ` at "${name}${inside}"`;
  return `is wrong${place}: ${reason.replace(/\.$/, '')}`;
}
