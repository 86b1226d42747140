import type { Dto, Kinds } from '../../rules/members.js';
import { discriminated } from '../../rules/rules.js';
import type { Fault } from '../errors/errors.js';
import type { Currency } from '../values/currency.js';
import { addMoneyFaults } from './money-faults.js';
import { pointerOf } from './pointer.js';
import { validate } from './validate.js';

/**
 * Validates one item of a list whose items are validated one by one (`x-judged-apart` in the contract). The
 * discriminator of the item names the class that the item must fit.
 *
 * @param list the class that has the list, and the name of the list
 */
export function validateApart(
  list: readonly [Dto, string],
  item: object,
  currency: Currency,
): { readonly value: object } | { readonly faults: Fault[] } {
  const { discriminator, dtos } = kindsIn(list);
  const faults = kindFaults(list, item);
  const dto = dtos[(item as Record<string, unknown>)[discriminator] as string];
  if (faults.length > 0 || dto === undefined) return { faults };
  const result = validate(dto(), item, 'body');
  if ('faults' in result) addMoneyFaults(dto(), item, currency, result.faults);
  return result;
}

/** The faults of the discriminator of an item. */
export function kindFaults(list: readonly [Dto, string], item: object): Fault[] {
  const { discriminator, dtos } = kindsIn(list);
  const found = discriminated(discriminator, ...Object.keys(dtos))(item);
  return found.map(({ at, code, detail }) => ({ pointer: pointerOf(at), code, detail }));
}

function kindsIn([dto, name]: readonly [Dto, string]): Kinds {
  const kinds = dto.shape.members.get(name)?.apart;
  if (kinds === undefined)
    throw new Error(`The contract does not mark ${dto.name}.${name} with x-judged-apart.`);
  return kinds;
}
