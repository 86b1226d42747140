import {
  Kind,
  type ASTNode,
  type ConstDirectiveNode,
  type InputValueDefinitionNode,
  type TypeNode,
  type FieldDefinitionNode,
} from 'graphql';
import type { Change } from './edit.ts';
import { at, changed, endOf, gone, replaced } from './sdl-edits.ts';

const OTHER_TYPE: Readonly<Record<string, string>> = {
  Int: 'Float',
  Float: 'Int',
  String: 'ID',
  ID: 'String',
  Boolean: 'Int',
  DateTime: 'String',
  SafeInt: 'Int',
  Product: 'User',
  User: 'Order',
  Order: 'Product',
};
export function typeChanges(type: TypeNode): Change[] {
  const named = innermost(type);
  const other = OTHER_TYPE[named.name.value];
  return other === undefined ? [] : [changed(`type: ${named.name.value} → ${other}`, replaced(named, other))];
}

function innermost(type: TypeNode): Extract<TypeNode, { kind: Kind.NAMED_TYPE }> {
  return type.kind === Kind.NAMED_TYPE ? type : innermost(type.type);
}

export function nullChanges(type: TypeNode, source: (node: ASTNode) => string): Change[] {
  const text = source(type);
  const inner = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  const other = type.kind === Kind.NON_NULL_TYPE ? source(inner) : `${text}!`;
  return [
    changed(`${text} → ${other}`, replaced(type, other)),
    ...(inner.kind === Kind.LIST_TYPE ? nullChanges(inner.type, source) : []),
  ];
}

export function boundChanges(directive: ConstDirectiveNode): Change[] {
  return (directive.arguments ?? []).flatMap(({ name, value, loc }): Change[] => {
    const isOnly = directive.arguments?.length === 1;
    const edit = isOnly ? gone(directive) : { start: loc?.start ?? 0, end: loc?.end ?? 0, text: '' };
    const bound = name.value;
    const shown = 'value' in value ? String(value.value) : '';
    const removal = changed(bound === 'pattern' ? 'pattern is gone' : `${bound}: ${shown} is gone`, edit);
    if (value.kind !== Kind.INT && value.kind !== Kind.FLOAT) return [removal];
    const number = Number(shown);
    const others = bound === 'multipleOf' ? [number * 10] : [number + 1, ...(number > 0 ? [number - 1] : [])];
    return [
      removal,
      ...others.map((other) => changed(`${bound}: ${number} → ${other}`, replaced(value, String(other)))),
    ];
  });
}

export function costChanges(directive: ConstDirectiveNode): Change[] {
  const [argument] = directive.arguments ?? [];
  if (argument?.value.kind !== Kind.INT) return [];
  const cost = Number(argument.value.value);
  return [
    changed(`@cost(weight: ${cost}) is gone`, gone(directive)),
    ...[cost + 1, cost * 2].flatMap((other) =>
      other === cost
        ? []
        : [changed(`@cost weight: ${cost} → ${other}`, replaced(argument.value, String(other)))],
    ),
  ];
}

export function defaultChanges(argument: InputValueDefinitionNode): Change[] {
  const { defaultValue, type } = argument;
  if (!defaultValue) {
    const added = { Int: '2', Boolean: 'true', Float: '2' }[innermost(type).name.value];
    if (added === undefined || type.kind === Kind.LIST_TYPE) return [];
    return [changed(`default: ${added} is new`, at(type.loc?.end ?? 0, ` = ${added}`))];
  }
  const own = 'value' in defaultValue ? String(defaultValue.value) : '';
  const other = /^\d+$/.test(own) ? String(Number(own) + 1) : own === 'true' ? 'false' : 'true';
  return [
    changed(`default: ${own} is gone`, {
      start: type.loc?.end ?? 0,
      end: defaultValue.loc?.end ?? 0,
      text: '',
    }),
    changed(`default: ${own} → ${other}`, replaced(defaultValue, other)),
  ];
}

/** `@untied` on a field or an input value says that REST has no counterpart, or one with another form. */
export function tieChanges(node: FieldDefinitionNode | InputValueDefinitionNode): Change[] {
  const untied = node.directives?.find(({ name }) => name.value === 'untied');
  if (untied) return [changed('@untied is gone', gone(untied))];
  return [changed('@untied is new', at(endOf(node), ' @untied(reason: "REST has no such part.")'))];
}
