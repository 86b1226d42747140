// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { OperationId } from './operations.js';

/** The facts about an operation that its page for browsers shows, in addition to the answer. */
export interface Browsable {
  readonly summary: string;
  /** The values of `?format=`; empty if the operation has no such parameter. */
  readonly formats: readonly string[];
  /** The other parameters of the query. */
  readonly filters: readonly Filter[];
}

export interface Filter {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'time' | 'choice' | 'choices';
  readonly description: string;
  readonly required: boolean;
  /** The values to choose from. */
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly maxLength?: number;
  /** The value that counts if the parameter is left out. */
  readonly initial?: string;
}

export const VIEWS: { readonly [K in OperationId]?: Browsable } = {
  getApiKey: { summary: 'Get one API key', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getApiKeyV2: { summary: 'Get one API key', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getClient: { summary: 'Get one client', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getClientV2: { summary: 'Get one client', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getCredential: {
    summary: 'Get the credential of the request',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [],
  },
  getIdentity: { summary: 'Get one link', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getIdentityV2: { summary: 'Get one link', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getIndex: { summary: 'Get the index of version 1', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getIndexV2: {
    summary: 'Get the index of version 2',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [],
  },
  getMe: { summary: 'Get the user of the credential', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getMeV2: {
    summary: 'Get the user of the credential',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [],
  },
  getOrder: { summary: 'Get one order', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getOrderV2: { summary: 'Get one order', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getOrdersSummary: { summary: 'Sum up the orders', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getProblemType: {
    summary: 'Get one kind of problem',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [],
  },
  getProduct: { summary: 'Get one product', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getProductStock: {
    summary: 'Get the counted stock of a product',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [],
  },
  getProductStockV2: {
    summary: 'Get the counted stock of a product',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [],
  },
  getProductV2: { summary: 'Get one product', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getUser: { summary: 'Get one user', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  getUserByShortAddress: {
    summary: 'Get one user by the short address',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [],
  },
  getUserV2: { summary: 'Get one user', formats: ['json', 'xml', 'yaml', 'html'], filters: [] },
  listApiKeys: {
    summary: 'List API keys',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'page',
        kind: 'integer',
        description: 'The number of the page, counted from 1.',
        required: false,
        minimum: 1,
        maximum: 2147483647,
        initial: '1',
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'user_id',
        kind: 'integer',
        description: 'Only keys of this user.',
        required: false,
        minimum: 1,
        maximum: 9007199254740991,
      },
    ],
  },
  listApiKeysV2: {
    summary: 'List API keys',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'cursor',
        kind: 'text',
        description:
          '`page.next` or `page.previous` of a page of this list; if it is left out, the response is the first page. It is valid only with the same filter, order and rights; otherwise it is refused with 400.',
        required: false,
        maxLength: 2000,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'user_id',
        kind: 'integer',
        description: 'Only keys of this user.',
        required: false,
        minimum: 1,
        maximum: 9007199254740991,
      },
    ],
  },
  listClients: {
    summary: 'List clients',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'page',
        kind: 'integer',
        description: 'The number of the page, counted from 1.',
        required: false,
        minimum: 1,
        maximum: 2147483647,
        initial: '1',
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
    ],
  },
  listClientsV2: {
    summary: 'List clients',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'cursor',
        kind: 'text',
        description:
          '`page.next` or `page.previous` of a page of this list; if it is left out, the response is the first page. It is valid only with the same filter, order and rights; otherwise it is refused with 400.',
        required: false,
        maxLength: 2000,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
    ],
  },
  listEvents: {
    summary: 'Read or follow the events',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [
      {
        name: 'after',
        kind: 'text',
        description: 'A cursor. The response has the events after it.',
        required: false,
        maxLength: 16,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of events of the log that a page reads. A stream has no end.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'type',
        kind: 'choices',
        description: 'Only events of these types.',
        required: false,
        values: [
          'order.created',
          'order.status_changed',
          'order.updated',
          'product.created',
          'product.updated',
          'product.deleted',
          'user.created',
          'user.updated',
          'user.deleted',
          'user.anonymised',
        ],
      },
    ],
  },
  listEventsV2: {
    summary: 'Read or follow the events',
    formats: ['json', 'xml', 'yaml', 'html'],
    filters: [
      {
        name: 'after',
        kind: 'text',
        description: 'A cursor. The response has the events after it.',
        required: false,
        maxLength: 16,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of events of the log that a page reads. A stream has no end.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'type',
        kind: 'choices',
        description: 'Only events of these types.',
        required: false,
        values: [
          'order.created',
          'order.status_changed',
          'order.updated',
          'product.created',
          'product.updated',
          'product.deleted',
          'user.created',
          'user.updated',
          'user.deleted',
          'user.anonymised',
        ],
      },
    ],
  },
  listIdentities: {
    summary: 'List links to outside issuers',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'page',
        kind: 'integer',
        description: 'The number of the page, counted from 1.',
        required: false,
        minimum: 1,
        maximum: 2147483647,
        initial: '1',
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'user_id',
        kind: 'integer',
        description: 'Only links of this user.',
        required: false,
        minimum: 1,
        maximum: 9007199254740991,
      },
    ],
  },
  listIdentitiesV2: {
    summary: 'List links to outside issuers',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'cursor',
        kind: 'text',
        description:
          '`page.next` or `page.previous` of a page of this list; if it is left out, the response is the first page. It is valid only with the same filter, order and rights; otherwise it is refused with 400.',
        required: false,
        maxLength: 2000,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'user_id',
        kind: 'integer',
        description: 'Only links of this user.',
        required: false,
        minimum: 1,
        maximum: 9007199254740991,
      },
    ],
  },
  listOrders: {
    summary: 'List orders',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'page',
        kind: 'integer',
        description: 'The number of the page, counted from 1.',
        required: false,
        minimum: 1,
        maximum: 2147483647,
        initial: '1',
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'sort',
        kind: 'choices',
        description:
          'The sort keys, the first key first. A leading `-` reverses a key. Equal rows are in ascending order of id.',
        required: false,
        values: ['id', '-id', 'created_at', '-created_at'],
      },
      {
        name: 'status',
        kind: 'choice',
        description: 'Only orders in this status.',
        required: false,
        values: ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'],
      },
      {
        name: 'user_id',
        kind: 'integer',
        description: 'Only orders of this user.',
        required: false,
        minimum: 1,
        maximum: 9007199254740991,
      },
      {
        name: 'created_after',
        kind: 'time',
        description: 'Only orders that were placed after this time.',
        required: false,
        maxLength: 40,
      },
      {
        name: 'created_before',
        kind: 'time',
        description: 'Only orders that were placed before this time.',
        required: false,
        maxLength: 40,
      },
    ],
  },
  listOrdersV2: {
    summary: 'List orders',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'cursor',
        kind: 'text',
        description:
          '`page.next` or `page.previous` of a page of this list; if it is left out, the response is the first page. It is valid only with the same filter, order and rights; otherwise it is refused with 400.',
        required: false,
        maxLength: 2000,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'sort',
        kind: 'choices',
        description:
          'The sort keys, the first key first. A leading `-` reverses a key. Equal rows are in ascending order of id.',
        required: false,
        values: ['id', '-id', 'created_at', '-created_at'],
      },
      {
        name: 'status',
        kind: 'choice',
        description: 'Only orders in this status.',
        required: false,
        values: ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'],
      },
      {
        name: 'user_id',
        kind: 'integer',
        description: 'Only orders of this user.',
        required: false,
        minimum: 1,
        maximum: 9007199254740991,
      },
      {
        name: 'created_after',
        kind: 'time',
        description: 'Only orders that were placed after this time.',
        required: false,
        maxLength: 40,
      },
      {
        name: 'created_before',
        kind: 'time',
        description: 'Only orders that were placed before this time.',
        required: false,
        maxLength: 40,
      },
    ],
  },
  listProducts: {
    summary: 'List products',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'page',
        kind: 'integer',
        description: 'The number of the page, counted from 1.',
        required: false,
        minimum: 1,
        maximum: 2147483647,
        initial: '1',
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'sort',
        kind: 'choices',
        description:
          'The sort keys, the first key first. A leading `-` reverses a key. Text is sorted by code point. Equal rows are in ascending order of id.',
        required: false,
        values: ['id', '-id', 'name', '-name', 'price', '-price'],
      },
      {
        name: 'q',
        kind: 'text',
        description: 'Only products whose name contains this text. Case and accents are ignored.',
        required: false,
        maxLength: 100,
      },
      {
        name: 'in_stock',
        kind: 'boolean',
        description: 'Only products that are in stock (`true`) or not in stock (`false`).',
        required: false,
      },
      {
        name: 'min_price',
        kind: 'number',
        description: 'Only products at this price or above.',
        required: false,
        minimum: 0,
        maximum: 10000000,
        step: 0.01,
      },
      {
        name: 'max_price',
        kind: 'number',
        description: 'Only products at this price or below.',
        required: false,
        minimum: 0,
        maximum: 10000000,
        step: 0.01,
      },
      {
        name: 'fields',
        kind: 'choices',
        description: 'Only these members of each product, in the order of the full representation.',
        required: false,
        values: ['id', 'name', 'price', 'in_stock'],
      },
    ],
  },
  listProductsV2: {
    summary: 'List products',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'cursor',
        kind: 'text',
        description:
          '`page.next` or `page.previous` of a page of this list; if it is left out, the response is the first page. It is valid only with the same filter, order and rights; otherwise it is refused with 400.',
        required: false,
        maxLength: 2000,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'sort',
        kind: 'choices',
        description:
          'The sort keys, the first key first. A leading `-` reverses a key. Text is sorted by code point. Equal rows are in ascending order of id.',
        required: false,
        values: ['id', '-id', 'name', '-name', 'price', '-price'],
      },
      {
        name: 'q',
        kind: 'text',
        description: 'Only products whose name contains this text. Case and accents are ignored.',
        required: false,
        maxLength: 100,
      },
      {
        name: 'in_stock',
        kind: 'boolean',
        description: 'Only products that are in stock (`true`) or not in stock (`false`).',
        required: false,
      },
      {
        name: 'min_price',
        kind: 'number',
        description: 'Only products at this price or above.',
        required: false,
        minimum: 0,
        maximum: 10000000,
        step: 0.01,
      },
      {
        name: 'max_price',
        kind: 'number',
        description: 'Only products at this price or below.',
        required: false,
        minimum: 0,
        maximum: 10000000,
        step: 0.01,
      },
      {
        name: 'fields',
        kind: 'choices',
        description: 'Only these members of each product, in the order of the full representation.',
        required: false,
        values: ['id', 'name', 'description', 'price', 'in_stock', 'created_at', 'updated_at'],
      },
    ],
  },
  listUserOrders: {
    summary: 'List the orders of a user',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'page',
        kind: 'integer',
        description: 'The number of the page, counted from 1.',
        required: false,
        minimum: 1,
        maximum: 2147483647,
        initial: '1',
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
    ],
  },
  listUserOrdersV2: {
    summary: 'List the orders of a user',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'cursor',
        kind: 'text',
        description:
          '`page.next` or `page.previous` of a page of this list; if it is left out, the response is the first page. It is valid only with the same filter, order and rights; otherwise it is refused with 400.',
        required: false,
        maxLength: 2000,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
    ],
  },
  listUsers: {
    summary: 'List users',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'page',
        kind: 'integer',
        description: 'The number of the page, counted from 1.',
        required: false,
        minimum: 1,
        maximum: 2147483647,
        initial: '1',
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'email',
        kind: 'text',
        description: 'Only the user with this e-mail address. Case is ignored.',
        required: false,
        maxLength: 254,
      },
    ],
  },
  listUsersV2: {
    summary: 'List users',
    formats: ['json', 'xml', 'yaml', 'html', 'csv'],
    filters: [
      {
        name: 'cursor',
        kind: 'text',
        description:
          '`page.next` or `page.previous` of a page of this list; if it is left out, the response is the first page. It is valid only with the same filter, order and rights; otherwise it is refused with 400.',
        required: false,
        maxLength: 2000,
      },
      {
        name: 'limit',
        kind: 'integer',
        description: 'The number of items on a page.',
        required: false,
        minimum: 1,
        maximum: 100,
        initial: '20',
      },
      {
        name: 'email',
        kind: 'text',
        description: 'Only the user with this e-mail address. Case is ignored.',
        required: false,
        maxLength: 254,
      },
    ],
  },
};
