import { parse, visit, type ASTNode, type FieldDefinitionNode, type InputValueDefinitionNode } from 'graphql';
import type { Candidate, Candidates, Change } from './edit.ts';
import { at, changed, endOf, gone, replaced } from './sdl-edits.ts';
import {
  argumentChanges,
  argumentsGone,
  enumChanges,
  memberChanges,
  ownerChanges,
  scopeChanges,
  sizeChanges,
} from './sdl-fields.ts';
import {
  boundChanges,
  costChanges,
  defaultChanges,
  nullChanges,
  tieChanges,
  typeChanges,
} from './sdl-values.ts';

/** All changes of schema.graphql that a mutant can have, by their kinds. A kind of change is called an operator. */
export function sdlCandidates(text: string): Candidates {
  const found: Record<string, Candidate[]> = {};
  const add = (kind: string, place: string, changes: readonly Change[]): void => {
    (found[kind] ??= []).push(...changes.map((change) => ({ ...change, place })));
  };
  const source = (node: ASTNode): string => text.slice(node.loc?.start, node.loc?.end);

  /** The changes that fields and arguments have in common. */
  function ofValue(
    node: FieldDefinitionNode | InputValueDefinitionNode,
    place: string,
    isInput: boolean,
  ): void {
    add('types', place, typeChanges(node.type));
    add('ties', place, tieChanges(node));
    add(isInput ? 'required' : 'nullability', place, nullChanges(node.type, source));
    for (const directive of node.directives ?? []) {
      if (directive.name.value === 'constraint') add('bounds', place, boundChanges(directive));
      if (directive.name.value === 'cost') add('costs', place, costChanges(directive));
    }
    const hasCost = node.directives?.some(({ name }) => name.value === 'cost');
    const isArgument = isInput && place.includes('(');
    if (!hasCost && (isArgument || !isInput))
      add('costs', place, [changed('@cost(weight: 7) is new', at(endOf(node), ' @cost(weight: 7)'))]);
  }

  visit(parse(text), {
    // Only the uses of a directive promise something to clients. The definition of a directive promises nothing.
    DirectiveDefinition: () => false,
    EnumTypeDefinition: (node) => add('enums', node.name.value, enumChanges(node)),
    InputObjectTypeDefinition: (node) => {
      for (const field of node.fields ?? []) {
        const place = `${node.name.value}.${field.name.value}`;
        ofValue(field, place, true);
        add('members', place, memberChanges(field));
      }
    },
    ObjectTypeDefinition: (node) => {
      for (const field of node.fields ?? []) {
        const place = `${node.name.value}.${field.name.value}`;
        ofValue(field, place, false);
        add('members', place, memberChanges(field));
        add('scopes', place, scopeChanges(field));
        add('owners', place, ownerChanges(field));
        add('list sizes', place, sizeChanges(field));
        add('arguments', place, argumentChanges(field));
        for (const argument of field.arguments ?? []) {
          const own = `${place}(${argument.name.value}:)`;
          ofValue(argument, own, true);
          add('defaults', own, defaultChanges(argument));
          const isOnly = field.arguments?.length === 1;
          add('arguments', own, [
            changed('is gone', isOnly ? argumentsGone(field, text) : gone(argument)),
            changed(`${argument.name.value} → colour`, replaced(argument.name, 'colour')),
          ]);
        }
      }
    },
  });
  return found;
}
