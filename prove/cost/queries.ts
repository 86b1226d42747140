import { Kind, parse, print, visit, type ArgumentNode, type FieldNode } from 'graphql';
import type { Values } from '../contract/values.ts';

const TIMES = [2, 3, 5, 10, 19];
const MOST = '100';

/**
 * Most changes of the text of an operation make it invalid. This change does not, because it only repeats a field, or
 * makes lists longer.
 */
export function grownQuery(text: string, values: Values): string {
  try {
    const document = parse(text);
    const fields: FieldNode[] = [];
    visit(document, { Field: (field) => void fields.push(field) });
    const chosen = values.one(fields);
    const times = values.chance(0.7) ? values.one(TIMES) : 1;
    const grown = visit(document, {
      SelectionSet: (set) => ({
        ...set,
        // A node occurs only once in the tree, so it is found by identity.
        selections: set.selections.flatMap((each) => (each === chosen ? copies(chosen, times) : [each])),
      }),
    });
    return print(grown);
  } catch {
    return text;
  }
}

function copies(field: FieldNode, times: number): FieldNode[] {
  return Array.from({ length: times }, (_, index) => ({
    ...field,
    arguments: (field.arguments ?? []).map((argument) => longer(argument, index)),
    ...(index > 0 && {
      alias: { kind: Kind.NAME, value: `${field.alias?.value ?? field.name.value}_${index}` },
    }),
  }));
}

function longer(argument: ArgumentNode, index: number): ArgumentNode {
  const { value: name } = argument.name;
  if (/^(limit|first|last)$/.test(name)) return { ...argument, value: { kind: Kind.INT, value: MOST } };
  // Each repetition reads other rows.
  if (name === 'page') return { ...argument, value: { kind: Kind.INT, value: String(index + 1) } };
  return argument;
}
