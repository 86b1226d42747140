import { findingsOf } from './emit/rules.ts';
import type { Faults } from './faults.ts';
import { innerDtos } from './openapi/bodies.ts';
import type { Rest } from './openapi/model.ts';
import type { Dto, Shape } from './shape.ts';

/** The classes of all input. Their names must differ, and the default of a member must obey the rules of the member. */
export function usedDtos(rest: Rest, inputs: readonly Dto[], faults: Faults): Dto[] {
  const used = new Map<string, Dto>();
  const add = (dto: Dto | undefined, known: ReadonlyMap<string, Dto>): void => {
    const other = dto === undefined ? undefined : used.get(dto.name);
    if (dto === undefined || other === dto) return;
    if (other !== undefined) faults.add(dto.place, `the class name ${dto.name} is taken by ${other.place}`);
    used.set(dto.name, dto);
    checkDefaults(dto, faults);
    for (const name of innerDtos(dto)) add(known.get(name), known);
  };
  for (const { path, query, headers, body } of rest.operations) {
    add(path?.dto, rest.dtos);
    add(query?.dto, rest.dtos);
    add(headers?.dto, rest.dtos);
    add(rest.dtos.get(body?.dto ?? ''), rest.dtos);
    add(rest.dtos.get(body?.patch ?? ''), rest.dtos);
  }
  const byName = new Map(inputs.map((dto) => [dto.name, dto]));
  for (const dto of inputs) add(dto, byName);
  return [...used.values()];
}

function checkDefaults(dto: Dto, faults: Faults): void {
  for (const { name, shape } of dto.members) {
    for (const inner of withItems(shape)) {
      if (inner.bounds.uniqueItems === true && containsObjects(inner)) {
        faults.add(inner.place, `${name}: uniqueItems of objects is not supported`);
      }
    }
    if (shape.default === undefined) continue;
    if (containsObjects(shape)) {
      faults.add(shape.place, `${name}: a default of an object is not supported`);
      continue;
    }
    for (const { detail } of findingsOf(shape, shape.default)) {
      faults.add(shape.place, `${name}: the default ${JSON.stringify(shape.default)} ${detail}`);
    }
  }
}

function withItems(shape: Shape): Shape[] {
  return shape.items === null ? [shape] : [shape, ...withItems(shape.items)];
}

function containsObjects(shape: Shape): boolean {
  return withItems(shape).some(({ kind }) => kind === 'object' || kind === 'union');
}
