import type { Schema } from '../../testkit/contract/document.ts';
import { flat, typesOf } from '../../testkit/contract/schemas.ts';
import type { World } from './world.ts';

/** A text that is no valid value of a parameter; undefined when no such text was found. */
export function invalidText({ values }: World, schema: Schema): string | undefined {
  const [type] = typesOf(schema);
  if (type === 'boolean') return values.one(['yes', '1', 'TRUE', '', 'null']);
  const odd = ['', 'abc', ' 1', '1x', '1,5'];
  const value = values.invalid(schema);
  if (type === 'integer' || type === 'number') {
    const isNumber = typeof value === 'number' && !/e/.test(String(value));
    return isNumber ? String(value) : values.one(type === 'integer' ? [...odd, '1.5'] : odd);
  }
  if (type === 'array') {
    const list = Array.isArray(value) ? value.filter(isSendable) : [];
    return list.length > 0 && values.chance(0.5) && !isFine(schema, list) ? list.join(',') : 'no such value';
  }
  return isSendable(value) ? value : undefined;
}

/** A lone surrogate cannot be written in an address. */
function isSendable(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function isFine(schema: Schema, list: readonly unknown[]): boolean {
  const allowed = flat(schema.items ?? {}).enum;
  const isKnown = allowed === undefined || list.every((item) => allowed.includes(item));
  return isKnown && new Set(list).size === list.length && list.length <= (schema.maxItems ?? Infinity);
}
