import type { Intent, ProductChange, ProductMembers } from './intents.ts';
import type { Model, ProductRow } from './model.ts';
import type { Door, Kind } from './shapes.ts';

/*
 * The rules of the store, written a second time for the proof. They share no code with the service. So the proof
 * notices a mistake in the rules of the service.
 */

/** The next statuses of an order. */
export const NEXT: Readonly<Record<string, readonly string[]>> = {
  pending: ['paid', 'cancelled'],
  paid: ['shipped', 'cancelled', 'refunded'],
  shipped: ['delivered'],
  delivered: ['refunded'],
  cancelled: [],
  refunded: [],
};

const MOST_PIECES = 1_000_000_000;

/** The effect of an intent. */
export type Effect =
  | { readonly refusal: string }
  | {
      readonly touched: readonly Touched[];
      /** @param made the ids of the created rows, in their order */
      readonly happen: (made: readonly number[]) => void;
      /** The code of the refusal of each change of a batch; null when the change is not refused. */
      readonly results?: readonly (string | null)[];
    };

export interface Touched {
  readonly kind: Kind;
  /** Null for the row that is created. */
  readonly id: number | null;
}

const GONE: Effect = { refusal: 'NOT_FOUND' };

/** The effect that an intent must have through this door. */
export function effectOf(model: Model, intent: Intent, door: Door): Effect {
  switch (intent.action) {
    case 'createProduct':
      return {
        touched: [{ kind: 'product', id: null }],
        happen: ([id = 0]) => void model.products.set(id, productOf(id, intent.members)),
      };
    case 'batch':
      return ofBatch(model, intent);
    case 'createUser': {
      const { name = '', email = '' } = intent.members;
      if (model.hasEmail(email.trim())) return { refusal: 'EMAIL_TAKEN' };
      return {
        touched: [{ kind: 'user', id: null }],
        happen: ([id = 0]) => void model.users.set(id, { id, name: name.trim(), email: email.trim() }),
      };
    }
    case 'createOrder':
      return ordering(model, intent);
    case 'updateOrderStatus':
      return moving(model, intent.id, intent.status);
    case 'replaceUser':
    case 'updateUser':
    case 'deleteUser':
      return ofUser(model, intent);
    default:
      return ofProduct(model, intent, door);
  }
}

/** The changes of a batch are all for different products. */
function ofBatch(model: Model, { isAtomic, changes }: Extract<Intent, { action: 'batch' }>): Effect {
  const effects = changes.map((each) => effectOf(model, each, 'v1'));
  const refused = effects.find((effect) => 'refusal' in effect);
  if (refused && isAtomic) return refused;
  const good = effects.filter((effect) => 'touched' in effect);
  return {
    touched: good.flatMap(({ touched }) => touched),
    happen: (made) => {
      const left = [...made];
      for (const { touched, happen } of good) happen(touched[0]?.id === null ? [left.shift() ?? 0] : []);
    },
    results: effects.map((effect) => ('refusal' in effect ? effect.refusal : null)),
  };
}

function productOf(id: number, members: ProductMembers): ProductRow {
  const { name = '', price = 0, inStock = true, description = null } = members;
  return { id, name: name.trim(), price, description, isSellable: inStock, stock: null };
}

type OfProduct = Extract<Intent, { action: 'replaceProduct' | 'setProductStock' }> | ProductChange;

function ofProduct(model: Model, intent: OfProduct, door: Door): Effect {
  const row = 'id' in intent ? model.products.get(intent.id) : undefined;
  if (!row) return GONE;
  const touched = [{ kind: 'product', id: row.id }] as const;
  if (intent.action === 'deleteProduct') return { touched, happen: () => void model.products.delete(row.id) };
  if (intent.action === 'setProductStock') {
    return { touched, happen: () => void (row.stock = intent.quantity) };
  }
  const { members } = intent as { members: ProductMembers };
  const isWhole = intent.action === 'replaceProduct' && door !== 'v1';
  return { touched, happen: () => change(row, isWhole ? { description: null, ...members } : members) };
}

function change(row: ProductRow, { name, price, inStock, description }: ProductMembers): void {
  const isShown = row.isSellable && row.stock !== 0;
  if (name !== undefined) row.name = name.trim();
  if (price !== undefined) row.price = price;
  if (description !== undefined) row.description = description;
  if (inStock !== undefined && inStock !== isShown) row.isSellable = inStock;
}

type OfUser = Extract<Intent, { action: 'replaceUser' | 'updateUser' | 'deleteUser' }>;

function ofUser(model: Model, intent: OfUser): Effect {
  const row = model.users.get(intent.id);
  if (!row) return GONE;
  const user = { kind: 'user', id: row.id } as const;
  if (intent.action === 'deleteUser') {
    const orders = model.ordersOf(row.id);
    if (orders.length > 0 && !intent.anonymise) return { refusal: 'USER_HAS_ORDERS' };
    return {
      touched: [user, ...orders.map(({ id }) => ({ kind: 'order', id }) as const)],
      happen: () => {
        model.users.delete(row.id);
        for (const order of orders) order.userId = null;
      },
    };
  }
  const { name = row.name, email = row.email } = intent.members;
  if (model.hasEmail(email.trim(), row.id)) return { refusal: 'EMAIL_TAKEN' };
  return {
    touched: [user],
    happen: () => void Object.assign(row, { name: name.trim(), email: email.trim() }),
  };
}

function ordering(model: Model, { userId, items }: Extract<Intent, { action: 'createOrder' }>): Effect {
  const products = items.map(({ productId }) => model.products.get(productId));
  if (!model.users.has(userId) || products.includes(undefined)) return { refusal: 'VALIDATION_FAILED' };
  const wanted = new Map<ProductRow, number>();
  items.forEach(({ quantity }, index) => {
    const product = products[index] as ProductRow;
    wanted.set(product, (wanted.get(product) ?? 0) + quantity);
  });
  const lacks = [...wanted].some(
    ([product, count]) => !product.isSellable || (product.stock !== null && product.stock < count),
  );
  if (lacks) return { refusal: 'OUT_OF_STOCK' };
  return {
    touched: [
      { kind: 'order', id: null },
      ...[...wanted.keys()].map(({ id }) => ({ kind: 'product', id }) as const),
    ],
    happen: ([id = 0]) => {
      const lines = items.map(({ quantity }, index) => {
        const { id: productId, name, price } = products[index] as ProductRow;
        return { productId, name, unitPrice: price, quantity, total: price * quantity };
      });
      const taken = [...wanted].filter(([product]) => product.stock !== null);
      for (const [product, count] of taken) product.stock = (product.stock ?? 0) - count;
      model.orders.set(id, { id, userId, status: 'pending', items: lines, taken });
    },
  };
}

function moving(model: Model, id: number, status: string): Effect {
  const order = model.orders.get(id);
  if (!order) return GONE;
  if (!NEXT[order.status]?.includes(status)) return { refusal: 'ILLEGAL_STATUS' };
  const isBack = status === 'cancelled';
  const products = isBack ? [...new Set(order.items.map(({ productId }) => productId))] : [];
  return {
    touched: [
      { kind: 'order', id },
      ...products.map((product) => ({ kind: 'product', id: product }) as const),
    ],
    happen: () => {
      order.status = status;
      if (!isBack) return;
      for (const [product, count] of order.taken) {
        if (product.stock !== null) product.stock = Math.min(product.stock + count, MOST_PIECES);
      }
    },
  };
}
