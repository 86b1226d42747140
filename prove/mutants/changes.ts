import type { YAMLMap, YAMLSeq } from 'yaml';
import type { Change, Edit } from './edit.ts';
import { valueOf, type Site, type Yaml } from './yaml.ts';

/** Finds the changes of one kind at a place of the contract. */
export type Rule = (site: Site, yaml: Yaml, known: Known) => readonly Change[];

/** The names that the contract uses, in the order of the contract. A change replaces a name by the next name. */
export interface Known {
  readonly schemas: readonly string[];
  readonly parameters: readonly string[];
  readonly headers: readonly string[];
  readonly scopes: readonly string[];
  readonly operations: readonly string[];
  /** The values of each extension, by its key. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export function keysOf(map: YAMLMap): string[] {
  return map.items.map(({ key }) => String(valueOf(key)));
}

/** Removes a member or an item. If it is the only one, the whole list is removed. */
export function less({ value, map, index }: Site, at: number, yaml: Yaml): Edit {
  const list = value as YAMLMap | YAMLSeq;
  return list.items.length === 1 ? yaml.removed(map, index) : yaml.removed(list, at);
}

export function after(list: readonly string[], value: string): string {
  return list[(list.indexOf(value) + 1) % list.length] ?? value;
}

export function reference(kind: string, name: string): string {
  return `{ $ref: '#/components/${kind}/${name}' }`;
}

export function changed(what: string, edit: Change['edit']): Change {
  return { what, edit };
}

export function removal(what: string, map: YAMLMap, index: number, yaml: Yaml): Change {
  return changed(`${what} is gone`, yaml.removed(map, index));
}

export function flip(key: string, value: never, yaml: Yaml): Change {
  const own = valueOf(value) === true;
  return changed(`${key}: ${own} → ${!own}`, yaml.replaced(value, String(!own)));
}
