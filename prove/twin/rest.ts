import type { Sent } from '../contract/client.ts';
import type { Intent, ProductChange, ProductMembers } from './intents.ts';

type Version = 'v1' | 'v2';

/** The form in which a change of some members is written. */
export type Style = 'json' | 'merge' | 'patch';

const MEDIA: Readonly<Record<Style, string>> = {
  json: 'application/json',
  merge: 'application/merge-patch+json',
  patch: 'application/json-patch+json',
};

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** The request for this intent, without credentials. */
export function requestOf(intent: Intent, version: Version, style: Style): Sent {
  const { method, path, body } = asked(intent, version);
  const target = `/api/${version}${path}`;
  if (body === undefined) return { method, target, headers: {} };
  const isPatch = method === 'PATCH';
  const sent = isPatch && style === 'patch' ? operations(body, version) : body;
  return {
    method,
    target,
    headers: { 'content-type': isPatch ? MEDIA[style] : MEDIA.json },
    body: JSON.stringify(sent),
  };
}

function asked(intent: Intent, version: Version): Asked {
  switch (intent.action) {
    case 'createProduct':
      return { method: 'POST', path: '/products', body: product(intent.members, version) };
    case 'replaceProduct':
      return { method: 'PUT', path: `/products/${intent.id}`, body: product(intent.members, version) };
    case 'updateProduct':
      return { method: 'PATCH', path: `/products/${intent.id}`, body: product(intent.members, version) };
    case 'deleteProduct':
      return { method: 'DELETE', path: `/products/${intent.id}` };
    case 'setProductStock':
      return { method: 'PUT', path: `/products/${intent.id}/stock`, body: { quantity: intent.quantity } };
    case 'batch': {
      const items = intent.changes.map(itemOf);
      return { method: 'POST', path: '/products/batch', body: { atomic: intent.isAtomic, items } };
    }
    case 'createUser':
      return { method: 'POST', path: '/users', body: intent.members };
    case 'replaceUser':
      return { method: 'PUT', path: `/users/${intent.id}`, body: intent.members };
    case 'updateUser':
      return { method: 'PATCH', path: `/users/${intent.id}`, body: intent.members };
    case 'deleteUser':
      return { method: 'DELETE', path: `/users/${intent.id}${intent.anonymise ? '?anonymise=true' : ''}` };
    case 'createOrder': {
      const items = intent.items.map(({ productId, quantity }) => ({ product_id: productId, quantity }));
      return { method: 'POST', path: '/orders', body: { user_id: intent.userId, items } };
    }
    default:
      return { method: 'PATCH', path: `/orders/${intent.id}`, body: { status: intent.status } };
  }
}

function itemOf(change: ProductChange): object {
  const op = change.action.replace('Product', '');
  return {
    op,
    ...('id' in change && { id: change.id }),
    ...('members' in change && product(change.members, 'v1')),
  };
}

function product({ name, price, inStock, description }: ProductMembers, version: Version): object {
  return {
    ...(name !== undefined && { name }),
    ...(price !== undefined && {
      price: version === 'v1' ? price / 100 : { amount: price, currency: 'USD' },
    }),
    ...(inStock !== undefined && { in_stock: inStock }),
    ...(description !== undefined && { description }),
  };
}

/** Writes the body of a change as a JSON Patch. */
function operations(body: object, version: Version): readonly object[] {
  return Object.entries(body).map(([name, value]: [string, unknown]) =>
    name === 'price' && version === 'v2'
      ? { op: 'add', path: '/price/amount', value: (value as { amount: number }).amount }
      : { op: 'replace', path: `/${name}`, value },
  );
}
