import { getNamedType, isEnumType } from 'graphql';
import type { EnumValues } from '../graphql/inputs.ts';
import { placeOf } from '../graphql/schema.ts';
import type { Document } from '../openapi/document.ts';
import type { Shape } from '../shape.ts';
import type { Pair } from './collect.ts';

/** Ties the values of enums by `x-graphql-enum`. A value that has no name there has the same name in both contracts. */
export function tieEnums(document: Document, pairs: readonly Pair[]): EnumValues {
  const enums = new Map<string, Map<string, string>>();
  for (const { member, coordinate, target } of pairs) {
    const type = getNamedType(target.node.type);
    const inner = innermost(member.shape);
    if (!isEnumType(type) || inner.kind !== 'string' || inner.values === null) continue;
    const there = placeOf(type.astNode, `${type.name} (${coordinate})`);
    const fault = (text: string): void =>
      document.faultAt(member.shape.place, `${member.name}, which is tied to ${there}: ${text}`);
    const names = namesOf(member.shape);
    const known = new Set(type.getValues().map(({ name }) => name));
    const values = enums.get(type.name) ?? new Map<string, string>();
    const covered = new Set<string>();
    for (const key of names?.keys() ?? []) {
      if (!inner.values.includes(key)) fault(`x-graphql-enum names "${key}", which is not one of its values`);
    }
    for (const value of inner.values.map(String)) {
      const name = names?.get(value) ?? value;
      if (!known.has(name)) fault(`the value "${value}" is ${name} in GraphQL, but the enum has no ${name}`);
      if (covered.has(name)) fault(`two values are ${name} in GraphQL`);
      if ((values.get(name) ?? value) !== value)
        fault(`${name} is "${value}" here and "${values.get(name)}" elsewhere`);
      covered.add(name);
      values.set(name, value);
    }
    for (const name of known) if (!covered.has(name)) fault(`no value here stands for ${name}`);
    enums.set(type.name, values);
  }
  return enums;
}

function innermost(shape: Shape): Shape {
  return shape.items === null ? shape : innermost(shape.items);
}

function namesOf(shape: Shape): ReadonlyMap<string, string> | null {
  return shape.enumNames ?? (shape.items === null ? null : namesOf(shape.items));
}
