import { requireThat } from '../options.ts';

export type Kind = 'product' | 'user' | 'order';
export type Door = 'v1' | 'v2' | 'graphql';

/** The shown values of a row, by names that all doors share. Members that a door does not show are missing. */
export type Shown = Readonly<Record<string, unknown>>;

type Reader = (value: unknown) => Shown;
type Shape = Readonly<Record<string, Reader>>;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const as =
  (name: string): Reader =>
  (value) => ({ [name]: value });

const time =
  (name: string): Reader =>
  (value) => {
    requireThat(MOMENT.test(String(value)), () => `${name} is not a moment: ${JSON.stringify(value)}`);
    return { [name]: value };
  };

/** Reads an amount in major units, with at most two decimals, as minor units. */
const major =
  (name: string): Reader =>
  (value) => {
    const minor = Math.round(Number(value) * 100);
    requireThat(minor / 100 === value, () => `${name} is not an amount: ${JSON.stringify(value)}`);
    return { [name]: minor };
  };

const money =
  (name: string): Reader =>
  (value) => {
    const { amount, currency, ...rest } = value as Shown;
    requireThat(
      currency === 'USD' && Object.keys(rest).length === 0,
      () => `${name} is not money: ${JSON.stringify(value)}`,
    );
    return { [name]: amount };
  };

/** GraphQL shows ids as text. */
const key =
  (name: string): Reader =>
  (value) => {
    const isKey = value === null || (typeof value === 'string' && /^\d+$/.test(value));
    requireThat(isKey, () => `${name} is not an id as text: ${JSON.stringify(value)}`);
    return { [name]: value === null ? null : Number(value) };
  };

const ITEM: Readonly<Record<Door, Shape>> = {
  v1: {
    product_id: as('productId'),
    name: as('name'),
    unit_price: major('unitPrice'),
    quantity: as('quantity'),
    total: major('total'),
  },
  v2: {
    product_id: as('productId'),
    name: as('name'),
    unit_price: money('unitPrice'),
    quantity: as('quantity'),
    total: money('total'),
  },
  graphql: {
    productId: key('productId'),
    name: as('name'),
    unitPrice: major('unitPrice'),
    unitPriceMoney: money('unitPrice'),
    quantity: as('quantity'),
    total: major('total'),
    totalMoney: money('total'),
  },
};

const items =
  (door: Door): Reader =>
  (value) => ({ items: (value as Shown[]).map((item) => shownBy(ITEM[door], item)) });

const TIMES: Shape = { created_at: time('createdAt'), updated_at: time('updatedAt') };
const GRAPHQL: Shape = {
  id: key('id'),
  version: as('version'),
  createdAt: time('createdAt'),
  updatedAt: time('updatedAt'),
};

const SHAPES: Readonly<Record<Kind, Readonly<Record<Door, Shape>>>> = {
  product: {
    v1: { id: as('id'), name: as('name'), price: major('price'), in_stock: as('inStock') },
    v2: {
      id: as('id'),
      name: as('name'),
      description: as('description'),
      price: money('price'),
      in_stock: as('inStock'),
      ...TIMES,
    },
    graphql: {
      ...GRAPHQL,
      name: as('name'),
      price: major('price'),
      priceMoney: money('price'),
      inStock: as('inStock'),
      stock: as('stock'),
      description: as('description'),
    },
  },
  user: {
    v1: { id: as('id'), name: as('name'), email: as('email') },
    v2: { id: as('id'), name: as('name'), email: as('email'), ...TIMES },
    graphql: { ...GRAPHQL, name: as('name'), email: as('email') },
  },
  order: {
    v1: {
      id: as('id'),
      user_id: as('userId'),
      status: as('status'),
      total: major('total'),
      created_at: time('createdAt'),
      items: items('v1'),
    },
    v2: {
      id: as('id'),
      user_id: as('userId'),
      status: as('status'),
      total: money('total'),
      ...TIMES,
      items: items('v2'),
    },
    graphql: {
      ...GRAPHQL,
      userId: key('userId'),
      status: as('status'),
      total: major('total'),
      totalMoney: money('total'),
      items: items('graphql'),
    },
  },
};

/** For each kind, the GraphQL selection of all members of its shape for the door `graphql`. */
export const SELECTIONS: Readonly<Record<Kind, string>> = {
  product:
    'id version name price priceMoney { amount currency } inStock stock description createdAt updatedAt',
  user: 'id version name email createdAt updatedAt',
  order: `id version userId status total totalMoney { amount currency } createdAt updatedAt items {
    productId name unitPrice unitPriceMoney { amount currency } quantity total totalMoney { amount currency } }`,
};

/** @throws Broken if members are missing or unknown, or if a value has a wrong form */
export function shown(kind: Kind, door: Door, value: unknown): Shown {
  return shownBy(SHAPES[kind][door], value as Shown);
}

function shownBy(shape: Shape, value: Shown): Shown {
  const [has, wanted] = [Object.keys(value), Object.keys(shape)].map((names) => names.toSorted().join(' '));
  requireThat(has === wanted, () => `The members are ${has} instead of ${wanted}: ${JSON.stringify(value)}`);
  const all: Record<string, unknown> = {};
  for (const [name, reader] of Object.entries(shape)) {
    for (const [common, seen] of Object.entries(reader(value[name]))) {
      requireThat(
        !(common in all) || all[common] === seen,
        () => `There are two different values of ${common}: ${JSON.stringify(value)}`,
      );
      all[common] = seen;
    }
  }
  return all;
}
