import { NEXT_STATUSES } from '../orders/order-status.js';

/**
 * The kinds of rows. `MEMBERS` lists the members of each kind. A file of the store's own format has columns with these
 * names. A mapping makes the members from the columns of another file.
 */
export type Kind = 'products' | 'users' | 'orders';

export type MemberType = 'text' | 'decimal' | 'integer' | 'boolean' | 'instant';

export interface MemberRule {
  readonly type: MemberType;
  /**
   * Whether a row must have the member. `mapped` means:
   *
   * - In the store's own format, the file must have the column, but a row may leave the column empty.
   * - With a mapping, the mapping must have a rule for the member, and each row must have the member, unless the rule
   *   says `required: false`.
   *
   * The absence of such a member has a meaning: the user of the order was anonymised (`user_id`), or the product of the
   * line was deleted (`product_id`).
   */
  readonly required: boolean | 'mapped';
  /** The only texts that the member can have. Without this list, the member can have any text. */
  readonly values?: readonly string[];
}

export type Members = Readonly<Record<string, MemberRule>>;

const needed = (type: MemberType): MemberRule => ({ type, required: true });
const optional = (type: MemberType): MemberRule => ({ type, required: false });
const mapped = (type: MemberType): MemberRule => ({ type, required: 'mapped' });

const WRITTEN: Members = { created_at: optional('instant'), updated_at: optional('instant') };

export const MEMBERS: Readonly<Record<Kind, Members>> = {
  products: {
    id: needed('text'),
    name: needed('text'),
    description: optional('text'),
    price: needed('decimal'),
    in_stock: optional('boolean'),
    stock: optional('integer'),
    ...WRITTEN,
  },
  users: { id: needed('text'), name: needed('text'), email: needed('text'), ...WRITTEN },
  orders: {
    id: needed('text'),
    user_id: mapped('text'),
    status: { ...optional('text'), values: Object.keys(NEXT_STATUSES) },
    total: optional('decimal'),
    ...WRITTEN,
  },
};

/**
 * The column in which a file of refused rows has the reason of the refusal. An import ignores this column, so that a
 * corrected file can be imported as it is.
 */
export const REFUSED_BECAUSE = 'refused_because';

/** The members of lines of orders. A line needs `order_id` only if the lines are in a file of their own. */
export const ITEM_MEMBERS: Members = {
  order_id: needed('text'),
  product_id: mapped('text'),
  name: optional('text'),
  quantity: needed('integer'),
  unit_price: needed('decimal'),
  discount: optional('decimal'),
  total: optional('decimal'),
};
