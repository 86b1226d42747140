// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { OperationId } from './operations.js';

/** A form for people, made from an operation that changes something. */
export interface Form {
  readonly operation: OperationId;
  readonly summary: string;
  readonly description: string;
  /** The parameters of the address that the address of the page does not have. */
  readonly path: readonly Field[];
  /** The parameters of the query. */
  readonly query: readonly Field[];
  /** The members of the body; null if the operation has no body. */
  readonly fields: readonly Field[] | null;
  /** The members of the answer that are shown only once, such as a secret. */
  readonly once: readonly string[];
  /** Whether the operation takes `If-Match`, and whether it takes an `Idempotency-Key`. */
  readonly isConditional: boolean;
  readonly isRepeatable: boolean;
}

export interface Field {
  readonly name: string;
  /** `texts` is a list of texts, `lines` is a list of objects, and `reference` is the id of a row. */
  readonly control:
    | 'text'
    | 'long'
    | 'email'
    | 'secret'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'choice'
    | 'choices'
    | 'time'
    | 'date'
    | 'money'
    | 'texts'
    | 'lines'
    | 'reference';
  readonly required: boolean;
  readonly nullable: boolean;
  readonly description: string;
  /** The values to choose from. */
  readonly values?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The value that counts if the member is left out. */
  readonly initial?: string;
  /** Whether an amount of money is an object in minor units. Otherwise it is a number in major units. */
  readonly isMinor?: boolean;
  /** The members of a line. */
  readonly fields?: readonly Field[];
  readonly refers?: Referred;
}

/** The rows that a reference may name. */
export interface Referred {
  readonly list: OperationId;
  readonly item: OperationId;
  /** The parameter of the list that searches by a text; null if there is none. */
  readonly search: string | null;
}

export const FORMS: { readonly [K in OperationId]?: readonly Form[] } = {
  getApiKey: [
    {
      operation: 'revokeApiKey',
      summary: 'Revoke an API key',
      description:
        'Ends the key permanently and immediately. A WebSocket that was opened with the key is closed before the service sends anything more. The key is still listed, with `revoked_at`. A second revocation changes nothing.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
    {
      operation: 'rotateApiKey',
      summary: 'Give an API key a new secret',
      description:
        'Creates a new secret for the key and shows it once. The present secret stays valid for `overlap_seconds`, so that clients can change to the new secret one by one. A secret from an earlier rotation ends immediately. The caller needs every right that the key has (403). A key that has ended is refused with 409.',
      path: [],
      query: [],
      fields: [
        {
          name: 'overlap_seconds',
          control: 'integer',
          required: false,
          nullable: false,
          description: 'The number of seconds for which the present secret stays valid, at most a week.',
          minimum: 0,
          maximum: 604800,
          initial: '86400',
        },
      ],
      once: ['key'],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  getApiKeyV2: [
    {
      operation: 'revokeApiKeyV2',
      summary: 'Revoke an API key',
      description:
        'Ends the key permanently and immediately. A WebSocket that was opened with the key is closed before the service sends anything more. The key is still listed, with `revoked_at`. A second revocation changes nothing.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
    {
      operation: 'rotateApiKeyV2',
      summary: 'Give an API key a new secret',
      description:
        'Creates a new secret for the key and shows it once. The present secret stays valid for `overlap_seconds`, so that clients can change to the new secret one by one. A secret from an earlier rotation ends immediately. The caller needs every right that the key has (403). A key that has ended is refused with 409.',
      path: [],
      query: [],
      fields: [
        {
          name: 'overlap_seconds',
          control: 'integer',
          required: false,
          nullable: false,
          description: 'The number of seconds for which the present secret stays valid, at most a week.',
          minimum: 0,
          maximum: 604800,
          initial: '86400',
        },
      ],
      once: ['key'],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  getClient: [
    {
      operation: 'revokeClient',
      summary: 'Revoke a client',
      description:
        'Ends the client permanently and immediately, with all its tokens. A WebSocket that was opened with one of these tokens is closed before the service sends anything more. The client is still listed, with `revoked_at`. A second revocation changes nothing.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
    {
      operation: 'rotateClientSecret',
      summary: 'Give a client a new secret',
      description:
        'Creates a new secret for the client and shows it once. The present secret stays valid for `overlap_seconds`, so that programs can change to the new secret one by one. A secret from an earlier rotation ends immediately. The caller needs every right that the client has (403). A client that was revoked, or that is public and has no secret, is refused with 409.',
      path: [],
      query: [],
      fields: [
        {
          name: 'overlap_seconds',
          control: 'integer',
          required: false,
          nullable: false,
          description: 'The number of seconds for which the present secret stays valid, at most a week.',
          minimum: 0,
          maximum: 604800,
          initial: '86400',
        },
      ],
      once: ['client_secret'],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  getClientV2: [
    {
      operation: 'revokeClientV2',
      summary: 'Revoke a client',
      description:
        'Ends the client permanently and immediately, with all its tokens. A WebSocket that was opened with one of these tokens is closed before the service sends anything more. The client is still listed, with `revoked_at`. A second revocation changes nothing.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
    {
      operation: 'rotateClientSecretV2',
      summary: 'Give a client a new secret',
      description:
        'Creates a new secret for the client and shows it once. The present secret stays valid for `overlap_seconds`, so that programs can change to the new secret one by one. A secret from an earlier rotation ends immediately. The caller needs every right that the client has (403). A client that was revoked, or that is public and has no secret, is refused with 409.',
      path: [],
      query: [],
      fields: [
        {
          name: 'overlap_seconds',
          control: 'integer',
          required: false,
          nullable: false,
          description: 'The number of seconds for which the present secret stays valid, at most a week.',
          minimum: 0,
          maximum: 604800,
          initial: '86400',
        },
      ],
      once: ['client_secret'],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  getIdentity: [
    {
      operation: 'deleteIdentity',
      summary: 'Remove a link',
      description:
        "Deletes the link. The issuer's JWTs for this subject no longer belong to the user. This takes effect immediately on this instance and within a second on all instances, also for open WebSockets.",
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
  ],
  getIdentityV2: [
    {
      operation: 'deleteIdentityV2',
      summary: 'Remove a link',
      description:
        "Deletes the link. The issuer's JWTs for this subject no longer belong to the user. This takes effect immediately on this instance and within a second on all instances, also for open WebSockets.",
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
  ],
  getImport: [
    {
      operation: 'cancelImport',
      summary: 'Cancel an import',
      description:
        'Ends the import. An import that is running stops before its next batch of rows. The batches that it has written stay in the store. The import is still listed, as cancelled. If the import has ended already, nothing changes.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
    {
      operation: 'addImportPart',
      summary: 'Send a part of the file',
      description:
        'Stores a part of the file of an import. The first part has the number one. Parts may come in any order. A part that comes again replaces the earlier one. The part with `last` has the highest number. When it comes, all other parts must be there, and the import starts. If no part comes for an hour, the import and its parts are removed.',
      path: [],
      query: [],
      fields: [
        {
          name: 'number',
          control: 'integer',
          required: true,
          nullable: false,
          description: 'The number of the part.',
          minimum: 1,
          maximum: 100000,
        },
        {
          name: 'text',
          control: 'long',
          required: true,
          nullable: false,
          description: 'The text of the part.',
          minLength: 1,
          maxLength: 250000,
        },
        {
          name: 'last',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether this is the last part of the file.',
          initial: 'false',
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  getOrder: [
    {
      operation: 'updateOrder',
      summary: 'Move an order to another status',
      description:
        'Moves the order to another status. `pending` can become `paid` or `cancelled`. `paid` can become `shipped`, `cancelled` or `refunded`. `shipped` can become `delivered`. `delivered` can become `refunded`. Any other change is refused with 409, and `detail` names the possible statuses. A cancellation puts counted pieces back into stock. An order is never deleted. Without `orders:write`, a user may only cancel its own orders while they are pending; any other change is refused with 403.',
      path: [],
      query: [],
      fields: [
        {
          name: 'status',
          control: 'choice',
          required: true,
          nullable: false,
          description: 'The status of an order.',
          values: ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'],
        },
      ],
      once: [],
      isConditional: true,
      isRepeatable: true,
    },
  ],
  getOrderV2: [
    {
      operation: 'updateOrderV2',
      summary: 'Move an order to another status',
      description:
        'Moves the order to another status. `pending` can become `paid` or `cancelled`. `paid` can become `shipped`, `cancelled` or `refunded`. `shipped` can become `delivered`. `delivered` can become `refunded`. Any other change is refused with 409, and `detail` names the possible statuses. A cancellation puts counted pieces back into stock. An order is never deleted. Without `orders:write`, a user may only cancel its own orders while they are pending; any other change is refused with 403.',
      path: [],
      query: [],
      fields: [
        {
          name: 'status',
          control: 'choice',
          required: true,
          nullable: false,
          description: 'The status of an order.',
          values: ['pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'],
        },
      ],
      once: [],
      isConditional: true,
      isRepeatable: true,
    },
  ],
  getProduct: [
    {
      operation: 'updateProduct',
      summary: 'Update a product',
      description:
        'Changes the given members and keeps the others (a merge patch, RFC 7396, or the same as plain JSON). Or applies a JSON patch (RFC 6902).',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: false,
          nullable: false,
          description: 'The name, 1 to 200 characters.',
          minLength: 1,
          maxLength: 200,
        },
        {
          name: 'price',
          control: 'money',
          required: false,
          nullable: false,
          description: "Major units of the store's currency.",
          minimum: 0,
          maximum: 10000000,
          step: 0.01,
          isMinor: false,
        },
        {
          name: 'in_stock',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether the product can be ordered.',
        },
      ],
      once: [],
      isConditional: true,
      isRepeatable: true,
    },
    {
      operation: 'deleteProduct',
      summary: 'Delete a product',
      description:
        'Deletes the product and its stock permanently. Its id is never used again. A second deletion answers 404.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: true,
      isRepeatable: false,
    },
  ],
  getProductStock: [
    {
      operation: 'setProductStock',
      summary: 'Set the counted stock of a product',
      description:
        'Sets the number of pieces. Null stops the counting. A counted product at 0 is shown as not in stock. The stock has its own `ETag`, so a change of the stock does not conflict with a change of the product.',
      path: [],
      query: [],
      fields: [
        {
          name: 'quantity',
          control: 'integer',
          required: true,
          nullable: true,
          description: 'The number of pieces; null when the stock is not counted.',
          minimum: 0,
          maximum: 1000000000,
        },
      ],
      once: [],
      isConditional: true,
      isRepeatable: false,
    },
  ],
  getProductStockV2: [
    {
      operation: 'setProductStockV2',
      summary: 'Set the counted stock of a product',
      description:
        'Sets the number of pieces. Null stops the counting. A counted product at 0 is shown as not in stock. The stock has its own `ETag`, so a change of the stock does not conflict with a change of the product.',
      path: [],
      query: [],
      fields: [
        {
          name: 'quantity',
          control: 'integer',
          required: true,
          nullable: true,
          description: 'The number of pieces; null when the stock is not counted.',
          minimum: 0,
          maximum: 1000000000,
        },
      ],
      once: [],
      isConditional: true,
      isRepeatable: false,
    },
  ],
  getProductV2: [
    {
      operation: 'updateProductV2',
      summary: 'Update a product',
      description:
        'Changes the given members and keeps the others (a merge patch, RFC 7396, or the same as plain JSON). Or applies a JSON patch (RFC 6902).',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: false,
          nullable: false,
          description: 'The name, 1 to 200 characters.',
          minLength: 1,
          maxLength: 200,
        },
        {
          name: 'description',
          control: 'long',
          required: false,
          nullable: true,
          description: 'The description, in a few sentences; null for none.',
          maxLength: 5000,
        },
        {
          name: 'price',
          control: 'money',
          required: false,
          nullable: false,
          description: 'The price of a product.',
          minimum: 0,
          maximum: 1000000000,
          isMinor: true,
        },
        {
          name: 'in_stock',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether the product can be ordered.',
        },
      ],
      once: [],
      isConditional: true,
      isRepeatable: true,
    },
    {
      operation: 'deleteProductV2',
      summary: 'Delete a product',
      description:
        'Deletes the product and its stock permanently. Its id is never used again. A second deletion answers 404.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: true,
      isRepeatable: false,
    },
  ],
  getSigningKey: [
    {
      operation: 'revokeSigningKey',
      summary: 'Revoke a signing key',
      description:
        'Ends the key permanently. All JWTs that it signed are invalid from now on, also in open WebSockets. If the key signs now, a new key takes its place. This takes effect immediately on this instance, and within a second on all instances. A second revocation changes nothing.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
  ],
  getUser: [
    {
      operation: 'updateUser',
      summary: 'Update a user',
      description:
        'Changes the given members and keeps the others (a merge patch, RFC 7396, or the same as plain JSON). Or applies a JSON patch (RFC 6902).',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: false,
          nullable: false,
          description: 'The name, 1 to 200 characters.',
          minLength: 1,
          maxLength: 200,
        },
        {
          name: 'email',
          control: 'text',
          required: false,
          nullable: false,
          description:
            'An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531).',
          minLength: 3,
          maxLength: 254,
        },
        {
          name: 'password',
          control: 'secret',
          required: false,
          nullable: false,
          description: 'The password, 8 to 128 characters of any kind.',
          minLength: 8,
          maxLength: 128,
        },
        {
          name: 'current_password',
          control: 'secret',
          required: false,
          nullable: false,
          description: 'The present password.',
          minLength: 1,
          maxLength: 128,
        },
        {
          name: 'revoke_keys',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether a new password also ends all API keys of the user.',
        },
      ],
      once: [],
      isConditional: true,
      isRepeatable: true,
    },
    {
      operation: 'deleteUser',
      summary: 'Delete a user',
      description:
        'Deletes the user permanently. The id is never used again, and the e-mail address becomes free. A user with orders is not deleted (409), unless `anonymise` is set: then the orders are kept without their user.',
      path: [],
      query: [
        {
          name: 'anonymise',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether to keep the orders, without their reference to the user.',
          initial: 'false',
        },
      ],
      fields: null,
      once: [],
      isConditional: true,
      isRepeatable: false,
    },
  ],
  getUserV2: [
    {
      operation: 'updateUserV2',
      summary: 'Update a user',
      description:
        'Changes the given members and keeps the others (a merge patch, RFC 7396, or the same as plain JSON). Or applies a JSON patch (RFC 6902).',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: false,
          nullable: false,
          description: 'The name, 1 to 200 characters.',
          minLength: 1,
          maxLength: 200,
        },
        {
          name: 'email',
          control: 'text',
          required: false,
          nullable: false,
          description:
            'An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531).',
          minLength: 3,
          maxLength: 254,
        },
        {
          name: 'password',
          control: 'secret',
          required: false,
          nullable: false,
          description: 'The password, 8 to 128 characters of any kind.',
          minLength: 8,
          maxLength: 128,
        },
        {
          name: 'current_password',
          control: 'secret',
          required: false,
          nullable: false,
          description: 'The present password.',
          minLength: 1,
          maxLength: 128,
        },
        {
          name: 'revoke_keys',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether a new password also ends all API keys of the user.',
        },
      ],
      once: [],
      isConditional: true,
      isRepeatable: true,
    },
    {
      operation: 'deleteUserV2',
      summary: 'Delete a user',
      description:
        'Deletes the user permanently. The id is never used again, and the e-mail address becomes free. A user with orders is not deleted (409), unless `anonymise` is set: then the orders are kept without their user.',
      path: [],
      query: [
        {
          name: 'anonymise',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether to keep the orders, without their reference to the user.',
          initial: 'false',
        },
      ],
      fields: null,
      once: [],
      isConditional: true,
      isRepeatable: false,
    },
    {
      operation: 'endSignIns',
      summary: 'Sign a user out everywhere',
      description:
        'Ends all sign-ins of the user at once, with the access tokens, refresh tokens and JWTs that this service issued for the user. It also ends the JWTs of linked issuers that were issued before. The password and the API keys stay valid.',
      path: [],
      query: [],
      fields: null,
      once: [],
      isConditional: false,
      isRepeatable: false,
    },
  ],
  listApiKeys: [
    {
      operation: 'createApiKey',
      summary: 'Make an API key',
      description:
        'Creates a key and shows it once: only its hash is stored. The key belongs to a user. If an administrator leaves out `user_id`, it belongs to a client of the interface. A user creates keys for itself. A key has at most the scopes and the lifetime of the credential that creates it (403). A key of a user always has the rights of the user. An unknown `user_id` is refused with 400 and `UNKNOWN`.',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: true,
          nullable: false,
          description: 'The purpose of the key, 1 to 100 characters.',
          minLength: 1,
          maxLength: 100,
        },
        {
          name: 'user_id',
          control: 'reference',
          required: false,
          nullable: false,
          description: 'The user of the key.',
          minimum: 1,
          maximum: 9007199254740991,
          refers: { list: 'listUsersV2', item: 'getUser', search: 'q' },
        },
        {
          name: 'scopes',
          control: 'choices',
          required: false,
          nullable: false,
          description: 'The scopes of the key, in addition to the rights of the user.',
          values: [
            'products:read',
            'products:write',
            'users:read',
            'users:write',
            'orders:read',
            'orders:write',
            'events:read',
            'admin',
          ],
          maxItems: 8,
        },
        {
          name: 'expires_at',
          control: 'time',
          required: false,
          nullable: false,
          description: 'The expiry time.',
          maxLength: 40,
        },
      ],
      once: ['key'],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listApiKeysV2: [
    {
      operation: 'createApiKeyV2',
      summary: 'Make an API key',
      description:
        'Creates a key and shows it once: only its hash is stored. The key belongs to a user. If an administrator leaves out `user_id`, it belongs to a client of the interface. A user creates keys for itself. A key has at most the scopes and the lifetime of the credential that creates it (403). A key of a user always has the rights of the user. An unknown `user_id` is refused with 400 and `UNKNOWN`.',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: true,
          nullable: false,
          description: 'The purpose of the key, 1 to 100 characters.',
          minLength: 1,
          maxLength: 100,
        },
        {
          name: 'user_id',
          control: 'reference',
          required: false,
          nullable: false,
          description: 'The user of the key.',
          minimum: 1,
          maximum: 9007199254740991,
          refers: { list: 'listUsersV2', item: 'getUserV2', search: 'q' },
        },
        {
          name: 'scopes',
          control: 'choices',
          required: false,
          nullable: false,
          description: 'The scopes of the key, in addition to the rights of the user.',
          values: [
            'products:read',
            'products:write',
            'users:read',
            'users:write',
            'orders:read',
            'orders:write',
            'events:read',
            'admin',
          ],
          maxItems: 8,
        },
        {
          name: 'expires_at',
          control: 'time',
          required: false,
          nullable: false,
          description: 'The expiry time.',
          maxLength: 40,
        },
      ],
      once: ['key'],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listClients: [
    {
      operation: 'createClient',
      summary: 'Make a client',
      description:
        'Registers a program with the authorization server at `/oauth`. The secret of a confidential client is shown once: only its hash is stored. A public client (an app, a page) cannot keep a secret and gets none. With PKCE it proves that the same client began and ends the authorization. `scopes` is the maximum set of scopes for its tokens. It can contain only scopes that the present credential has (403).',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: true,
          nullable: false,
          description: 'The name that users read when they are asked for their consent.',
          minLength: 1,
          maxLength: 100,
        },
        {
          name: 'confidential',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether the client can keep a secret.',
          initial: 'true',
        },
        {
          name: 'redirect_uris',
          control: 'texts',
          required: false,
          nullable: false,
          description:
            'The addresses to which users may be sent back: `https`, `http` on the same machine (`127.0.0.1`, `[::1]`, `localhost`), or for a public client its own scheme with a dot in it (RFC 8252).',
          maxLength: 500,
          maxItems: 10,
        },
        {
          name: 'grant_types',
          control: 'choices',
          required: true,
          nullable: false,
          description:
            'The ways in which the client may get tokens: for itself (`client_credentials`, confidential clients only); from a user who agrees (`authorization_code`); and later without the user (`refresh_token`, only together with `authorization_code`).',
          values: ['client_credentials', 'authorization_code', 'refresh_token'],
          minItems: 1,
          maxItems: 3,
        },
        {
          name: 'scopes',
          control: 'choices',
          required: false,
          nullable: false,
          description: 'The maximum set of scopes for its tokens.',
          values: [
            'products:read',
            'products:write',
            'users:read',
            'users:write',
            'orders:read',
            'orders:write',
            'events:read',
            'admin',
          ],
          maxItems: 8,
        },
        {
          name: 'may_introspect',
          control: 'boolean',
          required: false,
          nullable: false,
          description:
            "Whether the client may ask about the state of any client's token; confidential clients only.",
          initial: 'false',
        },
      ],
      once: ['client_secret'],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listClientsV2: [
    {
      operation: 'createClientV2',
      summary: 'Make a client',
      description:
        'Registers a program with the authorization server at `/oauth`. The secret of a confidential client is shown once: only its hash is stored. A public client (an app, a page) cannot keep a secret and gets none. With PKCE it proves that the same client began and ends the authorization. `scopes` is the maximum set of scopes for its tokens. It can contain only scopes that the present credential has (403).',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: true,
          nullable: false,
          description: 'The name that users read when they are asked for their consent.',
          minLength: 1,
          maxLength: 100,
        },
        {
          name: 'confidential',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether the client can keep a secret.',
          initial: 'true',
        },
        {
          name: 'redirect_uris',
          control: 'texts',
          required: false,
          nullable: false,
          description:
            'The addresses to which users may be sent back: `https`, `http` on the same machine (`127.0.0.1`, `[::1]`, `localhost`), or for a public client its own scheme with a dot in it (RFC 8252).',
          maxLength: 500,
          maxItems: 10,
        },
        {
          name: 'grant_types',
          control: 'choices',
          required: true,
          nullable: false,
          description:
            'The ways in which the client may get tokens: for itself (`client_credentials`, confidential clients only); from a user who agrees (`authorization_code`); and later without the user (`refresh_token`, only together with `authorization_code`).',
          values: ['client_credentials', 'authorization_code', 'refresh_token'],
          minItems: 1,
          maxItems: 3,
        },
        {
          name: 'scopes',
          control: 'choices',
          required: false,
          nullable: false,
          description: 'The maximum set of scopes for its tokens.',
          values: [
            'products:read',
            'products:write',
            'users:read',
            'users:write',
            'orders:read',
            'orders:write',
            'events:read',
            'admin',
          ],
          maxItems: 8,
        },
        {
          name: 'may_introspect',
          control: 'boolean',
          required: false,
          nullable: false,
          description:
            "Whether the client may ask about the state of any client's token; confidential clients only.",
          initial: 'false',
        },
      ],
      once: ['client_secret'],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listIdentities: [
    {
      operation: 'createIdentity',
      summary: 'Link a user to an outside issuer',
      description:
        "Links the `sub` of an outside issuer to a user. The JWTs of this subject then give access to the user's own data. They also have their scopes, as far as the settings of the service allow them for this issuer. Without a link they have only these scopes. A subject is linked to one user (409). The link takes effect immediately on this instance, and within a second on all instances. An unknown `user_id` is refused with 400 and `UNKNOWN`.",
      path: [],
      query: [],
      fields: [
        {
          name: 'issuer',
          control: 'long',
          required: true,
          nullable: false,
          description: 'An outside issuer of JWTs, by its name in `iss`.',
          minLength: 1,
          maxLength: 500,
        },
        {
          name: 'subject',
          control: 'long',
          required: true,
          nullable: false,
          description: "The issuer's name for a user, in `sub`.",
          minLength: 1,
          maxLength: 500,
        },
        {
          name: 'user_id',
          control: 'reference',
          required: true,
          nullable: false,
          description: 'An integer that the service assigns.',
          minimum: 1,
          maximum: 9007199254740991,
          refers: { list: 'listUsersV2', item: 'getUser', search: 'q' },
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listIdentitiesV2: [
    {
      operation: 'createIdentityV2',
      summary: 'Link a user to an outside issuer',
      description:
        "Links the `sub` of an outside issuer to a user. The JWTs of this subject then give access to the user's own data. They also have their scopes, as far as the settings of the service allow them for this issuer. Without a link they have only these scopes. A subject is linked to one user (409). The link takes effect immediately on this instance, and within a second on all instances. An unknown `user_id` is refused with 400 and `UNKNOWN`.",
      path: [],
      query: [],
      fields: [
        {
          name: 'issuer',
          control: 'long',
          required: true,
          nullable: false,
          description: 'An outside issuer of JWTs, by its name in `iss`.',
          minLength: 1,
          maxLength: 500,
        },
        {
          name: 'subject',
          control: 'long',
          required: true,
          nullable: false,
          description: "The issuer's name for a user, in `sub`.",
          minLength: 1,
          maxLength: 500,
        },
        {
          name: 'user_id',
          control: 'reference',
          required: true,
          nullable: false,
          description: 'An integer that the service assigns.',
          minimum: 1,
          maximum: 9007199254740991,
          refers: { list: 'listUsersV2', item: 'getUserV2', search: 'q' },
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listImports: [
    {
      operation: 'createImport',
      summary: 'Create an import',
      description:
        'Begins an import of products, users or orders from a file. `addImportPart` then sends the file. The importer, its mappings and its rules are those of the command `store import`.',
      path: [],
      query: [],
      fields: [
        {
          name: 'kind',
          control: 'choice',
          required: true,
          nullable: false,
          description: 'The kind of the rows in the file.',
          values: ['products', 'users', 'orders'],
        },
        {
          name: 'format',
          control: 'choice',
          required: true,
          nullable: false,
          description: 'The format of the file.',
          values: ['csv', 'ndjson'],
        },
        {
          name: 'mapping',
          control: 'long',
          required: false,
          nullable: false,
          description:
            'The rules by which the columns of the file become members of rows, as YAML or JSON, as in a mapping file of `store import`.',
          minLength: 1,
          maxLength: 8000,
        },
        {
          name: 'source',
          control: 'text',
          required: false,
          nullable: false,
          description: 'The name of the source of the rows.',
          minLength: 1,
          maxLength: 64,
        },
        {
          name: 'rehearsal',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether the import only checks the rows and writes nothing.',
          initial: 'false',
        },
        {
          name: 'events',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether each written row gets an event.',
          initial: 'false',
        },
        {
          name: 'order_lines',
          control: 'boolean',
          required: false,
          nullable: false,
          description:
            'Whether each row of the file is a line of an order, and repeats the values of its order.',
          initial: 'false',
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listOrders: [
    {
      operation: 'createOrder',
      summary: 'Place an order',
      description:
        'Takes the ordered quantities out of stock and stores the order, in one transaction. The order keeps the present names and prices. The service calculates the total. If the stock is not sufficient, the response is 409, and `errors` names every line that fails. A user orders for itself; another `user_id` needs `orders:write` (403, after the body is validated). An unknown `product_id` or `user_id` is refused with 400 and `UNKNOWN`.',
      path: [],
      query: [],
      fields: [
        {
          name: 'user_id',
          control: 'reference',
          required: false,
          nullable: false,
          description: 'The user who orders.',
          minimum: 1,
          maximum: 9007199254740991,
          refers: { list: 'listUsersV2', item: 'getUser', search: 'q' },
        },
        {
          name: 'items',
          control: 'lines',
          required: true,
          nullable: false,
          description: 'The products to order.',
          minItems: 1,
          maxItems: 100,
          fields: [
            {
              name: 'product_id',
              control: 'reference',
              required: true,
              nullable: false,
              description: 'The id of the product.',
              minimum: 1,
              maximum: 9007199254740991,
              refers: { list: 'listProducts', item: 'getProduct', search: 'q' },
            },
            {
              name: 'quantity',
              control: 'integer',
              required: true,
              nullable: false,
              description: 'The number of pieces.',
              minimum: 1,
              maximum: 10000,
            },
          ],
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listOrdersV2: [
    {
      operation: 'createOrderV2',
      summary: 'Place an order',
      description:
        'Takes the ordered quantities out of stock and stores the order, in one transaction. The order keeps the present names and prices. The service calculates the total. If the stock is not sufficient, the response is 409, and `errors` names every line that fails. A user orders for itself; another `user_id` needs `orders:write` (403, after the body is validated). An unknown `product_id` or `user_id` is refused with 400 and `UNKNOWN`.',
      path: [],
      query: [],
      fields: [
        {
          name: 'user_id',
          control: 'reference',
          required: false,
          nullable: false,
          description: 'The user who orders.',
          minimum: 1,
          maximum: 9007199254740991,
          refers: { list: 'listUsersV2', item: 'getUserV2', search: 'q' },
        },
        {
          name: 'items',
          control: 'lines',
          required: true,
          nullable: false,
          description: 'The products to order.',
          minItems: 1,
          maxItems: 100,
          fields: [
            {
              name: 'product_id',
              control: 'reference',
              required: true,
              nullable: false,
              description: 'The id of the product.',
              minimum: 1,
              maximum: 9007199254740991,
              refers: { list: 'listProductsV2', item: 'getProductV2', search: 'q' },
            },
            {
              name: 'quantity',
              control: 'integer',
              required: true,
              nullable: false,
              description: 'The number of pieces.',
              minimum: 1,
              maximum: 10000,
            },
          ],
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listProducts: [
    {
      operation: 'createProduct',
      summary: 'Create a product',
      description:
        'Stores a new product. The response has the product and its address. The stock of the product is not counted until `setProductStock` sets it.',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: true,
          nullable: false,
          description: 'The name, 1 to 200 characters.',
          minLength: 1,
          maxLength: 200,
        },
        {
          name: 'price',
          control: 'money',
          required: true,
          nullable: false,
          description: "Major units of the store's currency.",
          minimum: 0,
          maximum: 10000000,
          step: 0.01,
          isMinor: false,
        },
        {
          name: 'in_stock',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether the product can be ordered.',
          initial: 'true',
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listProductsV2: [
    {
      operation: 'createProductV2',
      summary: 'Create a product',
      description:
        'Stores a new product. The response has the product and its address. The stock of the product is not counted until `setProductStock` sets it.',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: true,
          nullable: false,
          description: 'The name, 1 to 200 characters.',
          minLength: 1,
          maxLength: 200,
        },
        {
          name: 'description',
          control: 'long',
          required: false,
          nullable: true,
          description: 'The description, in a few sentences; null for none.',
          maxLength: 5000,
        },
        {
          name: 'price',
          control: 'money',
          required: true,
          nullable: false,
          description: 'The price of a product.',
          minimum: 0,
          maximum: 1000000000,
          isMinor: true,
        },
        {
          name: 'in_stock',
          control: 'boolean',
          required: false,
          nullable: false,
          description: 'Whether the product can be ordered.',
          initial: 'true',
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listSigningKeys: [
    {
      operation: 'createSigningKey',
      summary: 'Rotate the signing keys',
      description:
        'Makes a new key, which signs from now on. The earlier keys verify for `overlap_seconds` at most, so that the JWTs that they signed stay valid. At most the newest 100 keys are kept. The change takes effect immediately on this instance, and within a second on all instances. To end a key that another person may have seen, revoke it.',
      path: [],
      query: [],
      fields: [
        {
          name: 'overlap_seconds',
          control: 'integer',
          required: false,
          nullable: false,
          description: 'The number of seconds for which the earlier keys verify.',
          minimum: 0,
          maximum: 604800,
          initial: '86400',
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listUsers: [
    {
      operation: 'createUser',
      summary: 'Create a user',
      description:
        'Stores a new user. Two users cannot have the same e-mail address. Case is ignored. 409 with `EMAIL_TAKEN` means that another user has the address. It does not say which user.',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: true,
          nullable: false,
          description: 'The name, 1 to 200 characters.',
          minLength: 1,
          maxLength: 200,
        },
        {
          name: 'email',
          control: 'text',
          required: true,
          nullable: false,
          description:
            'An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531).',
          minLength: 3,
          maxLength: 254,
        },
        {
          name: 'password',
          control: 'secret',
          required: false,
          nullable: false,
          description: 'The password, 8 to 128 characters of any kind.',
          minLength: 8,
          maxLength: 128,
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
  listUsersV2: [
    {
      operation: 'createUserV2',
      summary: 'Create a user',
      description:
        'Stores a new user. Two users cannot have the same e-mail address. Case is ignored. 409 with `EMAIL_TAKEN` means that another user has the address. It does not say which user.',
      path: [],
      query: [],
      fields: [
        {
          name: 'name',
          control: 'text',
          required: true,
          nullable: false,
          description: 'The name, 1 to 200 characters.',
          minLength: 1,
          maxLength: 200,
        },
        {
          name: 'email',
          control: 'text',
          required: true,
          nullable: false,
          description:
            'An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531).',
          minLength: 3,
          maxLength: 254,
        },
        {
          name: 'password',
          control: 'secret',
          required: false,
          nullable: false,
          description: 'The password, 8 to 128 characters of any kind.',
          minLength: 8,
          maxLength: 128,
        },
      ],
      once: [],
      isConditional: false,
      isRepeatable: true,
    },
  ],
};
