import {
  Kind,
  type ConstDirectiveNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type ListValueNode,
} from 'graphql';
import type { Change, Edit } from './edit.ts';
import { at, changed, endOf, gone, replaced, startOf } from './sdl-edits.ts';

const OWNERS = ['args.id', 'args.userId', 'parent.userId', 'row.userId', 'row.id'];
const NEW_ARGUMENT = '"The colour." colour: String @constraint(maxLength: 9, pattern: "^[a-z]*$")';
const SCOPES = [
  'products:read',
  'products:write',
  'users:read',
  'users:write',
  'orders:read',
  'orders:write',
  'events:read',
  'admin',
];

export function enumChanges(node: EnumTypeDefinitionNode): Change[] {
  const values = node.values ?? [];
  const [first] = values;
  return [
    ...values.flatMap((value) => [
      changed(`${value.name.value} is gone`, gone(value)),
      changed(`${value.name.value} → OTHER`, replaced(value.name, 'OTHER')),
    ]),
    ...(first ? [changed('OTHER is new', at(startOf(first), '"Another one." OTHER '))] : []),
  ];
}

export function memberChanges(field: FieldDefinitionNode | InputValueDefinitionNode): Change[] {
  return [
    changed('is gone', gone(field)),
    changed(`${field.name.value} → colour`, replaced(field.name, 'colour')),
    changed('colour is new beside it', at(startOf(field), '"The colour." colour: String ')),
  ];
}

export function argumentChanges({ name, arguments: own }: FieldDefinitionNode): Change[] {
  const [first] = own ?? [];
  const edit = first ? at(startOf(first), `${NEW_ARGUMENT} `) : at(endOf(name), `(${NEW_ARGUMENT})`);
  return [changed('the argument colour is new', edit)];
}

export function scopeChanges(field: FieldDefinitionNode): Change[] {
  const isPublic = directiveOf(field, 'public');
  if (isPublic) return [changed('@public → admin', replaced(isPublic, '@auth(scopes: ["admin"])'))];
  const auth = directiveOf(field, 'auth');
  if (!auth)
    return [changed('@auth(scopes: ["admin"]) is new', at(endOf(field), ' @auth(scopes: ["admin"])'))];
  const scopes = listOf(auth, 'scopes');
  return [
    changed('@auth → @public', replaced(auth, '@public')),
    ...scopes.flatMap((item) => {
      const own = item.kind === Kind.STRING ? item.value : '';
      const other = SCOPES[(SCOPES.indexOf(own) + 1) % SCOPES.length] ?? '';
      return [
        changed(`scope ${own} → ${other}`, replaced(item, `"${other}"`)),
        changed(`scope ${other} too`, at(item.loc?.end ?? 0, `, "${other}"`)),
      ];
    }),
  ];
}

export function ownerChanges(field: FieldDefinitionNode): Change[] {
  const auth = directiveOf(field, 'auth');
  if (!auth) return [];
  const owner = auth.arguments?.find(({ name }) => name.value === 'owner');
  if (owner?.value.kind !== Kind.STRING)
    return [changed('owner: "row.id" is new', at((auth.loc?.end ?? 0) - 1, ', owner: "row.id"'))];
  const own = owner.value.value;
  return [
    changed(`owner: ${own} is gone`, replaced(owner, '')),
    ...OWNERS.filter((other) => other !== own).map((other) =>
      changed(`owner: ${own} → ${other}`, replaced(owner.value, `"${other}"`)),
    ),
  ];
}

export function sizeChanges(field: FieldDefinitionNode): Change[] {
  const size = directiveOf(field, 'listSize');
  if (!size) return [];
  return [
    changed('@listSize is gone', gone(size)),
    ...(size.arguments ?? []).flatMap((argument): Change[] => {
      const { value } = argument;
      const removal = changed(`@listSize ${argument.name.value} is gone`, replaced(argument, ''));
      if (value.kind === Kind.INT) {
        const own = Number(value.value);
        return [
          removal,
          ...[own + 1, own * 2].map((other) =>
            changed(`@listSize ${argument.name.value}: ${own} → ${other}`, replaced(value, String(other))),
          ),
        ];
      }
      const items = value.kind === Kind.LIST ? value.values : [];
      return [
        removal,
        ...(items.length > 1
          ? items.map((item) =>
              changed(
                `@listSize ${argument.name.value}: without ${item.kind === Kind.STRING ? item.value : ''}`,
                replaced(item, ''),
              ),
            )
          : []),
      ];
    }),
  ];
}

function directiveOf(field: FieldDefinitionNode, name: string): ConstDirectiveNode | undefined {
  return field.directives?.find((each) => each.name.value === name);
}

function listOf(directive: ConstDirectiveNode, name: string): ListValueNode['values'] {
  const value = directive.arguments?.find((each) => each.name.value === name)?.value;
  return value?.kind === Kind.LIST ? value.values : [];
}

/** Removes the arguments with their parentheses, because empty parentheses are not allowed. */
export function argumentsGone(field: FieldDefinitionNode, text: string): Edit {
  const end = text.indexOf(')', field.arguments?.at(-1)?.loc?.end) + 1;
  return { start: field.name.loc?.end ?? 0, end, text: '' };
}
