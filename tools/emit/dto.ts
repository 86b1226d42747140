import { byName } from '../names.ts';
import type { Dto, Member, Shape, Union } from '../shape.ts';
import { isFormat, rulesOf, rulesText, type Call } from './rules.ts';
import { comment, HEADER, imports, key, literal, Raw } from './text.ts';

/** The classes of all input. */
export function emitDtos(dtos: readonly Dto[]): string {
  const sorted = dtos.toSorted((a, b) => byName(a.name, b.name));
  const members = sorted.flatMap((dto) => dto.members);
  const text = sorted.map(classText).join('\n\n');
  const names = members.flatMap(({ shape }) => namesOf(rulesOf(shape)));
  const decorators = members.map(({ required }) => (required ? 'Required' : 'Optional'));
  return (
    HEADER +
    imports('../rules/members', /[ (]Late</.test(text) ? ['Late'] : [], true) +
    imports('../rules/formats', names.filter(isFormat)) +
    imports('../rules/members', [...decorators, ...(sorted.length === 0 ? [] : ['shape'])]) +
    imports(
      '../rules/rules',
      names.filter((name) => !isFormat(name)),
    ) +
    `\n${text}\n`
  );
}

function namesOf(calls: readonly Call[]): string[] {
  return calls.flatMap(({ name, inner }) => [name, ...namesOf(inner ?? [])]);
}

function classText(dto: Dto): string {
  const more = {
    ...(dto.open ? { open: true } : {}),
    ...(dto.minProperties ? { minMembers: dto.minProperties } : {}),
    ...(dto.maxProperties === undefined ? {} : { maxMembers: dto.maxProperties }),
  };
  const shapes = Object.fromEntries(dto.members.map((member) => [member.name, memberShape(member)]));
  const further = Object.keys(more).length === 0 ? '' : `, ${literal(more)}`;
  return `${comment(dto.description)}export class ${dto.name} {
  static readonly shape = shape(${literal(shapes)}${further});
${dto.open ? '\n  [member: string]: unknown;\n' : ''}
${dto.members.map(memberText).join('\n\n')}
}`;
}

function memberText({ name, required, shape }: Member): string {
  // A member with a default always has a value.
  const mark = required || shape.default !== undefined ? '!' : '?';
  return `${comment(shape.description)}@${required ? 'Required' : 'Optional'}(${rulesText(rulesOf(shape))})
${key(name)}${mark}: ${inputType(shape)};`;
}

function memberShape({ required, shape }: Member): object {
  return {
    default: required || shape.default === undefined ? undefined : shape.default,
    inner: innerOf(shape),
    apart: apartOf(shape),
  };
}

function apartOf({ items }: Shape): object | undefined {
  return items?.union?.apart === true ? kindsOf(items.union) : undefined;
}

function kindsOf({ property, dtos }: Union): object {
  const classes = [...dtos].map(([kind, dto]) => [kind, new Raw(`() => ${dto}`)]);
  return { discriminator: property, dtos: Object.fromEntries(classes) as object };
}

/** The places of objects and ids in a member; undefined when it has none. */
function innerOf(shape: Shape): object | undefined {
  if (shape.id) return { id: true };
  if (shape.dto !== null) return { dto: new Raw(`() => ${shape.dto}`) };
  if (shape.union?.apart === true) return undefined;
  if (shape.union !== null) return kindsOf(shape.union);
  const each = shape.items === null ? undefined : innerOf(shape.items);
  const most = shape.bounds.maxItems ?? shape.bounds.maxProperties;
  return each === undefined ? undefined : { each, most };
}

/** The TypeScript type of a checked value. */
function inputType(shape: Shape): string {
  const type = bareType(shape);
  return shape.nullable ? `${type} | null` : type;
}

function bareType(shape: Shape): string {
  if (shape.values !== null) return shape.values.map(literal).join(' | ');
  switch (shape.kind) {
    case 'integer':
      return 'number';
    case 'date':
      return 'Date';
    case 'array':
      return `(${shape.items === null ? 'unknown' : inputType(shape.items)})[]`;
    case 'map':
      return `Record<string, ${shape.items === null ? 'unknown' : inputType(shape.items)}>`;
    case 'object':
      return `Late<${shape.dto ?? 'object'}>`;
    case 'union':
      if (shape.union?.apart === true) return 'Record<string, unknown>';
      return [...new Set(shape.union?.dtos.values())].join(' | ');
    default:
      return shape.kind;
  }
}
