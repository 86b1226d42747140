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
}

export const BODIES: { readonly [K in OperationId]?: Body } = {
  exportOrders: {
    name: 'order_export',
    items: {
      name: 'order',
      members: {
        id: { name: 'id' },
        user_id: { name: 'item' },
        status: { name: 'order_status' },
        total: { name: 'amount' },
        created_at: { name: 'item' },
        items: {
          name: 'item',
          items: {
            name: 'order_item',
            members: {
              product_id: { name: 'id' },
              name: { name: 'product_name' },
              unit_price: { name: 'price' },
              quantity: { name: 'quantity' },
              total: { name: 'amount' },
            },
          },
        },
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
        price: { name: 'price' },
        in_stock: { name: 'item' },
      },
    },
  },
  exportUsers: {
    name: 'user_export',
    items: {
      name: 'user',
      members: { id: { name: 'id' }, name: { name: 'user_name' }, email: { name: 'email' } },
    },
  },
  getApiKey: {
    name: 'api_key',
    members: {
      id: { name: 'id' },
      name: { name: 'key_name' },
      user_id: { name: 'item' },
      scopes: { name: 'item', items: { name: 'scope' } },
      created_at: { name: 'item' },
      expires_at: { name: 'item' },
      last_used_at: { name: 'item' },
      revoked_at: { name: 'item' },
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
      created_at: { name: 'item' },
      revoked_at: { name: 'item' },
    },
  },
  getIdentity: {
    name: 'identity',
    members: {
      id: { name: 'id' },
      issuer: { name: 'issuer' },
      subject: { name: 'subject' },
      user_id: { name: 'id' },
      created_at: { name: 'item' },
    },
  },
  getMe: {
    name: 'user_envelope',
    members: {
      user: {
        name: 'user',
        members: { id: { name: 'id' }, name: { name: 'user_name' }, email: { name: 'email' } },
      },
    },
  },
  getMeV2: {
    name: 'user_v2',
    members: {
      id: { name: 'id' },
      name: { name: 'user_name' },
      email: { name: 'email' },
      created_at: { name: 'item' },
      updated_at: { name: 'item' },
    },
  },
  getOrder: {
    name: 'order',
    members: {
      id: { name: 'id' },
      user_id: { name: 'item' },
      status: { name: 'order_status' },
      total: { name: 'amount' },
      created_at: { name: 'item' },
      items: {
        name: 'item',
        items: {
          name: 'order_item',
          members: {
            product_id: { name: 'id' },
            name: { name: 'product_name' },
            unit_price: { name: 'price' },
            quantity: { name: 'quantity' },
            total: { name: 'amount' },
          },
        },
      },
    },
  },
  getOrderV2: {
    name: 'order_v2',
    members: {
      id: { name: 'id' },
      user_id: { name: 'item' },
      status: { name: 'order_status' },
      total: { name: 'money', members: { amount: { name: 'item' }, currency: { name: 'currency' } } },
      created_at: { name: 'item' },
      updated_at: { name: 'item' },
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
            },
            quantity: { name: 'quantity' },
            total: { name: 'money', members: { amount: { name: 'item' }, currency: { name: 'currency' } } },
          },
        },
      },
    },
  },
  getProduct: {
    name: 'product',
    members: {
      id: { name: 'id' },
      name: { name: 'product_name' },
      price: { name: 'price' },
      in_stock: { name: 'item' },
    },
  },
  getProductStock: { name: 'product_stock', members: { quantity: { name: 'stock_quantity' } } },
  getProductV2: {
    name: 'product_v2',
    members: {
      id: { name: 'id' },
      name: { name: 'product_name' },
      description: { name: 'product_description' },
      price: { name: 'money', members: { amount: { name: 'item' }, currency: { name: 'currency' } } },
      in_stock: { name: 'item' },
      created_at: { name: 'item' },
      updated_at: { name: 'item' },
    },
  },
  getUser: {
    name: 'user_envelope',
    members: {
      user: {
        name: 'user',
        members: { id: { name: 'id' }, name: { name: 'user_name' }, email: { name: 'email' } },
      },
    },
  },
  getUserByShortAddress: {
    name: 'user_envelope',
    members: {
      user: {
        name: 'user',
        members: { id: { name: 'id' }, name: { name: 'user_name' }, email: { name: 'email' } },
      },
    },
  },
  getUserV2: {
    name: 'user_v2',
    members: {
      id: { name: 'id' },
      name: { name: 'user_name' },
      email: { name: 'email' },
      created_at: { name: 'item' },
      updated_at: { name: 'item' },
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
        created_at: { name: 'item' },
        expires_at: { name: 'item' },
        last_used_at: { name: 'item' },
        revoked_at: { name: 'item' },
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
            user_id: { name: 'item' },
            scopes: { name: 'item', items: { name: 'scope' } },
            created_at: { name: 'item' },
            expires_at: { name: 'item' },
            last_used_at: { name: 'item' },
            revoked_at: { name: 'item' },
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
        client_id: { name: 'item' },
        name: { name: 'client_name' },
        confidential: { name: 'item' },
        redirect_uris: { name: 'item', items: { name: 'redirect_uri' } },
        grant_types: { name: 'item', items: { name: 'grant_type' } },
        scopes: { name: 'item', items: { name: 'scope' } },
        may_introspect: { name: 'item' },
        created_at: { name: 'item' },
        revoked_at: { name: 'item' },
      },
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
            client_id: { name: 'item' },
            name: { name: 'client_name' },
            confidential: { name: 'item' },
            redirect_uris: { name: 'item', items: { name: 'redirect_uri' } },
            grant_types: { name: 'item', items: { name: 'grant_type' } },
            scopes: { name: 'item', items: { name: 'scope' } },
            may_introspect: { name: 'item' },
            created_at: { name: 'item' },
            revoked_at: { name: 'item' },
          },
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
            entity: { name: 'item' },
            entity_id: { name: 'id' },
            version: { name: 'item' },
            occurred_at: { name: 'item' },
            actor: { name: 'event_actor', members: { kind: { name: 'item' }, user_id: { name: 'item' } } },
            data: {
              name: 'order',
              members: {
                id: { name: 'id' },
                user_id: { name: 'item' },
                status: { name: 'order_status' },
                total: { name: 'amount' },
                created_at: { name: 'item' },
                items: {
                  name: 'item',
                  items: {
                    name: 'order_item',
                    members: {
                      product_id: { name: 'id' },
                      name: { name: 'product_name' },
                      unit_price: { name: 'price' },
                      quantity: { name: 'quantity' },
                      total: { name: 'amount' },
                    },
                  },
                },
                name: { name: 'user_name' },
                price: { name: 'price' },
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
        created_at: { name: 'item' },
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
            created_at: { name: 'item' },
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
        user_id: { name: 'item' },
        status: { name: 'order_status' },
        total: { name: 'amount' },
        created_at: { name: 'item' },
        items: {
          name: 'item',
          items: {
            name: 'order_item',
            members: {
              product_id: { name: 'id' },
              name: { name: 'product_name' },
              unit_price: { name: 'price' },
              quantity: { name: 'quantity' },
              total: { name: 'amount' },
            },
          },
        },
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
            user_id: { name: 'item' },
            status: { name: 'order_status' },
            total: { name: 'money', members: { amount: { name: 'item' }, currency: { name: 'currency' } } },
            created_at: { name: 'item' },
            updated_at: { name: 'item' },
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
                  },
                  quantity: { name: 'quantity' },
                  total: {
                    name: 'money',
                    members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                  },
                },
              },
            },
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
        price: { name: 'price' },
        in_stock: { name: 'item' },
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
            price: { name: 'money', members: { amount: { name: 'item' }, currency: { name: 'currency' } } },
            in_stock: { name: 'item' },
            created_at: { name: 'item' },
            updated_at: { name: 'item' },
          },
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
        user_id: { name: 'item' },
        status: { name: 'order_status' },
        total: { name: 'amount' },
        created_at: { name: 'item' },
        items: {
          name: 'item',
          items: {
            name: 'order_item',
            members: {
              product_id: { name: 'id' },
              name: { name: 'product_name' },
              unit_price: { name: 'price' },
              quantity: { name: 'quantity' },
              total: { name: 'amount' },
            },
          },
        },
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
            user_id: { name: 'item' },
            status: { name: 'order_status' },
            total: { name: 'money', members: { amount: { name: 'item' }, currency: { name: 'currency' } } },
            created_at: { name: 'item' },
            updated_at: { name: 'item' },
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
                  },
                  quantity: { name: 'quantity' },
                  total: {
                    name: 'money',
                    members: { amount: { name: 'item' }, currency: { name: 'currency' } },
                  },
                },
              },
            },
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
            created_at: { name: 'item' },
            updated_at: { name: 'item' },
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
