import type { Intent } from './intents.ts';
import { SELECTIONS, type Kind } from './shapes.ts';

type Action = Exclude<Intent['action'], 'batch' | 'replaceUser'>;

const VERSION = { expectedVersion: 'Int' };
const PRODUCT = { name: 'String', price: 'Float', inStock: 'Boolean', description: 'String' };

/** The arguments of each field and their types. */
const ARGUMENTS: Readonly<Record<Action, Readonly<Record<string, string>>>> = {
  createProduct: { ...PRODUCT, name: 'String!', price: 'Float!' },
  replaceProduct: {
    id: 'ID!',
    ...PRODUCT,
    name: 'String!',
    price: 'Float!',
    inStock: 'Boolean!',
    ...VERSION,
  },
  updateProduct: { id: 'ID!', ...PRODUCT, ...VERSION },
  deleteProduct: { id: 'ID!', ...VERSION },
  setProductStock: { id: 'ID!', quantity: 'Int' },
  createUser: { name: 'String!', email: 'String!' },
  updateUser: { id: 'ID!', name: 'String', email: 'String', ...VERSION },
  deleteUser: { id: 'ID!', anonymise: 'Boolean', ...VERSION },
  createOrder: { userId: 'ID', items: '[OrderItemInput!]!' },
  updateOrderStatus: { id: 'ID!', status: 'OrderStatus!', ...VERSION },
};

export function kindOf(action: Intent['action']): Kind {
  if (action.includes('User')) return 'user';
  return action.includes('Order') ? 'order' : 'product';
}

export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The operation for this intent. Its result has the alias `it`. */
export function mutationOf(intent: Intent, expectedVersion?: number): Operation {
  const { action, ...given } = intent;
  const types = Object.entries(ARGUMENTS[action as Action]);
  const declared = types.map(([name, type]) => `$${name}: ${type}`).join(', ');
  const passed = types.map(([name]) => `${name}: $${name}`).join(', ');
  return {
    query: `mutation(${declared}) { it: ${action}(${passed}) { ${SELECTIONS[kindOf(action)]} } }`,
    variables: { ...argumentsIn(given), expectedVersion },
  };
}

function argumentsIn(given: object): Record<string, unknown> {
  const { id, userId, items, members, ...rest } = given as {
    id?: number;
    userId?: number;
    items?: readonly { productId: number; quantity: number }[];
    members?: { price?: number };
  };
  const { price, ...others } = members ?? {};
  return {
    ...rest,
    ...others,
    ...(price !== undefined && { price: price / 100 }),
    ...(id !== undefined && { id: String(id) }),
    ...(userId !== undefined && { userId: String(userId) }),
    ...(items && {
      items: items.map(({ productId, quantity }) => ({ productId: String(productId), quantity })),
    }),
  };
}
