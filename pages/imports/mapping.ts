import type { Column, Head } from './file-head.js';

/*
 * Assigns the columns of a file to members of the store. If the columns have the names of the store, no mapping is
 * sent; otherwise the choices become a mapping, as for the command `store import`.
 */

export type Kind = 'products' | 'users' | 'orders';

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** From `data-members` of the page. `own`: the columns of the store's own format. */
export type Members = Readonly<
  Record<Kind | 'items', { readonly members: readonly Member[]; readonly own: readonly string[] }>
>;

/** The visitor's choices besides those of the columns. */
export interface Options {
  readonly kind: Kind;
  /** Whether each row of CSV is a line of an order. */
  readonly isLines: boolean;
  /** The delimiter of CSV; '' if it is found in the header. */
  readonly delimiter: string;
  readonly decimalMark: string;
  readonly date: string;
}

/** A column with its choice: a member, a member of a line such as `line.quantity`, or '' if the column is ignored. */
export interface Chosen extends Column {
  readonly choice: string;
}

export const REASONS = 'refused_because';
const LINE = 'line.';

/** Other names of members, in the order of preference, in lower case, and without blanks and signs. */
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

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The members that may be chosen for a column. */
export function choicesFor(members: Members, { kind, isLines }: Options, { name, list }: Column): string[] {
  const own = members[kind].own.filter(
    (each) => each === name || members[kind].members.some((member) => member.name === each),
  );
  const lines = members.items.members
    .map((each) => LINE + each.name)
    .filter((each) => each !== `${LINE}order_id`);
  if (list !== null) return kind === 'orders' ? lines : [];
  if (kind !== 'orders') return own;
  return isLines ? [...own, ...lines] : [...own, 'items'];
}

/** The choices for the columns of a file, as far as their names are known. No member is chosen twice. */
export function recognized(members: Members, options: Options, columns: readonly Column[]): Chosen[] {
  const choices = columns.map(() => '');
  const taken = new Set<string>();
  const match = (isLike: (column: Column, choice: string) => boolean): void => {
    for (const [index, column] of columns.entries()) {
      if (choices[index] !== '' || column.name === REASONS) continue;
      const free = choicesFor(members, options, column).filter((each) => !taken.has(each));
      const found = free.find((each) => isLike(column, each));
      if (found === undefined) continue;
      choices[index] = found;
      taken.add(found);
    }
  };
  match(({ name }, choice) => name === choice || `${LINE}${name}` === choice);
  match(({ name }, choice) => plain(name) === plain(choice.replace(LINE, '')));
  match(({ name }, choice) => {
    const member = choice.startsWith(LINE)
      ? `items.${choice.slice(LINE.length)}`
      : `${options.kind}.${choice}`;
    return OTHER_NAMES[member]?.includes(plain(name)) === true;
  });
  return columns.map((column, index) => ({ ...column, choice: choices[index] ?? '' }));
}

/** The kind of rows that the columns fit best. */
export function likelyKind(members: Members, allowed: readonly Kind[], { columns, format }: Head): Options {
  const candidates = allowed.map((kind) => {
    const isLines = kind === 'orders' && format === 'csv' && !columns.some(({ name }) => name === 'items');
    const options: Options = { kind, isLines, delimiter: '', decimalMark: '.', date: '' };
    const chosen = recognized(members, options, columns);
    const known = chosen.filter(({ choice }) => choice !== '').length;
    return { options, points: known - 10 * faultsOf(members, options, chosen, format).length };
  });
  const best = candidates.toSorted((one, other) => other.points - one.points)[0];
  return best?.options ?? { kind: 'products', isLines: false, delimiter: '', decimalMark: '.', date: '' };
}

/** Whether the file can be read without a mapping. */
function isOwn(members: Members, options: Options, chosen: readonly Chosen[]): boolean {
  const { kind, isLines, delimiter, decimalMark, date } = options;
  if (isLines || delimiter !== '' || decimalMark !== '.' || date !== '') return false;
  return chosen.every(({ name, list, choice }) => {
    if (name === REASONS && choice === '') return true;
    if (list !== null) return choice === '' || choice === LINE + name;
    return name === choice && (choice === 'items' || members[kind].own.includes(name));
  });
}

/** The faults that must be corrected before the file is sent. Each fault is one sentence. */
export function faultsOf(
  members: Members,
  options: Options,
  chosen: readonly Chosen[],
  format: Head['format'],
): string[] {
  const { kind, isLines } = options;
  const faults: string[] = [];
  const twice = chosen.filter(
    ({ name, list }, index) => chosen.findIndex((each) => each.name === name && each.list === list) < index,
  );
  if (twice[0])
    faults.push(`The file has the column “${short(twice[0].name)}” twice. Rename one of them in the file.`);
  const choices = chosen.map(({ choice }) => choice).filter((choice) => choice !== '');
  const double = choices.find((choice, index) => choices.indexOf(choice) < index);
  if (double !== undefined) faults.push(`“${wordsFor(double)}” is chosen for two columns. Choose it once.`);
  const has = (choice: string): boolean => choices.includes(choice) || choices.includes(`${choice}.amount`);
  const isMapped = !isOwn(members, options, chosen);
  const isNested = kind === 'orders' && !isLines;
  const missing = [
    ...members[kind].members.filter(({ name, required }) => required && !has(name)).map(({ name }) => name),
    ...(isNested && !has('items') ? ['items'] : []),
    ...(isLines || (isNested && isMapped && format === 'ndjson')
      ? members.items.members
          .map(({ name, required }) =>
            required && name !== 'order_id' && !has(LINE + name) ? LINE + name : '',
          )
          .filter((name) => name !== '')
      : []),
  ];
  if (missing.length > 0) {
    faults.push(
      `Still missing: ${missing.map((name) => `“${wordsFor(name)}”`).join(', ')}. Choose a column for each.`,
    );
  }
  const minor = choices.find((choice) => /\.(amount|currency)$/.test(choice));
  if (isMapped && minor !== undefined) {
    faults.push(
      `“${minor}” can be read only if all columns have the names of the store. Remove the other columns from the file.`,
    );
  }
  if (isMapped && isNested && format === 'csv') {
    faults.push(
      'Orders with a column “items” can be read only if all columns have the names of the store. Remove the other columns from the file.',
    );
  }
  return faults;
}

/** The choices as a mapping in JSON; null if the file needs no mapping. */
export function mappingOf(
  members: Members,
  options: Options,
  chosen: readonly Chosen[],
  { format, delimiter }: Pick<Head, 'format' | 'delimiter'>,
): string | null {
  if (isOwn(members, options, chosen)) return null;
  const { kind, isLines } = options;
  const rule = (of: Kind | 'items', member: string, column: string): unknown => {
    const type = members[of].members.find(({ name }) => name === member)?.type;
    if (type === 'decimal' && options.decimalMark !== '.')
      return { column, decimal_mark: options.decimalMark };
    return type === 'instant' && options.date !== '' ? { column, date: options.date } : column;
  };
  const fields: Record<string, unknown> = {};
  const lines: Record<string, unknown> = {};
  for (const { name, choice } of chosen) {
    if (choice.startsWith(LINE)) {
      const member = choice.slice(LINE.length);
      lines[member] = rule('items', member, name);
    } else if (choice !== '' && choice !== 'items') fields[choice] = rule(kind, choice, name);
    if (isLines && choice === 'id') lines['order_id'] = name;
  }
  const list = chosen.find(({ choice }) => choice === 'items')?.name;
  return JSON.stringify({
    ...(format === 'csv' && { delimiter }),
    fields,
    ...(kind === 'orders' && { items: { ...(!isLines && { list }), fields: lines } }),
  });
}

/** A choice in words: `line.quantity` is “quantity of the line”. */
export function wordsFor(choice: string): string {
  return choice.startsWith(LINE) ? `${choice.slice(LINE.length)} of the line` : choice;
}

export function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
