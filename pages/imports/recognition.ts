import { faultsOf } from './faults.js';
import type { Column, Head } from './file-head.js';
import {
  columnsFor,
  fromColumn,
  isOwnColumn,
  ITEMS,
  NOTHING,
  slotsOf,
  REASONS,
  type Choice,
  type Choices,
  type Kind,
  type Member,
  type Members,
  type Options,
  type MemberSlot,
  type Plan,
} from './mapping.js';

/* Finds the kind of the rows, the columns of the members, and the words for yes and no. */

/** Other names of members, in lower case, and without blanks and signs. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'products.id': ['productid', 'sku', 'articlenumber', 'article', 'itemnumber', 'code', 'ean', 'gtin'],
  'products.name': ['productname', 'title', 'product', 'item', 'articlename'],
  'products.description': ['productdescription', 'details', 'text', 'body'],
  'products.price': ['unitprice', 'saleprice', 'cost', 'amount', 'priceusd', 'priceeur'],
  'products.stock': ['unitsinstock', 'quantity', 'qty', 'inventory', 'onhand'],
  'products.in_stock': ['available', 'active', 'forsale'],
  'users.id': ['userid', 'customerid', 'customernumber', 'customer'],
  'users.name': ['customername', 'fullname', 'contactname', 'username'],
  'users.email': ['mail', 'emailaddress', 'mailaddress'],
  'orders.id': ['orderid', 'ordernumber', 'order', 'orderno'],
  'orders.user_id': ['customerid', 'customer', 'user', 'customernumber', 'buyer'],
  'orders.status': ['orderstatus', 'state'],
  'orders.total': ['ordertotal', 'totalprice'],
  'orders.created_at': ['orderdate', 'placedat', 'date', 'createdat'],
  'items.product_id': ['product', 'sku', 'article', 'productid', 'itemnumber'],
  'items.name': ['productname', 'title', 'item', 'articlename'],
  'items.quantity': ['qty', 'count', 'pieces', 'amount'],
  'items.unit_price': ['price', 'unitprice', 'priceeach'],
  'items.discount': ['rebate'],
  'items.total': ['linetotal'],
};

/** Common words for true and for false, in lower case. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['yes', 'no'],
  ['y', 'n'],
  ['1', '0'],
  ['true', 'false'],
  ['t', 'f'],
  ['on', 'off'],
  ['ja', 'nein'],
  ['oui', 'non'],
  ['si', 'no'],
  ['sí', 'no'],
];

const countOf = (choices: Choices): number => Object.keys(choices).length;
const normalised = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The choices that follow from the names of the columns. No two members get the same column. */
export function recognised(plan: Plan): Choices {
  const found = listsIn(plan).map((list) => recognisedWith(plan, list));
  return found.toSorted((one, other) => countOf(other) - countOf(one))[0] ?? recognisedWith(plan, undefined);
}

/** @param list the column that has the lines of the orders, if there is one */
export function recognisedWith(plan: Plan, list: Column | undefined): Choices {
  const lists: Choices = list ? { [ITEMS]: { ...NOTHING, from: fromColumn(list) } } : {};
  const slots = slotsOf(plan).filter(({ key }) => key !== ITEMS);
  const found = new Map<MemberSlot, Column>();
  const taken = new Set<Column>(list ? [list] : []);
  const match = (isLike: (column: Column, slot: MemberSlot) => boolean): void => {
    for (const column of plan.head.columns) {
      if (taken.has(column) || column.name === REASONS) continue;
      const slot = slots.find(
        (each) => !found.has(each) && isLike(column, each) && columnsFor(plan, each, lists).includes(column),
      );
      if (!slot) continue;
      found.set(slot, column);
      taken.add(column);
    }
  };
  match((column, slot) => isOwnColumn(plan, slot, column));
  match(({ name }, { member }) => normalised(name) === normalised(member.name));
  match(
    ({ name }, { of, member }) => OTHER_NAMES[`${of}.${member.name}`]?.includes(normalised(name)) === true,
  );
  const choices = [...found].map(([{ key, member }, column]) => [key, chosen(member, column)] as const);
  return { ...lists, ...Object.fromEntries(choices) };
}

/** The columns that may have the lines of the orders. A column with the name `items` is the first. */
function listsIn(plan: Plan): readonly Column[] {
  const slot = slotsOf(plan).find(({ key }) => key === ITEMS);
  if (!slot) return [];
  const columns = columnsFor(plan, slot, {});
  return columns.toSorted((one, other) => Number(other.name === ITEMS) - Number(one.name === ITEMS));
}

function chosen(member: Member, column: Column): Choice {
  return { ...NOTHING, from: fromColumn(column), words: wordsOf(member, column) };
}

/** The words for yes and no, if the first rows use a pair of common words (`PAIRS`). */
export function wordsOf({ type }: Member, { values }: Column): Choice['words'] {
  if (type !== 'boolean') return {};
  const words = [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))];
  if (words.every((word) => word === 'true' || word === 'false')) return {};
  const pair = PAIRS.find((each) => words.every((word) => each.includes(word.toLowerCase())));
  if (!pair) return {};
  // The words are written as in the file. A word that the first rows do not have is written like the other one.
  const like = (word: string): string => {
    const [first = ''] = words;
    if (first === first.toUpperCase()) return word.toUpperCase();
    return /^\p{Lu}/u.test(first) ? word.slice(0, 1).toUpperCase() + word.slice(1) : word;
  };
  const written = (word: string): string =>
    words.filter((each) => each.toLowerCase() === word).join(', ') || like(word);
  return { true: written(pair[0]), false: written(pair[1]) };
}

const AS_USUAL = { delimiter: '', decimalMark: '.', date: '', absent: '' };

/** The options for the kind of rows that the columns fit best. */
export function likelyKind(members: Members, allowed: readonly Kind[], head: Head): Options {
  const candidates = allowed.map((kind) => {
    const hasItems = head.columns.some(({ name }) => name === ITEMS);
    const options = { ...AS_USUAL, kind, isLines: kind === 'orders' && head.format === 'csv' && !hasItems };
    const plan: Plan = { members, options, head };
    const choices = recognised(plan);
    const isIncomplete = faultsOf(plan, choices).length > 0;
    return { options, points: countOf(choices) - (isIncomplete ? 10 : 0) };
  });
  const best = candidates.toSorted((one, other) => other.points - one.points)[0];
  return best?.options ?? { ...AS_USUAL, kind: 'products', isLines: false };
}
