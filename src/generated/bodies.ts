// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { OperationId } from './operations.js';

/** What formats other than JSON need to know of a value. */
export interface Body {
  /** What an element of XML that holds it is called, unless a member names it. */
  readonly name: string;
  /** Those that an object may have, in the order of the contract. */
  readonly members?: Readonly<Record<string, Body>>;
  /** What is in a list. */
  readonly items?: Body;
  /** What its text or number means, where it is more than that. */
  readonly kind?: 'time' | 'money';
  /** What belongs to an object, by name; `self` is where it stands itself. */
  readonly links?: Readonly<Record<string, Related>>;
}

export interface Related {
  /** The GET that shows it. */
  readonly operation: OperationId;
  /** Which member gives the value of each parameter, of the path or the query. */
  readonly parameters: Readonly<Record<string, string>>;
}

export const BODIES: { readonly [K in OperationId]?: Body } = {
  getApiKey: {
    name: 'api_key',
    members: {
      id: { name: 'id' },
      name: { name: 'key_name' },
      user_id: { name: 'item' },
      scopes: { name: 'item', items: { name: 'scope' } },
      created_at: { name: 'item', kind: 'time' },
      expires_at: { name: 'item', kind: 'time' },
      last_used_at: { name: 'item', kind: 'time' },
      revoked_at: { name: 'item', kind: 'time' },
    },
    links: {
      self: { operation: 'getApiKey', parameters: { id: 'id' } },
      user: { operation: 'getUser', parameters: { id: 'user_id' } },
    },
  },
  getClient: {
    name: 'client',
    members: {
      id: { name: 'id' },
      client_id: { name: 'item' },
      name: { name: 'client_name' },
      confidential: { name: 'item' },
      redirect_uris: { name: 'item', items: { name: 'redirect_uri' } },
      grant_types: { name: 'item', items: { name: 'grant_type' } },
      scopes: { name: 'item', items: { name: 'scope' } },
      may_introspect: { name: 'item' },
      created_at: { name: 'item', kind: 'time' },
      revoked_at: { name: 'item', kind: 'time' },
    },
    links: { self: { operation: 'getClient', parameters: { id: 'id' } } },
  },
  getIdentity: {
    name: 'identity',
    members: {
      id: { name: 'id' },
      issuer: { name: 'issuer' },
      subject: { name: 'subject' },
      user_id: { name: 'id' },
      created_at: { name: 'item', kind: 'time' },
    },
    links: {
      self: { operation: 'getIdentity', parameters: { id: 'id' } },
      user: { operation: 'getUser', parameters: { id: 'user_id' } },
    },
  },
  getMe: {
    name: 'user_envelope',
    members: {
      user: {
        name: 'user',
        members: { id: { name: 'id' }, name: { name: 'user_name' }, email: { name: 'email' } },
        links: {
          self: { operation: 'getUser', parameters: { id: 'id' } },
          orders: { operation: 'listUserOrders', parameters: { id: 'id' } },
          keys: { operation: 'listApiKeys', parameters: { user_id: 'id' } },
          identities: { operation: 'listIdentities', parameters: { user_id: 'id' } },
        },
      },
    },
  },
  getOrder: {
    name: 'order',
    members: {
      id: { name: 'id' },
      user_id: { name: 'item' },
      status: { name: 'order_status' },
      total: { name: 'amount', kind: 'money' },
      created_at: { name: 'item', kind: 'time' },
      items: {
        name: 'item',
        items: {
          name: 'order_item',
          members: {
            product_id: { name: 'id' },
            name: { name: 'product_name' },
            unit_price: { name: 'price', kind: 'money' },
            quantity: { name: 'quantity' },
            total: { name: 'amount', kind: 'money' },
          },
          links: { product: { operation: 'getProduct', parameters: { id: 'product_id' } } },
        },
      },
    },
    links: {
      self: { operation: 'getOrder', parameters: { id: 'id' } },
      user: { operation: 'getUser', parameters: { id: 'user_id' } },
    },
  },
  getProduct: {
    name: 'product',
    members: {
      id: { name: 'id' },
      name: { name: 'product_name' },
      price: { name: 'price', kind: 'money' },
      in_stock: { name: 'item' },
    },
    links: {
      self: { operation: 'getProduct', parameters: { id: 'id' } },
      stock: { operation: 'getProductStock', parameters: { id: 'id' } },
    },
  },
  getProductStock: { name: 'product_stock', members: { quantity: { name: 'stock_quantity' } } },
  getUser: {
    name: 'user_envelope',
    members: {
      user: {
        name: 'user',
        members: { id: { name: 'id' }, name: { name: 'user_name' }, email: { name: 'email' } },
        links: {
          self: { operation: 'getUser', parameters: { id: 'id' } },
          orders: { operation: 'listUserOrders', parameters: { id: 'id' } },
          keys: { operation: 'listApiKeys', parameters: { user_id: 'id' } },
          identities: { operation: 'listIdentities', parameters: { user_id: 'id' } },
        },
      },
    },
  },
  getUserByShortAddress: {
    name: 'user_envelope',
    members: {
      user: {
        name: 'user',
        members: { id: { name: 'id' }, name: { name: 'user_name' }, email: { name: 'email' } },
        links: {
          self: { operation: 'getUser', parameters: { id: 'id' } },
          orders: { operation: 'listUserOrders', parameters: { id: 'id' } },
          keys: { operation: 'listApiKeys', parameters: { user_id: 'id' } },
          identities: { operation: 'listIdentities', parameters: { user_id: 'id' } },
        },
      },
    },
  },
  listApiKeys: {
    name: 'api_key_list',
    items: {
      name: 'api_key',
      members: {
        id: { name: 'id' },
        name: { name: 'key_name' },
        user_id: { name: 'item' },
        scopes: { name: 'item', items: { name: 'scope' } },
        created_at: { name: 'item', kind: 'time' },
        expires_at: { name: 'item', kind: 'time' },
        last_used_at: { name: 'item', kind: 'time' },
        revoked_at: { name: 'item', kind: 'time' },
      },
      links: {
        self: { operation: 'getApiKey', parameters: { id: 'id' } },
        user: { operation: 'getUser', parameters: { id: 'user_id' } },
      },
    },
  },
  listClients: {
    name: 'client_list',
    items: {
      name: 'client',
      members: {
        id: { name: 'id' },
        client_id: { name: 'item' },
        name: { name: 'client_name' },
        confidential: { name: 'item' },
        redirect_uris: { name: 'item', items: { name: 'redirect_uri' } },
        grant_types: { name: 'item', items: { name: 'grant_type' } },
        scopes: { name: 'item', items: { name: 'scope' } },
        may_introspect: { name: 'item' },
        created_at: { name: 'item', kind: 'time' },
        revoked_at: { name: 'item', kind: 'time' },
      },
      links: { self: { operation: 'getClient', parameters: { id: 'id' } } },
    },
  },
  listEvents: {
    name: 'event_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'event',
          members: {
            cursor: { name: 'cursor' },
            type: { name: 'event_type' },
            entity: { name: 'item' },
            entity_id: { name: 'id' },
            version: { name: 'item' },
            occurred_at: { name: 'item', kind: 'time' },
            actor: {
              name: 'event_actor',
              members: { kind: { name: 'item' }, user_id: { name: 'item' } },
              links: { user: { operation: 'getUser', parameters: { id: 'user_id' } } },
            },
            data: {
              name: 'order',
              members: {
                id: { name: 'id' },
                user_id: { name: 'item' },
                status: { name: 'order_status' },
                total: { name: 'amount', kind: 'money' },
                created_at: { name: 'item', kind: 'time' },
                items: {
                  name: 'item',
                  items: {
                    name: 'order_item',
                    members: {
                      product_id: { name: 'id' },
                      name: { name: 'product_name' },
                      unit_price: { name: 'price', kind: 'money' },
                      quantity: { name: 'quantity' },
                      total: { name: 'amount', kind: 'money' },
                    },
                    links: { product: { operation: 'getProduct', parameters: { id: 'product_id' } } },
                  },
                },
                name: { name: 'user_name' },
                price: { name: 'price', kind: 'money' },
                in_stock: { name: 'item' },
                email: { name: 'email' },
              },
            },
          },
        },
      },
      next: { name: 'cursor' },
    },
  },
  listIdentities: {
    name: 'identity_list',
    items: {
      name: 'identity',
      members: {
        id: { name: 'id' },
        issuer: { name: 'issuer' },
        subject: { name: 'subject' },
        user_id: { name: 'id' },
        created_at: { name: 'item', kind: 'time' },
      },
      links: {
        self: { operation: 'getIdentity', parameters: { id: 'id' } },
        user: { operation: 'getUser', parameters: { id: 'user_id' } },
      },
    },
  },
  listOrders: {
    name: 'order_list',
    items: {
      name: 'order',
      members: {
        id: { name: 'id' },
        user_id: { name: 'item' },
        status: { name: 'order_status' },
        total: { name: 'amount', kind: 'money' },
        created_at: { name: 'item', kind: 'time' },
        items: {
          name: 'item',
          items: {
            name: 'order_item',
            members: {
              product_id: { name: 'id' },
              name: { name: 'product_name' },
              unit_price: { name: 'price', kind: 'money' },
              quantity: { name: 'quantity' },
              total: { name: 'amount', kind: 'money' },
            },
            links: { product: { operation: 'getProduct', parameters: { id: 'product_id' } } },
          },
        },
      },
      links: {
        self: { operation: 'getOrder', parameters: { id: 'id' } },
        user: { operation: 'getUser', parameters: { id: 'user_id' } },
      },
    },
  },
  listProducts: {
    name: 'product_list',
    items: {
      name: 'product',
      members: {
        id: { name: 'id' },
        name: { name: 'product_name' },
        price: { name: 'price', kind: 'money' },
        in_stock: { name: 'item' },
      },
      links: {
        self: { operation: 'getProduct', parameters: { id: 'id' } },
        stock: { operation: 'getProductStock', parameters: { id: 'id' } },
      },
    },
  },
  listUserOrders: {
    name: 'order_list',
    items: {
      name: 'order',
      members: {
        id: { name: 'id' },
        user_id: { name: 'item' },
        status: { name: 'order_status' },
        total: { name: 'amount', kind: 'money' },
        created_at: { name: 'item', kind: 'time' },
        items: {
          name: 'item',
          items: {
            name: 'order_item',
            members: {
              product_id: { name: 'id' },
              name: { name: 'product_name' },
              unit_price: { name: 'price', kind: 'money' },
              quantity: { name: 'quantity' },
              total: { name: 'amount', kind: 'money' },
            },
            links: { product: { operation: 'getProduct', parameters: { id: 'product_id' } } },
          },
        },
      },
      links: {
        self: { operation: 'getOrder', parameters: { id: 'id' } },
        user: { operation: 'getUser', parameters: { id: 'user_id' } },
      },
    },
  },
  listUsers: {
    name: 'user_list',
    items: {
      name: 'user',
      members: { id: { name: 'id' }, name: { name: 'user_name' }, email: { name: 'email' } },
      links: {
        self: { operation: 'getUser', parameters: { id: 'id' } },
        orders: { operation: 'listUserOrders', parameters: { id: 'id' } },
        keys: { operation: 'listApiKeys', parameters: { user_id: 'id' } },
        identities: { operation: 'listIdentities', parameters: { user_id: 'id' } },
      },
    },
  },
};
