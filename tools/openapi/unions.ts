import { isObject, items, member, members, nameOf, textOf, type Node } from '../json.ts';
import { className } from '../names.ts';
import { SHAPE_DEFAULTS, type Dto, type Shape } from '../shape.ts';
import { flatten, type Flat } from './flat.ts';
import type { ShapeReader } from './shape-reader.ts';

/**
 * `oneOf` in its two supported forms: a schema or null, and several objects with a discriminator. Each of these objects
 * must fix the value of the discriminating member, so that no value matches two of them. With `x-judged-apart` the
 * application validates each value by its class, so that one wrong value does not invalidate the whole request.
 */
export function unionOf(shapes: ShapeReader, flat: Flat, name: string): Shape | undefined {
  const { document } = shapes;
  const [at] = flat.oneOf;
  if (
    at === undefined ||
    flat.oneOf.length > 1 ||
    flat.types !== null ||
    flat.isObject ||
    flat.values !== null
  ) {
    return document.fault(flat.at, 'oneOf beside other rules is not supported');
  }
  const branches = items(member(at, 'oneOf'));
  const others = branches.filter((branch) => !isNull(branch));
  const nullable = others.length < branches.length;
  const [single] = others;
  if (others.length === 1 && single !== undefined) {
    const shape = shapes.of([single], name);
    if (shape?.nullable === true && nullable) document.fault(at, 'null matches two parts of oneOf');
    return shape === undefined ? undefined : { ...shape, nullable };
  }
  const property = textOf(member(member(at, 'discriminator'), 'propertyName'));
  if (property === undefined) return document.fault(at, 'oneOf needs a discriminator with a propertyName');
  const dtos = new Map<string, string>();
  for (const branch of others) {
    const dto = classOf(shapes, branch);
    const kind = dto === undefined ? undefined : kindOf(shapes, branch, property);
    if (dto === undefined || kind === undefined) continue;
    if (dtos.has(kind))
      document.fault(branch, `${property} is ${JSON.stringify(kind)} in two parts of oneOf`);
    dtos.set(kind, dto);
  }
  checkMapping(shapes, at, dtos);
  const apart = member(at, 'x-judged-apart')?.value === true;
  return {
    ...SHAPE_DEFAULTS,
    place: document.place(at),
    kind: 'union',
    nullable,
    union: { property, dtos, apart },
  };
}

function isNull(branch: Node): boolean {
  return isObject(branch.value) && branch.value['type'] === 'null' && Object.keys(branch.value).length === 1;
}

function classOf(shapes: ShapeReader, branch: Node): Dto['name'] | undefined {
  const flat = flatten(shapes.document, [branch]);
  const shape = flat?.component == null ? undefined : shapes.of([branch], '');
  if (shape?.dto == null || shape.nullable) {
    return shapes.document.fault(branch, 'each part of oneOf must be a reference to an object');
  }
  return shape.dto;
}

function kindOf(shapes: ShapeReader, branch: Node, property: string): string | undefined {
  const flat = flatten(shapes.document, [branch]);
  const inner = flatten(shapes.document, flat?.properties.get(property) ?? []);
  const [kind, ...more] = inner?.values ?? [];
  if (typeof kind === 'string' && more.length === 0 && flat?.required.has(property) === true) return kind;
  return shapes.document.fault(branch, `${property} must be a required member whose const is a text`);
}

function checkMapping(shapes: ShapeReader, at: Node, dtos: ReadonlyMap<string, string>): void {
  for (const [kind, target] of members(member(member(at, 'discriminator'), 'mapping'))) {
    const reference = textOf(target) ?? '';
    const node = shapes.document.find(
      reference.startsWith('#') ? reference : `#/components/schemas/${reference}`,
    );
    const component = node === undefined ? null : flatten(shapes.document, [node])?.component;
    if (component == null || dtos.get(kind) !== className(nameOf(component))) {
      shapes.document.fault(
        target,
        `the mapping of ${kind} contradicts the value of the discriminating member`,
      );
    }
  }
}
