// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { OperationId } from './operations.js';

/** The facts about a value that formats other than JSON need. */
export interface Body {
  /** The name of its XML element, unless a member names the element. */
  readonly name: string;
  /** The members that an object may have, in the order of the contract. */
  readonly members?: Readonly<Record<string, Body>>;
  /** The items of a list. */
  readonly items?: Body;
  /** The meaning of a text or a number, if it has a special one. */
  readonly kind?: 'time' | 'money' | 'address';
  /** The words that a page shows instead of null. */
  readonly whenNull?: string;
  /** Links of an object, by name; `self` is the link to the object itself. */
  readonly links?: Readonly<Record<string, Related>>;
}

export interface Related {
  /** The GET operation that shows the target. */
  readonly operation: OperationId;
  /** For each parameter of the path or the query, the member that has its value. */
  readonly parameters: Readonly<Record<string, string>>;
}

export const BODIES: { readonly [K in OperationId]?: Body } = {
  exportOrders: {
    name: 'order_export',
    items: {
      name: 'order',
      members: {
        id: { name: 'id' },
        user_id: { name: 'order_owner' },
        status: { name: 'order_status' },
        total: { name: 'amount', kind: 'money' },
        created_at: { name: 'created_at', kind: 'time' },
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
  exportOrdersV2: {
    name: 'order_export_v2',
    items: {
      name: 'order_v2',
      members: {
        id: { name: 'id' },
        user_id: { name: 'order_owner' },
        status: { name: 'order_status' },
        total: {
          name: 'money',
          members: { amount: { name: 'item' }, currency: { name: 'currency' } },
          kind: 'money',
        },
        created_at: { name: 'created_at', kind: 'time' },
        updated_at: { name: 'updated_at', kind: 'time' },
        items: {
          name: 'item',
          items: {
            name: 'order_item_v2',
            members: {
              product_id: { name: 'id' },
              name: { name: 'product_name' },
              unit_price: {
                name: 'money',
                members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                kind: 'money',
              },
              quantity: { name: 'quantity' },
              total: {
                name: 'money',
                members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                kind: 'money',
              },
            },
            links: { product: { operation: 'getProductV2', parameters: { id: 'product_id' } } },
          },
        },
      },
      links: {
        self: { operation: 'getOrderV2', parameters: { id: 'id' } },
        user: { operation: 'getUserV2', parameters: { id: 'user_id' } },
      },
    },
  },
  exportProducts: {
    name: 'product_export',
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
  exportProductsV2: {
    name: 'product_export_v2',
    items: {
      name: 'product_v2',
      members: {
        id: { name: 'id' },
        name: { name: 'product_name' },
        description: { name: 'product_description' },
        price: {
          name: 'money',
          members: { amount: { name: 'item' }, currency: { name: 'currency' } },
          kind: 'money',
        },
        in_stock: { name: 'item' },
        created_at: { name: 'created_at', kind: 'time' },
        updated_at: { name: 'updated_at', kind: 'time' },
      },
      links: {
        self: { operation: 'getProductV2', parameters: { id: 'id' } },
        stock: { operation: 'getProductStockV2', parameters: { id: 'id' } },
      },
    },
  },
  exportUsers: {
    name: 'user_export',
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
  exportUsersV2: {
    name: 'user_export_v2',
    items: {
      name: 'user_v2',
      members: {
        id: { name: 'id' },
        name: { name: 'user_name' },
        email: { name: 'email' },
        created_at: { name: 'created_at', kind: 'time' },
        updated_at: { name: 'updated_at', kind: 'time' },
      },
      links: {
        self: { operation: 'getUserV2', parameters: { id: 'id' } },
        orders: { operation: 'listUserOrdersV2', parameters: { id: 'id' } },
        keys: { operation: 'listApiKeysV2', parameters: { user_id: 'id' } },
        identities: { operation: 'listIdentitiesV2', parameters: { user_id: 'id' } },
      },
    },
  },
  getApiKey: {
    name: 'api_key',
    members: {
      id: { name: 'id' },
      name: { name: 'key_name' },
      user_id: { name: 'key_owner' },
      scopes: { name: 'granted_scopes', items: { name: 'scope' } },
      created_at: { name: 'created_at', kind: 'time' },
      expires_at: { name: 'expires_at', kind: 'time', whenNull: 'never' },
      last_used_at: { name: 'last_used_at', kind: 'time', whenNull: 'never' },
      revoked_at: { name: 'revoked_at', kind: 'time', whenNull: 'never' },
    },
    links: {
      self: { operation: 'getApiKey', parameters: { id: 'id' } },
      user: { operation: 'getUser', parameters: { id: 'user_id' } },
    },
  },
  getApiKeyV2: {
    name: 'api_key',
    members: {
      id: { name: 'id' },
      name: { name: 'key_name' },
      user_id: { name: 'key_owner' },
      scopes: { name: 'granted_scopes', items: { name: 'scope' } },
      created_at: { name: 'created_at', kind: 'time' },
      expires_at: { name: 'expires_at', kind: 'time', whenNull: 'never' },
      last_used_at: { name: 'last_used_at', kind: 'time', whenNull: 'never' },
      revoked_at: { name: 'revoked_at', kind: 'time', whenNull: 'never' },
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
      client_id: { name: 'client_id' },
      name: { name: 'client_name' },
      confidential: { name: 'is_confidential' },
      redirect_uris: { name: 'known_redirect_uris', items: { name: 'redirect_uri' } },
      grant_types: { name: 'grant_types', items: { name: 'grant_type' } },
      scopes: { name: 'maximum_scopes', items: { name: 'scope' } },
      may_introspect: { name: 'can_introspect' },
      created_at: { name: 'created_at', kind: 'time' },
      revoked_at: { name: 'revoked_at', kind: 'time', whenNull: 'never' },
    },
    links: { self: { operation: 'getClient', parameters: { id: 'id' } } },
  },
  getClientV2: {
    name: 'client',
    members: {
      id: { name: 'id' },
      client_id: { name: 'client_id' },
      name: { name: 'client_name' },
      confidential: { name: 'is_confidential' },
      redirect_uris: { name: 'known_redirect_uris', items: { name: 'redirect_uri' } },
      grant_types: { name: 'grant_types', items: { name: 'grant_type' } },
      scopes: { name: 'maximum_scopes', items: { name: 'scope' } },
      may_introspect: { name: 'can_introspect' },
      created_at: { name: 'created_at', kind: 'time' },
      revoked_at: { name: 'revoked_at', kind: 'time', whenNull: 'never' },
    },
    links: { self: { operation: 'getClient', parameters: { id: 'id' } } },
  },
  getCredential: {
    name: 'credential',
    members: {
      kind: { name: 'item' },
      name: { name: 'item' },
      user_id: { name: 'key_owner' },
      scopes: { name: 'item', items: { name: 'scope' } },
      own_scopes: { name: 'item', items: { name: 'scope' } },
      expires_at: { name: 'expires_at', kind: 'time', whenNull: 'never' },
    },
  },
  getIdentity: {
    name: 'identity',
    members: {
      id: { name: 'id' },
      issuer: { name: 'issuer' },
      subject: { name: 'subject' },
      user_id: { name: 'id' },
      created_at: { name: 'created_at', kind: 'time' },
    },
    links: {
      self: { operation: 'getIdentity', parameters: { id: 'id' } },
      user: { operation: 'getUser', parameters: { id: 'user_id' } },
    },
  },
  getIdentityV2: {
    name: 'identity',
    members: {
      id: { name: 'id' },
      issuer: { name: 'issuer' },
      subject: { name: 'subject' },
      user_id: { name: 'id' },
      created_at: { name: 'created_at', kind: 'time' },
    },
    links: {
      self: { operation: 'getIdentity', parameters: { id: 'id' } },
      user: { operation: 'getUser', parameters: { id: 'user_id' } },
    },
  },
  getImport: {
    name: 'import',
    members: {
      id: { name: 'id' },
      kind: { name: 'item' },
      format: { name: 'item' },
      rehearsal: { name: 'item' },
      events: { name: 'item' },
      order_lines: { name: 'item' },
      source: { name: 'item' },
      state: { name: 'item' },
      problem: { name: 'item' },
      problem_line: { name: 'item' },
      bytes: { name: 'row_count' },
      parts: { name: 'row_count' },
      rows: { name: 'row_count' },
      rows_done: { name: 'row_count' },
      read: { name: 'row_count' },
      order_items: { name: 'row_count' },
      created: { name: 'row_count' },
      updated: { name: 'row_count' },
      unchanged: { name: 'row_count' },
      skipped: { name: 'row_count' },
      repeated: { name: 'row_count' },
      refused: { name: 'row_count' },
      created_at: { name: 'created_at', kind: 'time' },
      started_at: { name: 'item', kind: 'time', whenNull: 'not begun' },
      ended_at: { name: 'item', kind: 'time', whenNull: 'not yet' },
    },
    links: {
      self: { operation: 'getImport', parameters: { id: 'id' } },
      refusals: { operation: 'listImportRefusals', parameters: { id: 'id' } },
    },
  },
  getIndex: {
    name: 'index',
    members: {
      version: { name: 'version_name' },
      resources: {
        name: 'item',
        items: {
          name: 'item',
          members: {
            name: { name: 'item' },
            href: { name: 'href', kind: 'address' },
            title: { name: 'item' },
            methods: { name: 'item', items: { name: 'item' } },
          },
        },
      },
      versions: {
        name: 'item',
        items: {
          name: 'item',
          members: { version: { name: 'version_name' }, href: { name: 'href', kind: 'address' } },
        },
      },
      documents: {
        name: 'item',
        items: {
          name: 'item',
          members: {
            name: { name: 'item' },
            href: { name: 'href', kind: 'address' },
            title: { name: 'item' },
          },
        },
      },
    },
  },
  getIndexV2: {
    name: 'index',
    members: {
      version: { name: 'version_name' },
      resources: {
        name: 'item',
        items: {
          name: 'item',
          members: {
            name: { name: 'item' },
            href: { name: 'href', kind: 'address' },
            title: { name: 'item' },
            methods: { name: 'item', items: { name: 'item' } },
          },
        },
      },
      versions: {
        name: 'item',
        items: {
          name: 'item',
          members: { version: { name: 'version_name' }, href: { name: 'href', kind: 'address' } },
        },
      },
      documents: {
        name: 'item',
        items: {
          name: 'item',
          members: {
            name: { name: 'item' },
            href: { name: 'href', kind: 'address' },
            title: { name: 'item' },
          },
        },
      },
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
  getMeV2: {
    name: 'user_v2',
    members: {
      id: { name: 'id' },
      name: { name: 'user_name' },
      email: { name: 'email' },
      created_at: { name: 'created_at', kind: 'time' },
      updated_at: { name: 'updated_at', kind: 'time' },
    },
    links: {
      self: { operation: 'getUserV2', parameters: { id: 'id' } },
      orders: { operation: 'listUserOrdersV2', parameters: { id: 'id' } },
      keys: { operation: 'listApiKeysV2', parameters: { user_id: 'id' } },
      identities: { operation: 'listIdentitiesV2', parameters: { user_id: 'id' } },
    },
  },
  getOrder: {
    name: 'order',
    members: {
      id: { name: 'id' },
      user_id: { name: 'order_owner' },
      status: { name: 'order_status' },
      total: { name: 'amount', kind: 'money' },
      created_at: { name: 'created_at', kind: 'time' },
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
  getOrderV2: {
    name: 'order_v2',
    members: {
      id: { name: 'id' },
      user_id: { name: 'order_owner' },
      status: { name: 'order_status' },
      total: {
        name: 'money',
        members: { amount: { name: 'item' }, currency: { name: 'currency' } },
        kind: 'money',
      },
      created_at: { name: 'created_at', kind: 'time' },
      updated_at: { name: 'updated_at', kind: 'time' },
      items: {
        name: 'item',
        items: {
          name: 'order_item_v2',
          members: {
            product_id: { name: 'id' },
            name: { name: 'product_name' },
            unit_price: {
              name: 'money',
              members: { amount: { name: 'item' }, currency: { name: 'currency' } },
              kind: 'money',
            },
            quantity: { name: 'quantity' },
            total: {
              name: 'money',
              members: { amount: { name: 'item' }, currency: { name: 'currency' } },
              kind: 'money',
            },
          },
          links: { product: { operation: 'getProductV2', parameters: { id: 'product_id' } } },
        },
      },
    },
    links: {
      self: { operation: 'getOrderV2', parameters: { id: 'id' } },
      user: { operation: 'getUserV2', parameters: { id: 'user_id' } },
    },
  },
  getOrdersSummary: {
    name: 'orders_summary',
    members: {
      at: { name: 'item', kind: 'time' },
      cursor: { name: 'cursor' },
      statuses: {
        name: 'item',
        items: {
          name: 'orders_of_status',
          members: {
            status: { name: 'order_status' },
            orders: { name: 'number_of_orders' },
            total: {
              name: 'money',
              members: { amount: { name: 'item' }, currency: { name: 'currency' } },
              kind: 'money',
            },
          },
        },
      },
      minutes: {
        name: 'item',
        items: {
          name: 'orders_of_minute',
          members: { start: { name: 'item', kind: 'time' }, orders: { name: 'number_of_orders' } },
        },
      },
      days: {
        name: 'item',
        items: {
          name: 'orders_of_day',
          members: {
            date: { name: 'item' },
            orders: { name: 'number_of_orders' },
            revenue: {
              name: 'money',
              members: { amount: { name: 'item' }, currency: { name: 'currency' } },
              kind: 'money',
            },
          },
        },
      },
    },
  },
  getProblemType: {
    name: 'problem_type',
    members: {
      type: { name: 'item', kind: 'address' },
      code: { name: 'problem_code' },
      title: { name: 'item' },
      status: { name: 'problem_status' },
      description: { name: 'item' },
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
  getProductStockV2: { name: 'product_stock', members: { quantity: { name: 'stock_quantity' } } },
  getProductV2: {
    name: 'product_v2',
    members: {
      id: { name: 'id' },
      name: { name: 'product_name' },
      description: { name: 'product_description' },
      price: {
        name: 'money',
        members: { amount: { name: 'item' }, currency: { name: 'currency' } },
        kind: 'money',
      },
      in_stock: { name: 'item' },
      created_at: { name: 'created_at', kind: 'time' },
      updated_at: { name: 'updated_at', kind: 'time' },
    },
    links: {
      self: { operation: 'getProductV2', parameters: { id: 'id' } },
      stock: { operation: 'getProductStockV2', parameters: { id: 'id' } },
    },
  },
  getSigningKey: {
    name: 'signing_key',
    members: {
      id: { name: 'id' },
      kid: { name: 'item' },
      created_at: { name: 'created_at', kind: 'time' },
      good_until: { name: 'item', kind: 'time', whenNull: 'still signs' },
    },
    links: { self: { operation: 'getSigningKey', parameters: { id: 'id' } } },
  },
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
  getUserV2: {
    name: 'user_v2',
    members: {
      id: { name: 'id' },
      name: { name: 'user_name' },
      email: { name: 'email' },
      created_at: { name: 'created_at', kind: 'time' },
      updated_at: { name: 'updated_at', kind: 'time' },
    },
    links: {
      self: { operation: 'getUserV2', parameters: { id: 'id' } },
      orders: { operation: 'listUserOrdersV2', parameters: { id: 'id' } },
      keys: { operation: 'listApiKeysV2', parameters: { user_id: 'id' } },
      identities: { operation: 'listIdentitiesV2', parameters: { user_id: 'id' } },
    },
  },
  listApiKeys: {
    name: 'api_key_list',
    items: {
      name: 'api_key',
      members: {
        id: { name: 'id' },
        name: { name: 'key_name' },
        user_id: { name: 'key_owner' },
        scopes: { name: 'granted_scopes', items: { name: 'scope' } },
        created_at: { name: 'created_at', kind: 'time' },
        expires_at: { name: 'expires_at', kind: 'time', whenNull: 'never' },
        last_used_at: { name: 'last_used_at', kind: 'time', whenNull: 'never' },
        revoked_at: { name: 'revoked_at', kind: 'time', whenNull: 'never' },
      },
      links: {
        self: { operation: 'getApiKey', parameters: { id: 'id' } },
        user: { operation: 'getUser', parameters: { id: 'user_id' } },
      },
    },
  },
  listApiKeysV2: {
    name: 'api_key_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'api_key',
          members: {
            id: { name: 'id' },
            name: { name: 'key_name' },
            user_id: { name: 'key_owner' },
            scopes: { name: 'granted_scopes', items: { name: 'scope' } },
            created_at: { name: 'created_at', kind: 'time' },
            expires_at: { name: 'expires_at', kind: 'time', whenNull: 'never' },
            last_used_at: { name: 'last_used_at', kind: 'time', whenNull: 'never' },
            revoked_at: { name: 'revoked_at', kind: 'time', whenNull: 'never' },
          },
          links: {
            self: { operation: 'getApiKey', parameters: { id: 'id' } },
            user: { operation: 'getUser', parameters: { id: 'user_id' } },
          },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
      },
    },
  },
  listClients: {
    name: 'client_list',
    items: {
      name: 'client',
      members: {
        id: { name: 'id' },
        client_id: { name: 'client_id' },
        name: { name: 'client_name' },
        confidential: { name: 'is_confidential' },
        redirect_uris: { name: 'known_redirect_uris', items: { name: 'redirect_uri' } },
        grant_types: { name: 'grant_types', items: { name: 'grant_type' } },
        scopes: { name: 'maximum_scopes', items: { name: 'scope' } },
        may_introspect: { name: 'can_introspect' },
        created_at: { name: 'created_at', kind: 'time' },
        revoked_at: { name: 'revoked_at', kind: 'time', whenNull: 'never' },
      },
      links: { self: { operation: 'getClient', parameters: { id: 'id' } } },
    },
  },
  listClientsV2: {
    name: 'client_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'client',
          members: {
            id: { name: 'id' },
            client_id: { name: 'client_id' },
            name: { name: 'client_name' },
            confidential: { name: 'is_confidential' },
            redirect_uris: { name: 'known_redirect_uris', items: { name: 'redirect_uri' } },
            grant_types: { name: 'grant_types', items: { name: 'grant_type' } },
            scopes: { name: 'maximum_scopes', items: { name: 'scope' } },
            may_introspect: { name: 'can_introspect' },
            created_at: { name: 'created_at', kind: 'time' },
            revoked_at: { name: 'revoked_at', kind: 'time', whenNull: 'never' },
          },
          links: { self: { operation: 'getClient', parameters: { id: 'id' } } },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
      },
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
            entity: { name: 'event_entity' },
            entity_id: { name: 'id' },
            version: { name: 'event_version' },
            occurred_at: { name: 'occurred_at', kind: 'time' },
            actor: {
              name: 'event_actor',
              members: { kind: { name: 'item' }, user_id: { name: 'item' } },
              links: { user: { operation: 'getUser', parameters: { id: 'user_id' } } },
            },
            data: {
              name: 'order',
              members: {
                id: { name: 'id' },
                user_id: { name: 'order_owner' },
                status: { name: 'order_status' },
                total: { name: 'amount', kind: 'money' },
                created_at: { name: 'created_at', kind: 'time' },
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
  listEventsV2: {
    name: 'event_page_v2',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'event_v2',
          members: {
            cursor: { name: 'cursor' },
            type: { name: 'event_type' },
            entity: { name: 'event_entity' },
            entity_id: { name: 'id' },
            version: { name: 'event_version' },
            occurred_at: { name: 'occurred_at', kind: 'time' },
            actor: {
              name: 'event_actor',
              members: { kind: { name: 'item' }, user_id: { name: 'item' } },
              links: { user: { operation: 'getUser', parameters: { id: 'user_id' } } },
            },
            data: {
              name: 'order_v2',
              members: {
                id: { name: 'id' },
                user_id: { name: 'order_owner' },
                status: { name: 'order_status' },
                total: {
                  name: 'money',
                  members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                  kind: 'money',
                },
                created_at: { name: 'created_at', kind: 'time' },
                updated_at: { name: 'updated_at', kind: 'time' },
                items: {
                  name: 'item',
                  items: {
                    name: 'order_item_v2',
                    members: {
                      product_id: { name: 'id' },
                      name: { name: 'product_name' },
                      unit_price: {
                        name: 'money',
                        members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                        kind: 'money',
                      },
                      quantity: { name: 'quantity' },
                      total: {
                        name: 'money',
                        members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                        kind: 'money',
                      },
                    },
                    links: { product: { operation: 'getProductV2', parameters: { id: 'product_id' } } },
                  },
                },
                name: { name: 'user_name' },
                description: { name: 'product_description' },
                price: {
                  name: 'money',
                  members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                  kind: 'money',
                },
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
        created_at: { name: 'created_at', kind: 'time' },
      },
      links: {
        self: { operation: 'getIdentity', parameters: { id: 'id' } },
        user: { operation: 'getUser', parameters: { id: 'user_id' } },
      },
    },
  },
  listIdentitiesV2: {
    name: 'identity_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'identity',
          members: {
            id: { name: 'id' },
            issuer: { name: 'issuer' },
            subject: { name: 'subject' },
            user_id: { name: 'id' },
            created_at: { name: 'created_at', kind: 'time' },
          },
          links: {
            self: { operation: 'getIdentity', parameters: { id: 'id' } },
            user: { operation: 'getUser', parameters: { id: 'user_id' } },
          },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
      },
    },
  },
  listImportRefusals: {
    name: 'import_refusal_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'import_refusal',
          members: {
            id: { name: 'id' },
            line: { name: 'row_count' },
            column: { name: 'item' },
            value: { name: 'item' },
            detail: { name: 'item' },
            code: { name: 'item' },
          },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
      },
    },
  },
  listImports: {
    name: 'import_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'import',
          members: {
            id: { name: 'id' },
            kind: { name: 'item' },
            format: { name: 'item' },
            rehearsal: { name: 'item' },
            events: { name: 'item' },
            order_lines: { name: 'item' },
            source: { name: 'item' },
            state: { name: 'item' },
            problem: { name: 'item' },
            problem_line: { name: 'item' },
            bytes: { name: 'row_count' },
            parts: { name: 'row_count' },
            rows: { name: 'row_count' },
            rows_done: { name: 'row_count' },
            read: { name: 'row_count' },
            order_items: { name: 'row_count' },
            created: { name: 'row_count' },
            updated: { name: 'row_count' },
            unchanged: { name: 'row_count' },
            skipped: { name: 'row_count' },
            repeated: { name: 'row_count' },
            refused: { name: 'row_count' },
            created_at: { name: 'created_at', kind: 'time' },
            started_at: { name: 'item', kind: 'time', whenNull: 'not begun' },
            ended_at: { name: 'item', kind: 'time', whenNull: 'not yet' },
          },
          links: {
            self: { operation: 'getImport', parameters: { id: 'id' } },
            refusals: { operation: 'listImportRefusals', parameters: { id: 'id' } },
          },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
      },
    },
  },
  listOrders: {
    name: 'order_list',
    items: {
      name: 'order',
      members: {
        id: { name: 'id' },
        user_id: { name: 'order_owner' },
        status: { name: 'order_status' },
        total: { name: 'amount', kind: 'money' },
        created_at: { name: 'created_at', kind: 'time' },
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
  listOrdersV2: {
    name: 'order_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'order_v2',
          members: {
            id: { name: 'id' },
            user_id: { name: 'order_owner' },
            status: { name: 'order_status' },
            total: {
              name: 'money',
              members: { amount: { name: 'item' }, currency: { name: 'currency' } },
              kind: 'money',
            },
            created_at: { name: 'created_at', kind: 'time' },
            updated_at: { name: 'updated_at', kind: 'time' },
            items: {
              name: 'item',
              items: {
                name: 'order_item_v2',
                members: {
                  product_id: { name: 'id' },
                  name: { name: 'product_name' },
                  unit_price: {
                    name: 'money',
                    members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                    kind: 'money',
                  },
                  quantity: { name: 'quantity' },
                  total: {
                    name: 'money',
                    members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                    kind: 'money',
                  },
                },
                links: { product: { operation: 'getProductV2', parameters: { id: 'product_id' } } },
              },
            },
          },
          links: {
            self: { operation: 'getOrderV2', parameters: { id: 'id' } },
            user: { operation: 'getUserV2', parameters: { id: 'user_id' } },
          },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
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
  listProductsV2: {
    name: 'product_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'product_v2',
          members: {
            id: { name: 'id' },
            name: { name: 'product_name' },
            description: { name: 'product_description' },
            price: {
              name: 'money',
              members: { amount: { name: 'item' }, currency: { name: 'currency' } },
              kind: 'money',
            },
            in_stock: { name: 'item' },
            created_at: { name: 'created_at', kind: 'time' },
            updated_at: { name: 'updated_at', kind: 'time' },
          },
          links: {
            self: { operation: 'getProductV2', parameters: { id: 'id' } },
            stock: { operation: 'getProductStockV2', parameters: { id: 'id' } },
          },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
      },
    },
  },
  listSigningKeys: {
    name: 'signing_key_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'signing_key',
          members: {
            id: { name: 'id' },
            kid: { name: 'item' },
            created_at: { name: 'created_at', kind: 'time' },
            good_until: { name: 'item', kind: 'time', whenNull: 'still signs' },
          },
          links: { self: { operation: 'getSigningKey', parameters: { id: 'id' } } },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
      },
    },
  },
  listUserOrders: {
    name: 'order_list',
    items: {
      name: 'order',
      members: {
        id: { name: 'id' },
        user_id: { name: 'order_owner' },
        status: { name: 'order_status' },
        total: { name: 'amount', kind: 'money' },
        created_at: { name: 'created_at', kind: 'time' },
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
  listUserOrdersV2: {
    name: 'order_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'order_v2',
          members: {
            id: { name: 'id' },
            user_id: { name: 'order_owner' },
            status: { name: 'order_status' },
            total: {
              name: 'money',
              members: { amount: { name: 'item' }, currency: { name: 'currency' } },
              kind: 'money',
            },
            created_at: { name: 'created_at', kind: 'time' },
            updated_at: { name: 'updated_at', kind: 'time' },
            items: {
              name: 'item',
              items: {
                name: 'order_item_v2',
                members: {
                  product_id: { name: 'id' },
                  name: { name: 'product_name' },
                  unit_price: {
                    name: 'money',
                    members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                    kind: 'money',
                  },
                  quantity: { name: 'quantity' },
                  total: {
                    name: 'money',
                    members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                    kind: 'money',
                  },
                },
                links: { product: { operation: 'getProductV2', parameters: { id: 'product_id' } } },
              },
            },
          },
          links: {
            self: { operation: 'getOrderV2', parameters: { id: 'id' } },
            user: { operation: 'getUserV2', parameters: { id: 'user_id' } },
          },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
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
  listUsersV2: {
    name: 'user_page',
    members: {
      data: {
        name: 'item',
        items: {
          name: 'user_v2',
          members: {
            id: { name: 'id' },
            name: { name: 'user_name' },
            email: { name: 'email' },
            created_at: { name: 'created_at', kind: 'time' },
            updated_at: { name: 'updated_at', kind: 'time' },
          },
          links: {
            self: { operation: 'getUserV2', parameters: { id: 'id' } },
            orders: { operation: 'listUserOrdersV2', parameters: { id: 'id' } },
            keys: { operation: 'listApiKeysV2', parameters: { user_id: 'id' } },
            identities: { operation: 'listIdentitiesV2', parameters: { user_id: 'id' } },
          },
        },
      },
      page: {
        name: 'page_info',
        members: { next: { name: 'item' }, previous: { name: 'item' }, total: { name: 'item' } },
      },
    },
  },
};
