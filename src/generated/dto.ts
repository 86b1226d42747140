// Generated from openapi.yaml and schema.graphql by `npm run codegen`. Do not edit.

import type { Late } from '../rules/members.js';
import { dateTime } from '../rules/formats.js';
import { Optional, Required, shape } from '../rules/members.js';
import {
  boolean,
  each,
  integer,
  list,
  maxItems,
  maxLength,
  maximum,
  minItems,
  minLength,
  minimum,
  moment,
  multipleOf,
  nullable,
  number,
  object,
  oneOf,
  pattern,
  text,
  uniqueItems,
} from '../rules/rules.js';

/** The header parameters of `addImportPart`. */
export class AddImportPartHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The path parameters of `addImportPart`. */
export class AddImportPartPath {
  static readonly shape = shape({ id: {} });

  /** The id of the import. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** A new API key. */
export class ApiKeyCreate {
  static readonly shape = shape({ name: {}, user_id: {}, scopes: { default: [] }, expires_at: {} });

  /** The purpose of the key, 1 to 100 characters. It is written to the log. */
  @Required(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name!: string;

  /** The user of the key. If a user without `admin` leaves it out, the key belongs to that user. If an administrator leaves it out, the key belongs to a client of the interface. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** The scopes of the key, in addition to the rights of the user. */
  @Optional(
    list,
    maxItems(8),
    each(
      text,
      oneOf(
        'products:read',
        'products:write',
        'users:read',
        'users:write',
        'orders:read',
        'orders:write',
        'events:read',
        'admin',
      ),
    ),
    uniqueItems,
  )
  scopes!: (
    | 'products:read'
    | 'products:write'
    | 'users:read'
    | 'users:write'
    | 'orders:read'
    | 'orders:write'
    | 'events:read'
    | 'admin'
  )[];

  /** The expiry time. If it is left out, the key never expires. */
  @Optional(text, maxLength(40), dateTime)
  expires_at?: string;
}

/** The rotation of the secret of an API key. */
export class ApiKeyRotate {
  static readonly shape = shape({ overlap_seconds: { default: 86400 } });

  /** The number of seconds for which the present secret stays valid, at most a week. */
  @Optional(integer, minimum(0), maximum(604800))
  overlap_seconds!: number;
}

/** The path parameters of `cancelImport`. */
export class CancelImportPath {
  static readonly shape = shape({ id: {} });

  /** The id of the import. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `changeProducts`. */
export class ChangeProductsHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `changeProductsV2`. */
export class ChangeProductsV2Headers {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** A new client. */
export class ClientCreate {
  static readonly shape = shape({
    name: {},
    confidential: { default: true },
    redirect_uris: { default: [] },
    grant_types: {},
    scopes: { default: [] },
    may_introspect: { default: false },
  });

  /** The name that users read when they are asked for their consent. */
  @Required(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name!: string;

  /** Whether the client can keep a secret. An app on a phone or a page in a browser cannot. */
  @Optional(boolean)
  confidential!: boolean;

  /**
   * The addresses to which users may be sent back. The scheme is `https`, or `http` on the same machine (`127.0.0.1`,
   * `[::1]`, `localhost`), or, for a public client, a scheme of its own with a dot (RFC 8252). At least one address is
   * required with `authorization_code`; none is allowed without it.
   */
  @Optional(
    list,
    maxItems(10),
    each(
      text,
      minLength(1),
      maxLength(500),
      pattern(
        /^[A-Za-z][A-Za-z0-9+.-]*:[!$-)+-;=?-Z_a-z~\[\]]+$/u,
        'must be an absolute URI without a fragment or a wildcard',
      ),
    ),
    uniqueItems,
  )
  redirect_uris!: string[];

  /**
   * The ways in which the client may get tokens: for itself (`client_credentials`, confidential clients only); from a user
   * who agrees (`authorization_code`); and later without the user (`refresh_token`, only together with
   * `authorization_code`).
   */
  @Required(
    list,
    maxItems(3),
    each(text, oneOf('client_credentials', 'authorization_code', 'refresh_token')),
    minItems(1),
    uniqueItems,
  )
  grant_types!: ('client_credentials' | 'authorization_code' | 'refresh_token')[];

  /**
   * The maximum set of scopes for the tokens of the client. Users can grant `users:read`, `users:write`, `orders:read` and
   * `orders:write` for their own data. The other scopes are for tokens that the client gets for itself.
   */
  @Optional(
    list,
    maxItems(8),
    each(
      text,
      oneOf(
        'products:read',
        'products:write',
        'users:read',
        'users:write',
        'orders:read',
        'orders:write',
        'events:read',
        'admin',
      ),
    ),
    uniqueItems,
  )
  scopes!: (
    | 'products:read'
    | 'products:write'
    | 'users:read'
    | 'users:write'
    | 'orders:read'
    | 'orders:write'
    | 'events:read'
    | 'admin'
  )[];

  /** Whether the client may ask about the state of any client's token; confidential clients only. */
  @Optional(boolean)
  may_introspect!: boolean;
}

/** The rotation of the secret of a client. */
export class ClientRotate {
  static readonly shape = shape({ overlap_seconds: { default: 86400 } });

  /** The number of seconds for which the present secret stays valid, at most a week. */
  @Optional(integer, minimum(0), maximum(604800))
  overlap_seconds!: number;
}

/** The header parameters of `createApiKey`. */
export class CreateApiKeyHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createApiKeyV2`. */
export class CreateApiKeyV2Headers {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createClient`. */
export class CreateClientHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createClientV2`. */
export class CreateClientV2Headers {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createIdentity`. */
export class CreateIdentityHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createIdentityV2`. */
export class CreateIdentityV2Headers {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createImport`. */
export class CreateImportHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createOrder`. */
export class CreateOrderHeaders {
  static readonly shape = shape({ Prefer: {}, 'Idempotency-Key': {} });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createOrderV2`. */
export class CreateOrderV2Headers {
  static readonly shape = shape({ Prefer: {}, 'Idempotency-Key': {} });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createProduct`. */
export class CreateProductHeaders {
  static readonly shape = shape({ Prefer: {}, 'Idempotency-Key': {} });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createProductV2`. */
export class CreateProductV2Headers {
  static readonly shape = shape({ Prefer: {}, 'Idempotency-Key': {} });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createSigningKey`. */
export class CreateSigningKeyHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createUser`. */
export class CreateUserHeaders {
  static readonly shape = shape({ Prefer: {}, 'Idempotency-Key': {} });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The header parameters of `createUserV2`. */
export class CreateUserV2Headers {
  static readonly shape = shape({ Prefer: {}, 'Idempotency-Key': {} });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The path parameters of `deleteIdentity`. */
export class DeleteIdentityPath {
  static readonly shape = shape({ id: {} });

  /** The id of the identity. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The path parameters of `deleteIdentityV2`. */
export class DeleteIdentityV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the identity. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `deleteProduct`. */
export class DeleteProductHeaders {
  static readonly shape = shape({ 'If-Match': {}, 'If-Unmodified-Since': {}, 'If-None-Match': {} });

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `deleteProduct`. */
export class DeleteProductPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `deleteProductV2`. */
export class DeleteProductV2Headers {
  static readonly shape = shape({ 'If-Match': {}, 'If-Unmodified-Since': {}, 'If-None-Match': {} });

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `deleteProductV2`. */
export class DeleteProductV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `deleteUser`. */
export class DeleteUserHeaders {
  static readonly shape = shape({ 'If-Match': {}, 'If-Unmodified-Since': {}, 'If-None-Match': {} });

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `deleteUser`. */
export class DeleteUserPath {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `deleteUser`. */
export class DeleteUserQuery {
  static readonly shape = shape({ anonymise: { default: false } });

  /** Whether to keep the orders, without their reference to the user. */
  @Optional(boolean)
  anonymise!: boolean;
}

/** The header parameters of `deleteUserV2`. */
export class DeleteUserV2Headers {
  static readonly shape = shape({ 'If-Match': {}, 'If-Unmodified-Since': {}, 'If-None-Match': {} });

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `deleteUserV2`. */
export class DeleteUserV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `deleteUserV2`. */
export class DeleteUserV2Query {
  static readonly shape = shape({ anonymise: { default: false } });

  /** Whether to keep the orders, without their reference to the user. */
  @Optional(boolean)
  anonymise!: boolean;
}

/** The path parameters of `endSignIns`. */
export class EndSignInsPath {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `exportOrders`. */
export class ExportOrdersQuery {
  static readonly shape = shape({
    status: {},
    user_id: {},
    created_after: {},
    created_before: {},
    format: {},
  });

  /** Only orders in this status. */
  @Optional(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status?: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /** Only orders of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** Only orders that were placed after this time. */
  @Optional(text, maxLength(40), dateTime)
  created_after?: string;

  /** Only orders that were placed before this time. */
  @Optional(text, maxLength(40), dateTime)
  created_before?: string;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('csv', 'ndjson'))
  format?: 'csv' | 'ndjson';
}

/** The query parameters of `exportOrdersV2`. */
export class ExportOrdersV2Query {
  static readonly shape = shape({
    status: {},
    user_id: {},
    created_after: {},
    created_before: {},
    format: {},
  });

  /** Only orders in this status. */
  @Optional(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status?: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /** Only orders of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** Only orders that were placed after this time. */
  @Optional(text, maxLength(40), dateTime)
  created_after?: string;

  /** Only orders that were placed before this time. */
  @Optional(text, maxLength(40), dateTime)
  created_before?: string;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('csv', 'ndjson'))
  format?: 'csv' | 'ndjson';
}

/** The query parameters of `exportProducts`. */
export class ExportProductsQuery {
  static readonly shape = shape({ q: {}, in_stock: {}, min_price: {}, max_price: {}, format: {} });

  /** Only products whose name contains this text. Case and accents are ignored. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** Only products that are in stock (`true`) or not in stock (`false`). */
  @Optional(boolean)
  in_stock?: boolean;

  /** Only products at this price or above. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  min_price?: number;

  /** Only products at this price or below. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  max_price?: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('csv', 'ndjson'))
  format?: 'csv' | 'ndjson';
}

/** The query parameters of `exportProductsV2`. */
export class ExportProductsV2Query {
  static readonly shape = shape({ q: {}, in_stock: {}, min_price: {}, max_price: {}, format: {} });

  /** Only products whose name contains this text. Case and accents are ignored. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** Only products that are in stock (`true`) or not in stock (`false`). */
  @Optional(boolean)
  in_stock?: boolean;

  /** Only products at this price or above. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  min_price?: number;

  /** Only products at this price or below. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  max_price?: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('csv', 'ndjson'))
  format?: 'csv' | 'ndjson';
}

/** The query parameters of `exportUsers`. */
export class ExportUsersQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('csv', 'ndjson'))
  format?: 'csv' | 'ndjson';
}

/** The query parameters of `exportUsersV2`. */
export class ExportUsersV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('csv', 'ndjson'))
  format?: 'csv' | 'ndjson';
}

/** The header parameters of `getApiKey`. */
export class GetApiKeyHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getApiKey`. */
export class GetApiKeyPath {
  static readonly shape = shape({ id: {} });

  /** The id of the key, which is also part of the key. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getApiKey`. */
export class GetApiKeyQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getApiKeyV2`. */
export class GetApiKeyV2Headers {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getApiKeyV2`. */
export class GetApiKeyV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the key, which is also part of the key. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getApiKeyV2`. */
export class GetApiKeyV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getClient`. */
export class GetClientHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getClient`. */
export class GetClientPath {
  static readonly shape = shape({ id: {} });

  /** The id of the client. It is not the `client_id` that the client sends. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getClient`. */
export class GetClientQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getClientV2`. */
export class GetClientV2Headers {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getClientV2`. */
export class GetClientV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the client. It is not the `client_id` that the client sends. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getClientV2`. */
export class GetClientV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The query parameters of `getCredential`. */
export class GetCredentialQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getIdentity`. */
export class GetIdentityHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getIdentity`. */
export class GetIdentityPath {
  static readonly shape = shape({ id: {} });

  /** The id of the identity. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getIdentity`. */
export class GetIdentityQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getIdentityV2`. */
export class GetIdentityV2Headers {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getIdentityV2`. */
export class GetIdentityV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the identity. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getIdentityV2`. */
export class GetIdentityV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getImport`. */
export class GetImportHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getImport`. */
export class GetImportPath {
  static readonly shape = shape({ id: {} });

  /** The id of the import. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getImport`. */
export class GetImportQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The query parameters of `getIndex`. */
export class GetIndexQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The query parameters of `getIndexV2`. */
export class GetIndexV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getMe`. */
export class GetMeHeaders {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The query parameters of `getMe`. */
export class GetMeQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getMeV2`. */
export class GetMeV2Headers {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The query parameters of `getMeV2`. */
export class GetMeV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getOrder`. */
export class GetOrderHeaders {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The path parameters of `getOrder`. */
export class GetOrderPath {
  static readonly shape = shape({ id: {} });

  /** The id of the order. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getOrder`. */
export class GetOrderQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getOrderV2`. */
export class GetOrderV2Headers {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The path parameters of `getOrderV2`. */
export class GetOrderV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the order. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getOrderV2`. */
export class GetOrderV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The query parameters of `getOrdersSummary`. */
export class GetOrdersSummaryQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The path parameters of `getProblemType`. */
export class GetProblemTypePath {
  static readonly shape = shape({ code: {} });

  /** The code of a problem in lower case with hyphens, as at the end of its `type`. */
  @Required(
    text,
    minLength(1),
    maxLength(60),
    pattern(
      /^[a-z]+(-[a-z]+)*$/u,
      'must be words of small letters with hyphens between them, such as not-found',
    ),
  )
  code!: string;
}

/** The query parameters of `getProblemType`. */
export class GetProblemTypeQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getProduct`. */
export class GetProductHeaders {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The path parameters of `getProduct`. */
export class GetProductPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getProduct`. */
export class GetProductQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getProductStock`. */
export class GetProductStockHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getProductStock`. */
export class GetProductStockPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getProductStock`. */
export class GetProductStockQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getProductStockV2`. */
export class GetProductStockV2Headers {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getProductStockV2`. */
export class GetProductStockV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getProductStockV2`. */
export class GetProductStockV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getProductV2`. */
export class GetProductV2Headers {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The path parameters of `getProductV2`. */
export class GetProductV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getProductV2`. */
export class GetProductV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The path parameters of `getRefusedRows`. */
export class GetRefusedRowsPath {
  static readonly shape = shape({ id: {} });

  /** The id of the import. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `getSigningKey`. */
export class GetSigningKeyHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `getSigningKey`. */
export class GetSigningKeyPath {
  static readonly shape = shape({ id: {} });

  /** The id of the signing key. It is not the `kid`. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getSigningKey`. */
export class GetSigningKeyQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getUserByShortAddress`. */
export class GetUserByShortAddressHeaders {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The path parameters of `getUserByShortAddress`. */
export class GetUserByShortAddressPath {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getUserByShortAddress`. */
export class GetUserByShortAddressQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getUser`. */
export class GetUserHeaders {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The path parameters of `getUser`. */
export class GetUserPath {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getUser`. */
export class GetUserQuery {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `getUserV2`. */
export class GetUserV2Headers {
  static readonly shape = shape({ 'If-None-Match': {}, 'If-Modified-Since': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;

  /**
   * The `Last-Modified` that the client has (RFC 9110, section 13.1.3). If nothing has changed since, the response is 304.
   * The header is ignored beside `If-None-Match`, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Modified-Since'?: string;
}

/** The path parameters of `getUserV2`. */
export class GetUserV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `getUserV2`. */
export class GetUserV2Query {
  static readonly shape = shape({ format: {} });

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** A new identity. */
export class IdentityCreate {
  static readonly shape = shape({ issuer: {}, subject: {}, user_id: {} });

  /** An outside issuer of JWTs, by its name in `iss`. */
  @Required(text, minLength(1), maxLength(500), pattern(/^[\x21-\x7e]+$/u))
  issuer!: string;

  /** The issuer's name for a user, in `sub`. */
  @Required(text, minLength(1), maxLength(500), pattern(/^[\x20-\x7e]+$/u))
  subject!: string;

  /** An integer that the service assigns. It is never used again after a deletion. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  user_id!: number;
}

/** A new import. */
export class ImportCreate {
  static readonly shape = shape({
    kind: {},
    format: {},
    mapping: {},
    source: {},
    rehearsal: { default: false },
    events: { default: false },
    order_lines: { default: false },
  });

  /** The kind of the rows in the file. */
  @Required(text, oneOf('products', 'users', 'orders'))
  kind!: 'products' | 'users' | 'orders';

  /** The format of the file. */
  @Required(text, oneOf('csv', 'ndjson'))
  format!: 'csv' | 'ndjson';

  /**
   * The rules by which the columns of the file become members of rows, as YAML or JSON, as in a mapping file of
   * `store import`. Without rules, the columns have the names of the members.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(8000),
    pattern(/^[^\u0000\uD800-\uDFFF]*$/u, 'must have no NUL characters and no lone surrogates'),
  )
  mapping?: string;

  /** The name of the source of the rows. It replaces `source` of the mapping. Without both, the name is `store`. */
  @Optional(
    text,
    minLength(1),
    maxLength(64),
    pattern(
      /^[a-z0-9][a-z0-9._-]*$/u,
      'must be a name of small letters, digits, dots, dashes and underscores, with a letter or digit first',
    ),
  )
  source?: string;

  /** Whether the import only checks the rows and writes nothing. */
  @Optional(boolean)
  rehearsal!: boolean;

  /** Whether each written row gets an event. */
  @Optional(boolean)
  events!: boolean;

  /**
   * Whether each row of the file is a line of an order, and repeats the values of its order. Only for orders in CSV.
   * If one row of an order is refused, all rows of this order are refused.
   */
  @Optional(boolean)
  order_lines!: boolean;
}

/** A part of the file of an import. */
export class ImportPart {
  static readonly shape = shape({ number: {}, text: {}, last: { default: false } });

  /** The number of the part. */
  @Required(integer, minimum(1), maximum(100000))
  number!: number;

  /** The text of the part. A part may end anywhere, also inside a row. */
  @Required(
    text,
    minLength(1),
    maxLength(250000),
    pattern(/^[^\u0000\uD800-\uDFFF]*$/u, 'must have no NUL characters and no lone surrogates'),
  )
  text!: string;

  /** Whether this is the last part of the file. */
  @Optional(boolean)
  last!: boolean;
}

/** A JSON patch, as the one member of an object. */
export class JsonPatch {
  static readonly shape = shape({
    operations: { inner: { each: { dto: () => JsonPatchOperation }, most: 100 } },
  });

  /**
   * Operations on the representation of the resource in this version (RFC 6902). They are applied in order, all or none. The
   * members of a user are at the top level. The result is validated like a body, and only members that the patch changes are
   * written. If the patch sets a status to its present value, the patch is refused like any other status change that is not
   * possible. If a `test` fails, or a pointer leads to nothing, the response is 409 with the code `PATCH_CONFLICT`. Some
   * values do not depend on the row: the values of `add` and `replace` at a member, or for the whole resource. They are
   * validated first, before the row is read and before any `test`. Everything that depends on the row is validated after the
   * row is found and the conditions of the request hold. No operation may make the resource deeper than 32 levels
   * (`TOO_DEEP`). All operations together may copy and move 1,048,576 characters of JSON (`TOO_LARGE`).
   */
  @Required(list, maxItems(100), each(object))
  operations!: Late<JsonPatchOperation>[];
}

/** One operation. `add`, `replace` and `test` need a `value`; `move` and `copy` need a `from`. Other members are ignored. */
export class JsonPatchOperation {
  static readonly shape = shape({ op: {}, path: {} }, { open: true });

  [member: string]: unknown;

  /** The operation to apply. */
  @Required(text, oneOf('add', 'remove', 'replace', 'move', 'copy', 'test'))
  op!: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';

  /** A place in the resource (RFC 6901); members named `__proto__`, `constructor` and `prototype` are refused. */
  @Required(
    text,
    maxLength(1000),
    pattern(/^(\/([^~/]|~[01])*)*$/u, 'must be a JSON pointer (RFC 6901), such as "" or /name'),
  )
  path!: string;
}

/** The query parameters of `listApiKeys`. */
export class ListApiKeysQuery {
  static readonly shape = shape({ page: { default: 1 }, limit: { default: 20 }, user_id: {}, format: {} });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only keys of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The query parameters of `listApiKeysV2`. */
export class ListApiKeysV2Query {
  static readonly shape = shape({ cursor: {}, limit: { default: 20 }, user_id: {}, format: {} });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only keys of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The query parameters of `listClients`. */
export class ListClientsQuery {
  static readonly shape = shape({ page: { default: 1 }, limit: { default: 20 }, format: {} });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The query parameters of `listClientsV2`. */
export class ListClientsV2Query {
  static readonly shape = shape({ cursor: {}, limit: { default: 20 }, format: {} });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listEvents`. */
export class ListEventsHeaders {
  static readonly shape = shape({ 'Last-Event-ID': {} });

  /**
   * The cursor of the last event that the client received before the stream broke. Clients for event streams send it
   * automatically. If `after` is later, `after` is used. An empty value is ignored.
   */
  @Optional(text, maxLength(16), pattern(/^((0|[1-9]\d{0,15})?)$/u))
  'Last-Event-ID'?: string;
}

/** The query parameters of `listEvents`. */
export class ListEventsQuery {
  static readonly shape = shape({ after: {}, limit: { default: 20 }, type: {}, format: {} });

  /** A cursor. The response has the events after it. */
  @Optional(text, maxLength(16), pattern(/^(0|[1-9]\d{0,15})$/u, 'must be a whole number, such as 41'))
  after?: string;

  /** The maximum number of events on a page. A page reads this number of events of the log; with filters other than `type`, it can read more. A stream ignores this limit. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only events of these types. */
  @Optional(
    list,
    maxItems(10),
    each(
      text,
      oneOf(
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
      ),
    ),
    minItems(1),
    uniqueItems,
  )
  type?: (
    | 'order.created'
    | 'order.status_changed'
    | 'order.updated'
    | 'product.created'
    | 'product.updated'
    | 'product.deleted'
    | 'user.created'
    | 'user.updated'
    | 'user.deleted'
    | 'user.anonymised'
  )[];

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The header parameters of `listEventsV2`. */
export class ListEventsV2Headers {
  static readonly shape = shape({ 'Last-Event-ID': {} });

  /**
   * The cursor of the last event that the client received before the stream broke. Clients for event streams send it
   * automatically. If `after` is later, `after` is used. An empty value is ignored.
   */
  @Optional(text, maxLength(16), pattern(/^((0|[1-9]\d{0,15})?)$/u))
  'Last-Event-ID'?: string;
}

/** The query parameters of `listEventsV2`. */
export class ListEventsV2Query {
  static readonly shape = shape({
    after: {},
    limit: { default: 20 },
    type: {},
    entity: {},
    entity_id: {},
    occurred_after: {},
    occurred_before: {},
    format: {},
  });

  /** A cursor. The response has the events after it. */
  @Optional(text, maxLength(16), pattern(/^(0|[1-9]\d{0,15})$/u, 'must be a whole number, such as 41'))
  after?: string;

  /** The maximum number of events on a page. A page reads this number of events of the log; with filters other than `type`, it can read more. A stream ignores this limit. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only events of these types. */
  @Optional(
    list,
    maxItems(10),
    each(
      text,
      oneOf(
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
      ),
    ),
    minItems(1),
    uniqueItems,
  )
  type?: (
    | 'order.created'
    | 'order.status_changed'
    | 'order.updated'
    | 'product.created'
    | 'product.updated'
    | 'product.deleted'
    | 'user.created'
    | 'user.updated'
    | 'user.deleted'
    | 'user.anonymised'
  )[];

  /** Only events of this kind of resource. */
  @Optional(text, oneOf('order', 'product', 'user'))
  entity?: 'order' | 'product' | 'user';

  /** Only events of resources with this id. With `entity`, the filter selects one resource. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  entity_id?: number;

  /** Only events after this time. */
  @Optional(text, maxLength(40), dateTime)
  occurred_after?: string;

  /** Only events before this time. */
  @Optional(text, maxLength(40), dateTime)
  occurred_before?: string;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html'))
  format?: 'json' | 'xml' | 'yaml' | 'html';
}

/** The query parameters of `listIdentities`. */
export class ListIdentitiesQuery {
  static readonly shape = shape({ page: { default: 1 }, limit: { default: 20 }, user_id: {}, format: {} });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only identities of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The query parameters of `listIdentitiesV2`. */
export class ListIdentitiesV2Query {
  static readonly shape = shape({ cursor: {}, limit: { default: 20 }, user_id: {}, format: {} });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only identities of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The path parameters of `listImportRefusals`. */
export class ListImportRefusalsPath {
  static readonly shape = shape({ id: {} });

  /** The id of the import. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `listImportRefusals`. */
export class ListImportRefusalsQuery {
  static readonly shape = shape({ cursor: {}, limit: { default: 20 }, format: {} });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The query parameters of `listImports`. */
export class ListImportsQuery {
  static readonly shape = shape({ cursor: {}, limit: { default: 20 }, sort: {}, format: {} });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The order of the imports. `-id` lists the newest first. */
  @Optional(list, maxItems(1), each(text, oneOf('id', '-id')), minItems(1))
  sort?: ('id' | '-id')[];

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listOrders`. */
export class ListOrdersHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The query parameters of `listOrders`. */
export class ListOrdersQuery {
  static readonly shape = shape({
    page: { default: 1 },
    limit: { default: 20 },
    sort: {},
    status: {},
    user_id: {},
    created_after: {},
    created_before: {},
    format: {},
  });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The sort keys, the most significant first. A leading `-` reverses a key. Equal rows are in ascending order of id. */
  @Optional(
    list,
    maxItems(2),
    each(text, oneOf('id', '-id', 'created_at', '-created_at')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'created_at' | '-created_at')[];

  /** Only orders in this status. */
  @Optional(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status?: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /** Only orders of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** Only orders that were placed after this time. */
  @Optional(text, maxLength(40), dateTime)
  created_after?: string;

  /** Only orders that were placed before this time. */
  @Optional(text, maxLength(40), dateTime)
  created_before?: string;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listOrdersV2`. */
export class ListOrdersV2Headers {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The query parameters of `listOrdersV2`. */
export class ListOrdersV2Query {
  static readonly shape = shape({
    cursor: {},
    limit: { default: 20 },
    sort: {},
    status: {},
    user_id: {},
    created_after: {},
    created_before: {},
    format: {},
  });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The sort keys, the most significant first. A leading `-` reverses a key. Equal rows are in ascending order of id. */
  @Optional(
    list,
    maxItems(2),
    each(text, oneOf('id', '-id', 'created_at', '-created_at')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'created_at' | '-created_at')[];

  /** Only orders in this status. */
  @Optional(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status?: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /** Only orders of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** Only orders that were placed after this time. */
  @Optional(text, maxLength(40), dateTime)
  created_after?: string;

  /** Only orders that were placed before this time. */
  @Optional(text, maxLength(40), dateTime)
  created_before?: string;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listProducts`. */
export class ListProductsHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The query parameters of `listProducts`. */
export class ListProductsQuery {
  static readonly shape = shape({
    page: { default: 1 },
    limit: { default: 20 },
    sort: {},
    q: {},
    in_stock: {},
    min_price: {},
    max_price: {},
    fields: {},
    format: {},
  });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /**
   * The sort keys, the most significant first. A leading `-` reverses a key. Text is sorted by code point. Equal rows are in
   * ascending order of id.
   */
  @Optional(
    list,
    maxItems(3),
    each(text, oneOf('id', '-id', 'name', '-name', 'price', '-price')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'name' | '-name' | 'price' | '-price')[];

  /** Only products whose name contains this text. Case and accents are ignored. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** Only products that are in stock (`true`) or not in stock (`false`). */
  @Optional(boolean)
  in_stock?: boolean;

  /** Only products at this price or above. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  min_price?: number;

  /** Only products at this price or below. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  max_price?: number;

  /** Only these members of each product, in the order of the full representation. */
  @Optional(list, maxItems(4), each(text, oneOf('id', 'name', 'price', 'in_stock')), minItems(1), uniqueItems)
  fields?: ('id' | 'name' | 'price' | 'in_stock')[];

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listProductsV2`. */
export class ListProductsV2Headers {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The query parameters of `listProductsV2`. */
export class ListProductsV2Query {
  static readonly shape = shape({
    cursor: {},
    limit: { default: 20 },
    sort: {},
    q: {},
    in_stock: {},
    min_price: {},
    max_price: {},
    fields: {},
    format: {},
  });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /**
   * The sort keys, the most significant first. A leading `-` reverses a key. Text is sorted by code point. Equal rows are in
   * ascending order of id.
   */
  @Optional(
    list,
    maxItems(3),
    each(text, oneOf('id', '-id', 'name', '-name', 'price', '-price')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'name' | '-name' | 'price' | '-price')[];

  /** Only products whose name contains this text. Case and accents are ignored. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** Only products that are in stock (`true`) or not in stock (`false`). */
  @Optional(boolean)
  in_stock?: boolean;

  /** Only products at this price or above. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  min_price?: number;

  /** Only products at this price or below. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  max_price?: number;

  /** Only these members of each product, in the order of the full representation. */
  @Optional(
    list,
    maxItems(7),
    each(text, oneOf('id', 'name', 'description', 'price', 'in_stock', 'created_at', 'updated_at')),
    minItems(1),
    uniqueItems,
  )
  fields?: ('id' | 'name' | 'description' | 'price' | 'in_stock' | 'created_at' | 'updated_at')[];

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The query parameters of `listSigningKeys`. */
export class ListSigningKeysQuery {
  static readonly shape = shape({ cursor: {}, limit: { default: 20 }, format: {} });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listUserOrders`. */
export class ListUserOrdersHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `listUserOrders`. */
export class ListUserOrdersPath {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `listUserOrders`. */
export class ListUserOrdersQuery {
  static readonly shape = shape({ page: { default: 1 }, limit: { default: 20 }, format: {} });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listUserOrdersV2`. */
export class ListUserOrdersV2Headers {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `listUserOrdersV2`. */
export class ListUserOrdersV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The query parameters of `listUserOrdersV2`. */
export class ListUserOrdersV2Query {
  static readonly shape = shape({ cursor: {}, limit: { default: 20 }, format: {} });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listUsers`. */
export class ListUsersHeaders {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The query parameters of `listUsers`. */
export class ListUsersQuery {
  static readonly shape = shape({ page: { default: 1 }, limit: { default: 20 }, email: {}, format: {} });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only the user with this e-mail address. Case is ignored. */
  @Optional(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email?: string;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** The header parameters of `listUsersV2`. */
export class ListUsersV2Headers {
  static readonly shape = shape({ 'If-None-Match': {} });

  /** The entity tags that the client has (RFC 9110, section 13.1.2). If one of them is current, the response is 304. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The query parameters of `listUsersV2`. */
export class ListUsersV2Query {
  static readonly shape = shape({ cursor: {}, limit: { default: 20 }, email: {}, q: {}, format: {} });

  /**
   * `page.next` or `page.previous` of a page of this list. Without a cursor, the response is the first page. A cursor is
   * valid only with the same filter, order and rights; otherwise it is refused with 400.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  cursor?: string;

  /** The number of items on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only the user with this e-mail address. Case is ignored. */
  @Optional(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email?: string;

  /** Only users whose name or e-mail address contains this text. Case and accents are ignored. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** The format of the response. It takes precedence over `Accept`. */
  @Optional(text, oneOf('json', 'xml', 'yaml', 'html', 'csv'))
  format?: 'json' | 'xml' | 'yaml' | 'html' | 'csv';
}

/** A client may send back the value that it read. Another value is refused. */
export class Money {
  static readonly shape = shape({ amount: {}, currency: {} });

  /** The amount in minor units, such as cents; in major units if the currency has no minor units. */
  @Required(integer, minimum(0), maximum(9007199254740991))
  amount!: number;

  /** The currency (ISO 4217). The store has one currency. */
  @Required(
    text,
    minLength(3),
    maxLength(3),
    pattern(/^[A-Z]{3}$/u, 'must be the code of a currency, such as USD'),
  )
  currency!: string;
}

/** The arguments of `Mutation.createOrder`. */
export class MutationCreateOrderArgs {
  static readonly shape = shape({
    userId: { inner: { id: true } },
    items: { inner: { each: { dto: () => OrderItemInput }, most: 100 } },
  });

  /** The user who orders, by default the user of the credential. If the credential has no user, this argument is required. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  userId?: number;

  /** The lines of the order. The same product may be in several lines. */
  @Required(list, maxItems(100), each(object), minItems(1))
  items!: Late<OrderItemInput>[];
}

/** The arguments of `Mutation.createProduct`. */
export class MutationCreateProductArgs {
  static readonly shape = shape({ name: {}, price: {}, inStock: { default: true }, description: {} });

  /** The name. At least one character must not be blank. Blanks at both ends are removed. */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** The price, in major units of the store's currency. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  inStock!: boolean;

  /** A description in a few sentences. */
  @Optional(
    nullable(
      text,
      maxLength(5000),
      pattern(
        /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
        'must have no control characters other than tab and line feed, and no halves of characters',
      ),
    ),
  )
  description?: string | null;
}

/** The arguments of `Mutation.createUser`. */
export class MutationCreateUserArgs {
  static readonly shape = shape({ name: {}, email: {}, password: {} });

  /** The name. At least one character must not be blank. Blanks at both ends are removed. */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name!: string;

  /** The e-mail address. Blanks at both ends are removed. Invisible characters (the Unicode category C) are refused. */
  @Required(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email!: string;

  /**
   * The password of the user for HTTP Basic: 8 to 128 characters without control characters. Very common passwords, the
   * name and the e-mail address are refused. The password is never shown.
   */
  @Optional(
    text,
    minLength(8),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  password?: string;
}

/** The arguments of `Mutation.deleteProduct`. */
export class MutationDeleteProductArgs {
  static readonly shape = shape({ id: { inner: { id: true } }, expectedVersion: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /**
   * The version that the client edited. If the product has changed since, the error is `PRECONDITION_FAILED`, and
   * nothing is written.
   */
  @Optional(nullable(integer, minimum(1), maximum(2147483647)))
  expectedVersion?: number | null;
}

/** The arguments of `Mutation.deleteUser`. */
export class MutationDeleteUserArgs {
  static readonly shape = shape({
    id: { inner: { id: true } },
    anonymise: { default: false },
    expectedVersion: {},
  });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** Whether orders of the user are kept without their reference to the user. */
  @Optional(boolean)
  anonymise!: boolean;

  /** The version that the client edited. If the user has changed since, the error is `PRECONDITION_FAILED`, and nothing is written. */
  @Optional(nullable(integer, minimum(1), maximum(2147483647)))
  expectedVersion?: number | null;
}

/** The arguments of `Mutation.replaceProduct`. */
export class MutationReplaceProductArgs {
  static readonly shape = shape({
    id: { inner: { id: true } },
    name: {},
    price: {},
    inStock: {},
    description: {},
    expectedVersion: {},
  });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The name. At least one character must not be blank. Blanks at both ends are removed. */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** The price, in major units of the store's currency. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether the product can be ordered. A value that equals the present value has no effect. */
  @Required(boolean)
  inStock!: boolean;

  /** A description in a few sentences. Null means no description. */
  @Optional(
    nullable(
      text,
      maxLength(5000),
      pattern(
        /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
        'must have no control characters other than tab and line feed, and no halves of characters',
      ),
    ),
  )
  description?: string | null;

  /**
   * The version that the client edited. If the product has changed since, the error is `PRECONDITION_FAILED`, and
   * nothing is written.
   */
  @Optional(nullable(integer, minimum(1), maximum(2147483647)))
  expectedVersion?: number | null;
}

/** The arguments of `Mutation.setProductStock`. */
export class MutationSetProductStockArgs {
  static readonly shape = shape({ id: { inner: { id: true } }, quantity: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The number of pieces. With null, or without a value, the stock is not counted. */
  @Optional(nullable(integer, minimum(0), maximum(1000000000)))
  quantity?: number | null;
}

/** The arguments of `Mutation.updateOrderStatus`. */
export class MutationUpdateOrderStatusArgs {
  static readonly shape = shape({ id: { inner: { id: true } }, status: {}, expectedVersion: {} });

  /** The id of the order. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The status to move to. */
  @Required(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status!: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /**
   * The version that the client edited. If the order has changed since, the error is `PRECONDITION_FAILED`, and
   * nothing is written.
   */
  @Optional(nullable(integer, minimum(1), maximum(2147483647)))
  expectedVersion?: number | null;
}

/** The arguments of `Mutation.updateProduct`. */
export class MutationUpdateProductArgs {
  static readonly shape = shape({
    id: { inner: { id: true } },
    name: {},
    price: {},
    inStock: {},
    description: {},
    expectedVersion: {},
  });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The name. At least one character must not be blank. Blanks at both ends are removed. */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name?: string;

  /** The price, in major units of the store's currency. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price?: number;

  /** Whether the product can be ordered. A value that equals the present value has no effect. */
  @Optional(boolean)
  inStock?: boolean;

  /** A description in a few sentences. Null removes it. */
  @Optional(
    nullable(
      text,
      maxLength(5000),
      pattern(
        /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
        'must have no control characters other than tab and line feed, and no halves of characters',
      ),
    ),
  )
  description?: string | null;

  /**
   * The version that the client edited. If the product has changed since, the error is `PRECONDITION_FAILED`, and
   * nothing is written.
   */
  @Optional(nullable(integer, minimum(1), maximum(2147483647)))
  expectedVersion?: number | null;
}

/** The arguments of `Mutation.updateUser`. */
export class MutationUpdateUserArgs {
  static readonly shape = shape({
    id: { inner: { id: true } },
    name: {},
    email: {},
    password: {},
    currentPassword: {},
    revokeKeys: {},
    expectedVersion: {},
  });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The name. At least one character must not be blank. Blanks at both ends are removed. */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name?: string;

  /** The e-mail address. Blanks at both ends are removed. Invisible characters (the Unicode category C) are refused. */
  @Optional(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email?: string;

  /**
   * The new password of the user for HTTP Basic: 8 to 128 characters without control characters. Very common passwords,
   * the name and the e-mail address are refused. The password is never shown. The previous password ends at once.
   */
  @Optional(
    text,
    minLength(8),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  password?: string;

  /**
   * The present password. A user needs it to set a new password with any credential other than Basic. A wrong password
   * is refused with `FORBIDDEN`, and attempts are slowed down. This argument has no effect with Basic, without
   * `password`, or if the caller sets the password of another user.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  currentPassword?: string;

  /** Whether the new password also ends all API keys of the user. This argument has no effect without `password`. */
  @Optional(boolean)
  revokeKeys?: boolean;

  /** The version that the client edited. If the user has changed since, the error is `PRECONDITION_FAILED`, and nothing is written. */
  @Optional(nullable(integer, minimum(1), maximum(2147483647)))
  expectedVersion?: number | null;
}

/** A new order. */
export class OrderCreate {
  static readonly shape = shape({
    user_id: {},
    items: { inner: { each: { dto: () => OrderItemCreate }, most: 100 } },
  });

  /** The user who orders. It may be left out when the credential belongs to a user; then this user orders. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  user_id?: number;

  /** The products to order. The same product may be in several lines. */
  @Required(list, maxItems(100), each(object), minItems(1))
  items!: Late<OrderItemCreate>[];
}

/** A line of an order, with the name and the price at the time of the order. */
export class OrderItem {
  static readonly shape = shape({ product_id: {}, name: {}, unit_price: {}, quantity: {}, total: {} });

  /** The id of the product. The product may have been deleted since. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  product_id!: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** Major units of the store's currency. If the currency has no minor units (JPY), decimals are refused. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  unit_price!: number;

  /** The number of pieces. */
  @Required(integer, minimum(1), maximum(10000))
  quantity!: number;

  /** Price times quantity. It can differ in an imported order, for example after a discount. */
  @Required(number, minimum(0), maximum(10000000000000), multipleOf(1, 2))
  total!: number;
}

/** A product and the number of pieces. */
export class OrderItemCreate {
  static readonly shape = shape({ product_id: {}, quantity: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  product_id!: number;

  /** The number of pieces. */
  @Required(integer, minimum(1), maximum(10000))
  quantity!: number;
}

/** One line of a new order: a product and a number of pieces. */
export class OrderItemInput {
  static readonly shape = shape({ productId: { inner: { id: true } }, quantity: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  productId!: number;

  /** The number of pieces. */
  @Required(integer, minimum(1), maximum(10000))
  quantity!: number;
}

/** A line of an order, with the name and the price at the time of the order. */
export class OrderItemV2 {
  static readonly shape = shape({
    product_id: {},
    name: {},
    unit_price: { inner: { dto: () => Money } },
    quantity: {},
    total: { inner: { dto: () => Money } },
  });

  /** The id of the product. The product may have been deleted since. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  product_id!: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** An amount of money. */
  @Required(object)
  unit_price!: Late<Money>;

  /** The number of pieces. */
  @Required(integer, minimum(1), maximum(10000))
  quantity!: number;

  /** Price times quantity. It can differ in an imported order, for example after a discount. */
  @Required(object)
  total!: Late<Money>;
}

/** The new status of an order. */
export class OrderUpdate {
  static readonly shape = shape({
    id: {},
    status: {},
    user_id: {},
    total: {},
    created_at: {},
    items: { inner: { each: { dto: () => OrderItem }, most: 100 } },
  });

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /** The status of an order. */
  @Required(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status!: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(nullable(integer, minimum(1), maximum(9007199254740991)))
  user_id?: number | null;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(number, minimum(0), maximum(10000000000000), multipleOf(1, 2))
  total?: number;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  created_at?: string;

  /** A client may send back the values that it read. Other values are refused. */
  @Optional(list, maxItems(100), each(object))
  items?: Late<OrderItem>[];
}

/** The new status of an order. */
export class OrderUpdateV2 {
  static readonly shape = shape({
    id: {},
    status: {},
    user_id: {},
    total: { inner: { dto: () => Money } },
    created_at: {},
    updated_at: {},
    items: { inner: { each: { dto: () => OrderItemV2 }, most: 100 } },
  });

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /** The status of an order. */
  @Required(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status!: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(nullable(integer, minimum(1), maximum(9007199254740991)))
  user_id?: number | null;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(object)
  total?: Late<Money>;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  created_at?: string;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  updated_at?: string;

  /** A client may send back the values that it read. Other values are refused. */
  @Optional(list, maxItems(100), each(object))
  items?: Late<OrderItemV2>[];
}

/** Changes of products. */
export class ProductBatch {
  static readonly shape = shape({
    atomic: { default: true },
    items: {
      apart: {
        discriminator: 'op',
        dtos: {
          create: () => ProductBatchCreate,
          update: () => ProductBatchUpdate,
          delete: () => ProductBatchDelete,
        },
      },
    },
  });

  /** Whether all items succeed or nothing is written. */
  @Optional(boolean)
  atomic!: boolean;

  /** The changes to make, in this order. */
  @Required(list, maxItems(1000), each(object), minItems(1))
  items!: Record<string, unknown>[];
}

/** A product to create, as in `createProduct`. */
export class ProductBatchCreate {
  static readonly shape = shape({ op: {}, name: {}, price: {}, in_stock: { default: true } });

  /** The operation to apply. */
  @Required(text, oneOf('create'))
  op!: 'create';

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** Major units of the store's currency. If the currency has no minor units (JPY), decimals are refused. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  in_stock!: boolean;
}

/** A product to create, as in `createProductV2`. */
export class ProductBatchCreateV2 {
  static readonly shape = shape({
    op: {},
    name: {},
    description: {},
    price: { inner: { dto: () => ProductPrice } },
    in_stock: { default: true },
  });

  /** The operation to apply. */
  @Required(text, oneOf('create'))
  op!: 'create';

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** The description, in a few sentences; null for none. */
  @Optional(
    nullable(
      text,
      maxLength(5000),
      pattern(
        /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
        'must have no control characters other than tab and line feed, and no halves of characters',
      ),
    ),
  )
  description?: string | null;

  /** The price of a product. */
  @Required(object)
  price!: Late<ProductPrice>;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  in_stock!: boolean;
}

/** A product to delete. */
export class ProductBatchDelete {
  static readonly shape = shape({ op: {}, id: {}, if_match: {} });

  /** The operation to apply. */
  @Required(text, oneOf('delete'))
  op!: 'delete';

  /** An integer that the service assigns. It is never used again after a deletion. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The value of `If-Match` and of `If-None-Match`. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  if_match?: string;
}

/** The members of a product to change, as in `updateProduct`; at least one beside `op`, `id` and `if_match`. */
export class ProductBatchUpdate {
  static readonly shape = shape({ op: {}, id: {}, if_match: {}, name: {}, price: {}, in_stock: {} });

  /** The operation to apply. */
  @Required(text, oneOf('update'))
  op!: 'update';

  /** An integer that the service assigns. It is never used again after a deletion. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The value of `If-Match` and of `If-None-Match`. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  if_match?: string;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name?: string;

  /** Major units of the store's currency. If the currency has no minor units (JPY), decimals are refused. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price?: number;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  in_stock?: boolean;
}

/** The members of a product to change, as in `updateProductV2`; at least one beside `op`, `id` and `if_match`. */
export class ProductBatchUpdateV2 {
  static readonly shape = shape({
    op: {},
    id: {},
    if_match: {},
    name: {},
    description: {},
    price: { inner: { dto: () => ProductPrice } },
    in_stock: {},
    created_at: {},
    updated_at: {},
  });

  /** The operation to apply. */
  @Required(text, oneOf('update'))
  op!: 'update';

  /** An integer that the service assigns. It is never used again after a deletion. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;

  /** The value of `If-Match` and of `If-None-Match`. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  if_match?: string;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name?: string;

  /** The description, in a few sentences; null for none. */
  @Optional(
    nullable(
      text,
      maxLength(5000),
      pattern(
        /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
        'must have no control characters other than tab and line feed, and no halves of characters',
      ),
    ),
  )
  description?: string | null;

  /** The price of a product. */
  @Optional(object)
  price?: Late<ProductPrice>;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  in_stock?: boolean;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  created_at?: string;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  updated_at?: string;
}

/** Changes of products. */
export class ProductBatchV2 {
  static readonly shape = shape({
    atomic: { default: true },
    items: {
      apart: {
        discriminator: 'op',
        dtos: {
          create: () => ProductBatchCreateV2,
          update: () => ProductBatchUpdateV2,
          delete: () => ProductBatchDelete,
        },
      },
    },
  });

  /** Whether all items succeed or nothing is written. */
  @Optional(boolean)
  atomic!: boolean;

  /** The changes to make, in this order. */
  @Required(list, maxItems(1000), each(object), minItems(1))
  items!: Record<string, unknown>[];
}

/** A new product. */
export class ProductCreate {
  static readonly shape = shape({ name: {}, price: {}, in_stock: { default: true } });

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** Major units of the store's currency. If the currency has no minor units (JPY), decimals are refused. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  in_stock!: boolean;
}

/** A new product. */
export class ProductCreateV2 {
  static readonly shape = shape({
    name: {},
    description: {},
    price: { inner: { dto: () => ProductPrice } },
    in_stock: { default: true },
  });

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** The description, in a few sentences; null for none. */
  @Optional(
    nullable(
      text,
      maxLength(5000),
      pattern(
        /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
        'must have no control characters other than tab and line feed, and no halves of characters',
      ),
    ),
  )
  description?: string | null;

  /** The price of a product. */
  @Required(object)
  price!: Late<ProductPrice>;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  in_stock!: boolean;
}

/** The price of a product. */
export class ProductPrice {
  static readonly shape = shape({ amount: {}, currency: {} });

  /** The amount in minor units, such as cents, up to 10,000,000 major units. */
  @Required(integer, minimum(0), maximum(1000000000))
  amount!: number;

  /** The currency (ISO 4217). The store has one currency. */
  @Required(
    text,
    minLength(3),
    maxLength(3),
    pattern(/^[A-Z]{3}$/u, 'must be the code of a currency, such as USD'),
  )
  currency!: string;
}

/** All members of a product that version 1 shows. */
export class ProductReplace {
  static readonly shape = shape({ id: {}, name: {}, price: {}, in_stock: {} });

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** Major units of the store's currency. If the currency has no minor units (JPY), decimals are refused. */
  @Required(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price!: number;

  /** Whether the product can be ordered. */
  @Required(boolean)
  in_stock!: boolean;
}

/** All members of a product except its counted stock. */
export class ProductReplaceV2 {
  static readonly shape = shape({
    id: {},
    name: {},
    description: {},
    price: { inner: { dto: () => ProductPrice } },
    in_stock: {},
    created_at: {},
    updated_at: {},
  });

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name!: string;

  /** The description, in a few sentences; null for none. */
  @Optional(
    nullable(
      text,
      maxLength(5000),
      pattern(
        /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
        'must have no control characters other than tab and line feed, and no halves of characters',
      ),
    ),
  )
  description?: string | null;

  /** The price of a product. */
  @Required(object)
  price!: Late<ProductPrice>;

  /** Whether the product can be ordered. */
  @Required(boolean)
  in_stock!: boolean;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  created_at?: string;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  updated_at?: string;
}

/** The counted stock of a product. */
export class ProductStockReplace {
  static readonly shape = shape({ quantity: {} });

  /** The number of pieces; null when the stock is not counted. */
  @Required(nullable(integer, minimum(0), maximum(1000000000)))
  quantity!: number | null;
}

/** The members of a product to change. */
export class ProductUpdate {
  static readonly shape = shape({ id: {}, name: {}, price: {}, in_stock: {} }, { minMembers: 1 });

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name?: string;

  /** Major units of the store's currency. If the currency has no minor units (JPY), decimals are refused. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  price?: number;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  in_stock?: boolean;
}

/** The members of a product to change. */
export class ProductUpdateV2 {
  static readonly shape = shape(
    {
      id: {},
      name: {},
      description: {},
      price: { inner: { dto: () => ProductPrice } },
      in_stock: {},
      created_at: {},
      updated_at: {},
    },
    { minMembers: 1 },
  );

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed, except tab and line
   * feed. Blanks at both ends are removed before it is stored.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no halves of characters or control characters other than tab and line feed',
    ),
  )
  name?: string;

  /** The description, in a few sentences; null for none. */
  @Optional(
    nullable(
      text,
      maxLength(5000),
      pattern(
        /^[^\u0000-\u0008\u000B-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
        'must have no control characters other than tab and line feed, and no halves of characters',
      ),
    ),
  )
  description?: string | null;

  /** The price of a product. */
  @Optional(object)
  price?: Late<ProductPrice>;

  /** Whether the product can be ordered. */
  @Optional(boolean)
  in_stock?: boolean;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  created_at?: string;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  updated_at?: string;
}

/** The arguments of `Query.order`. */
export class QueryOrderArgs {
  static readonly shape = shape({ id: { inner: { id: true } } });

  /** The id of the order. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The arguments of `Query.orders`. */
export class QueryOrdersArgs {
  static readonly shape = shape({
    page: { default: 1 },
    limit: { default: 100 },
    sort: {},
    status: {},
    userId: { inner: { id: true } },
    createdAfter: {},
    createdBefore: {},
  });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of orders on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The sort keys, the most significant first. Equal rows are in ascending order of id. */
  @Optional(
    list,
    maxItems(2),
    each(text, oneOf('id', '-id', 'created_at', '-created_at')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'created_at' | '-created_at')[];

  /** Only orders in this status. */
  @Optional(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status?: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /** Only orders of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  userId?: number;

  /** Only orders that were placed later than this moment. */
  @Optional(moment)
  createdAfter?: Date;

  /** Only orders that were placed earlier than this moment. */
  @Optional(moment)
  createdBefore?: Date;
}

/** The arguments of `Query.ordersConnection`. */
export class QueryOrdersConnectionArgs {
  static readonly shape = shape({
    first: {},
    after: {},
    last: {},
    before: {},
    sort: {},
    status: {},
    userId: { inner: { id: true } },
    createdAfter: {},
    createdBefore: {},
  });

  /** The number of orders from the beginning, or after the cursor `after`. Without `first` and `last` it is 20. */
  @Optional(integer, minimum(1), maximum(100))
  first?: number;

  /** The result begins after the edge with this cursor. Use it with `first` or alone. */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  after?: string;

  /** The number of orders from the end, or before the cursor `before`. The result keeps the sequence of the list. */
  @Optional(integer, minimum(1), maximum(100))
  last?: number;

  /** The result ends before the edge with this cursor. Use it with `last` only. */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  before?: string;

  /** The sort keys, the most significant first. Equal rows are in ascending order of id. */
  @Optional(
    list,
    maxItems(2),
    each(text, oneOf('id', '-id', 'created_at', '-created_at')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'created_at' | '-created_at')[];

  /** Only orders in this status. */
  @Optional(text, oneOf('pending', 'paid', 'shipped', 'delivered', 'cancelled', 'refunded'))
  status?: 'pending' | 'paid' | 'shipped' | 'delivered' | 'cancelled' | 'refunded';

  /** Only orders of this user. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  userId?: number;

  /** Only orders that were placed later than this moment. */
  @Optional(moment)
  createdAfter?: Date;

  /** Only orders that were placed earlier than this moment. */
  @Optional(moment)
  createdBefore?: Date;
}

/** The arguments of `Query.product`. */
export class QueryProductArgs {
  static readonly shape = shape({ id: { inner: { id: true } } });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The arguments of `Query.products`. */
export class QueryProductsArgs {
  static readonly shape = shape({
    page: { default: 1 },
    limit: { default: 20 },
    sort: {},
    q: {},
    inStock: {},
    minPrice: {},
    maxPrice: {},
  });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of products on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** The sort keys, the most significant first. Equal rows are in ascending order of id. */
  @Optional(
    list,
    maxItems(3),
    each(text, oneOf('id', '-id', 'name', '-name', 'price', '-price')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'name' | '-name' | 'price' | '-price')[];

  /** Only products whose name contains this text. Case and accents are ignored. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** Only products that are in stock (`true`) or not in stock (`false`). */
  @Optional(boolean)
  inStock?: boolean;

  /** Only products at this price or above. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  minPrice?: number;

  /** Only products at this price or below. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  maxPrice?: number;
}

/** The arguments of `Query.productsConnection`. */
export class QueryProductsConnectionArgs {
  static readonly shape = shape({
    first: {},
    after: {},
    last: {},
    before: {},
    sort: {},
    q: {},
    inStock: {},
    minPrice: {},
    maxPrice: {},
  });

  /** The number of products from the beginning, or after the cursor `after`. Without `first` and `last` it is 20. */
  @Optional(integer, minimum(1), maximum(100))
  first?: number;

  /** The result begins after the edge with this cursor. Use it with `first` or alone. */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  after?: string;

  /** The number of products from the end, or before the cursor `before`. The result keeps the sequence of the list. */
  @Optional(integer, minimum(1), maximum(100))
  last?: number;

  /** The result ends before the edge with this cursor. Use it with `last` only. */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  before?: string;

  /** The sort keys, the most significant first. Equal rows are in ascending order of id. */
  @Optional(
    list,
    maxItems(3),
    each(text, oneOf('id', '-id', 'name', '-name', 'price', '-price')),
    minItems(1),
    uniqueItems,
  )
  sort?: ('id' | '-id' | 'name' | '-name' | 'price' | '-price')[];

  /** Only products whose name contains this text. Case and accents are ignored. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;

  /** Only products that are in stock (`true`) or not in stock (`false`). */
  @Optional(boolean)
  inStock?: boolean;

  /** Only products at this price or above. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  minPrice?: number;

  /** Only products at this price or below. */
  @Optional(number, minimum(0), maximum(10000000), multipleOf(1, 2))
  maxPrice?: number;
}

/** The arguments of `Query.user`. */
export class QueryUserArgs {
  static readonly shape = shape({ id: { inner: { id: true } } });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The arguments of `Query.users`. */
export class QueryUsersArgs {
  static readonly shape = shape({ page: { default: 1 }, limit: { default: 20 }, email: {} });

  /** The number of the page, counted from 1. */
  @Optional(integer, minimum(1), maximum(2147483647))
  page!: number;

  /** The number of users on a page. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;

  /** Only the user with this e-mail address. Case is ignored. */
  @Optional(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email?: string;
}

/** The arguments of `Query.usersConnection`. */
export class QueryUsersConnectionArgs {
  static readonly shape = shape({ first: {}, after: {}, last: {}, before: {}, email: {}, q: {} });

  /** The number of users from the beginning, or after the cursor `after`. Without `first` and `last` it is 20. */
  @Optional(integer, minimum(1), maximum(100))
  first?: number;

  /** The result begins after the edge with this cursor. Use it with `first` or alone. */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  after?: string;

  /** The number of users from the end, or before the cursor `before`. The result keeps the sequence of the list. */
  @Optional(integer, minimum(1), maximum(100))
  last?: number;

  /** The result ends before the edge with this cursor. Use it with `last` only. */
  @Optional(
    text,
    minLength(1),
    maxLength(2000),
    pattern(/^[A-Za-z0-9_-]+$/u, 'must be a cursor, exactly as it was received'),
  )
  before?: string;

  /** Only the user with this e-mail address. Case is ignored. */
  @Optional(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email?: string;

  /** Only users whose name or e-mail address contains this text. Case and accents are ignored. */
  @Optional(
    text,
    minLength(1),
    maxLength(100),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  q?: string;
}

/** The header parameters of `replaceProduct`. */
export class ReplaceProductHeaders {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `replaceProduct`. */
export class ReplaceProductPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `replaceProductV2`. */
export class ReplaceProductV2Headers {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `replaceProductV2`. */
export class ReplaceProductV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `replaceUser`. */
export class ReplaceUserHeaders {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `replaceUser`. */
export class ReplaceUserPath {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `replaceUserV2`. */
export class ReplaceUserV2Headers {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `replaceUserV2`. */
export class ReplaceUserV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The path parameters of `revokeApiKey`. */
export class RevokeApiKeyPath {
  static readonly shape = shape({ id: {} });

  /** The id of the key, which is also part of the key. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The path parameters of `revokeApiKeyV2`. */
export class RevokeApiKeyV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the key, which is also part of the key. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The path parameters of `revokeClient`. */
export class RevokeClientPath {
  static readonly shape = shape({ id: {} });

  /** The id of the client. It is not the `client_id` that the client sends. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The path parameters of `revokeClientV2`. */
export class RevokeClientV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the client. It is not the `client_id` that the client sends. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The path parameters of `revokeSigningKey`. */
export class RevokeSigningKeyPath {
  static readonly shape = shape({ id: {} });

  /** The id of the signing key. It is not the `kid`. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `rotateApiKey`. */
export class RotateApiKeyHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The path parameters of `rotateApiKey`. */
export class RotateApiKeyPath {
  static readonly shape = shape({ id: {} });

  /** The id of the key, which is also part of the key. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `rotateApiKeyV2`. */
export class RotateApiKeyV2Headers {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The path parameters of `rotateApiKeyV2`. */
export class RotateApiKeyV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the key, which is also part of the key. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `rotateClientSecret`. */
export class RotateClientSecretHeaders {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The path parameters of `rotateClientSecret`. */
export class RotateClientSecretPath {
  static readonly shape = shape({ id: {} });

  /** The id of the client. It is not the `client_id` that the client sends. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `rotateClientSecretV2`. */
export class RotateClientSecretV2Headers {
  static readonly shape = shape({ 'Idempotency-Key': {} });

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;
}

/** The path parameters of `rotateClientSecretV2`. */
export class RotateClientSecretV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the client. It is not the `client_id` that the client sends. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `setProductStock`. */
export class SetProductStockHeaders {
  static readonly shape = shape({ Prefer: {}, 'If-Match': {}, 'If-None-Match': {} });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `setProductStock`. */
export class SetProductStockPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `setProductStockV2`. */
export class SetProductStockV2Headers {
  static readonly shape = shape({ Prefer: {}, 'If-Match': {}, 'If-None-Match': {} });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `setProductStockV2`. */
export class SetProductStockV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** A rotation of the signing keys. */
export class SigningKeyCreate {
  static readonly shape = shape({ overlap_seconds: { default: 86400 } });

  /** The number of seconds for which the earlier keys verify. With 0, their JWTs end at once. */
  @Optional(integer, minimum(0), maximum(604800))
  overlap_seconds!: number;
}

/** The arguments of `Subscription.newOrder`. */
export class SubscriptionNewOrderArgs {
  static readonly shape = shape({ after: { inner: { id: true } } });

  /** The subscription begins with the events after this cursor. Without it, the subscription begins with the next event. */
  @Optional(integer, minimum(0), maximum(9007199254740991))
  after?: number;
}

/** The arguments of `Subscription.orderStatusChanged`. */
export class SubscriptionOrderStatusChangedArgs {
  static readonly shape = shape({ after: { inner: { id: true } }, orderId: { inner: { id: true } } });

  /** The subscription begins with the events after this cursor. Without it, the subscription begins with the next event. */
  @Optional(integer, minimum(0), maximum(9007199254740991))
  after?: number;

  /** Only changes of this order. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  orderId?: number;
}

/** The arguments of `Subscription.productChanged`. */
export class SubscriptionProductChangedArgs {
  static readonly shape = shape({ after: { inner: { id: true } }, productId: { inner: { id: true } } });

  /** The subscription begins with the events after this cursor. Without it, the subscription begins with the next event. */
  @Optional(integer, minimum(0), maximum(9007199254740991))
  after?: number;

  /** Only changes of this product. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  productId?: number;
}

/** The header parameters of `updateOrder`. */
export class UpdateOrderHeaders {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'Idempotency-Key': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `updateOrder`. */
export class UpdateOrderPath {
  static readonly shape = shape({ id: {} });

  /** The id of the order. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `updateOrderV2`. */
export class UpdateOrderV2Headers {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'Idempotency-Key': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `updateOrderV2`. */
export class UpdateOrderV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the order. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `updateProduct`. */
export class UpdateProductHeaders {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'Idempotency-Key': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `updateProduct`. */
export class UpdateProductPath {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `updateProductV2`. */
export class UpdateProductV2Headers {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'Idempotency-Key': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `updateProductV2`. */
export class UpdateProductV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the product. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `updateUser`. */
export class UpdateUserHeaders {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'Idempotency-Key': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `updateUser`. */
export class UpdateUserPath {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** The header parameters of `updateUserV2`. */
export class UpdateUserV2Headers {
  static readonly shape = shape({
    Prefer: {},
    'If-Match': {},
    'If-Unmodified-Since': {},
    'Idempotency-Key': {},
    'If-None-Match': {},
  });

  /**
   * `return=minimal` leaves out the body of the response; `return=representation` is the default (RFC 7240).
   * `Preference-Applied` names the preference that was applied.
   */
  @Optional(text, maxLength(1000), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  Prefer?: string;

  /** The entity tag of the representation that the client edited (RFC 9110, section 13.1.1). If the resource has changed since, the response is 412 and nothing is written. */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-Match'?: string;

  /**
   * The `Last-Modified` of the representation that the client edited (RFC 9110, section 13.1.4). If the resource
   * changed later, or within the same second, the response is 412. The header is ignored beside `If-Match`, which is
   * preferred, or if it is not a date.
   */
  @Optional(text, maxLength(100), pattern(/^[\u0020-\u007E\u0080-\u00FF]*$/u, 'must be a text'))
  'If-Unmodified-Since'?: string;

  /**
   * Names this request, so that the client can send it again without a second execution
   * (draft-ietf-httpapi-idempotency-key-header-07). It has 1 to 255 printable characters, chosen at random, such as a UUID
   * in double quotes.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(512),
    pattern(
      /^(?:[!#-+\--\[\]-~]{1,255}|"(?:[ !#-\[\]-~]|\\["\\]){1,255}")$/u,
      'must be 1 to 255 printable characters, in double quotes or without spaces and commas',
    ),
  )
  'Idempotency-Key'?: string;

  /**
   * Entity tags that the resource must not have (RFC 9110, section 13.1.2); otherwise the response is 412. `*` means that
   * the resource must not exist, so a change with `*` never succeeds.
   */
  @Optional(
    text,
    maxLength(1000),
    pattern(
      /^(\*|(W\/)?"[!#-~]*"([ \t]*,[ \t]*(W\/)?"[!#-~]*")*)$/u,
      'must be * or a list of entity tags in quotes, such as "3-v1-17-5c1b0a2f"',
    ),
  )
  'If-None-Match'?: string;
}

/** The path parameters of `updateUserV2`. */
export class UpdateUserV2Path {
  static readonly shape = shape({ id: {} });

  /** The id of the user. */
  @Required(integer, minimum(1), maximum(9007199254740991))
  id!: number;
}

/** A new user. */
export class UserCreate {
  static readonly shape = shape({ name: {}, email: {}, password: {} });

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed. Blanks at both ends are
   * removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name!: string;

  /**
   * An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531). Blanks at
   * both ends are removed before it is stored. Invisible characters (the Unicode category C) are refused: control and
   * format characters, such as a soft hyphen or a change of direction, and code points without a character. Two addresses
   * that differ only in case are the same. An address that was stored before this rule stays valid and is shown unchanged.
   */
  @Required(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email!: string;

  /**
   * The password, 8 to 128 characters without control characters. Very common passwords, the name and the e-mail address
   * are refused (`TOO_COMMON`). The password is stored as a slow hash and never shown. If it is left out, it does not
   * change. A user without a password needs another credential, such as an API key.
   */
  @Optional(
    text,
    minLength(8),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  password?: string;
}

/** The arguments of `User.orders`. */
export class UserOrdersArgs {
  static readonly shape = shape({ limit: { default: 100 } });

  /** The largest number of orders. */
  @Optional(integer, minimum(1), maximum(100))
  limit!: number;
}

/** All members of a user that a client may write. */
export class UserReplace {
  static readonly shape = shape({
    id: {},
    name: {},
    email: {},
    password: {},
    current_password: {},
    revoke_keys: {},
  });

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed. Blanks at both ends are
   * removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name!: string;

  /**
   * An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531). Blanks at
   * both ends are removed before it is stored. Invisible characters (the Unicode category C) are refused: control and
   * format characters, such as a soft hyphen or a change of direction, and code points without a character. Two addresses
   * that differ only in case are the same. An address that was stored before this rule stays valid and is shown unchanged.
   */
  @Required(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email!: string;

  /**
   * The password, 8 to 128 characters without control characters. Very common passwords, the name and the e-mail address
   * are refused (`TOO_COMMON`). The password is stored as a slow hash and never shown. If it is left out, it does not
   * change. A user without a password needs another credential, such as an API key.
   */
  @Optional(
    text,
    minLength(8),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  password?: string;

  /**
   * The present password. A user needs it to set a new password with any credential other than Basic. A wrong password is
   * refused with 403, and attempts are slowed down. This value is ignored with Basic, without `password`, and when the
   * caller sets the password of another user.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  current_password?: string;

  /** Whether a new password also ends all API keys of the user. It is ignored without `password`. */
  @Optional(boolean)
  revoke_keys?: boolean;
}

/** All members of a user that a client may write. */
export class UserReplaceV2 {
  static readonly shape = shape({
    id: {},
    name: {},
    email: {},
    password: {},
    current_password: {},
    revoke_keys: {},
    created_at: {},
    updated_at: {},
  });

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed. Blanks at both ends are
   * removed before it is stored.
   */
  @Required(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name!: string;

  /**
   * An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531). Blanks at
   * both ends are removed before it is stored. Invisible characters (the Unicode category C) are refused: control and
   * format characters, such as a soft hyphen or a change of direction, and code points without a character. Two addresses
   * that differ only in case are the same. An address that was stored before this rule stays valid and is shown unchanged.
   */
  @Required(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email!: string;

  /**
   * The password, 8 to 128 characters without control characters. Very common passwords, the name and the e-mail address
   * are refused (`TOO_COMMON`). The password is stored as a slow hash and never shown. If it is left out, it does not
   * change. A user without a password needs another credential, such as an API key.
   */
  @Optional(
    text,
    minLength(8),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  password?: string;

  /**
   * The present password. A user needs it to set a new password with any credential other than Basic. A wrong password is
   * refused with 403, and attempts are slowed down. This value is ignored with Basic, without `password`, and when the
   * caller sets the password of another user.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  current_password?: string;

  /** Whether a new password also ends all API keys of the user. It is ignored without `password`. */
  @Optional(boolean)
  revoke_keys?: boolean;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  created_at?: string;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  updated_at?: string;
}

/** The members of a user to change. */
export class UserUpdate {
  static readonly shape = shape(
    { id: {}, name: {}, email: {}, password: {}, current_password: {}, revoke_keys: {} },
    { minMembers: 1 },
  );

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed. Blanks at both ends are
   * removed before it is stored.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name?: string;

  /**
   * An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531). Blanks at
   * both ends are removed before it is stored. Invisible characters (the Unicode category C) are refused: control and
   * format characters, such as a soft hyphen or a change of direction, and code points without a character. Two addresses
   * that differ only in case are the same. An address that was stored before this rule stays valid and is shown unchanged.
   */
  @Optional(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email?: string;

  /**
   * The password, 8 to 128 characters without control characters. Very common passwords, the name and the e-mail address
   * are refused (`TOO_COMMON`). The password is stored as a slow hash and never shown. If it is left out, it does not
   * change. A user without a password needs another credential, such as an API key.
   */
  @Optional(
    text,
    minLength(8),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  password?: string;

  /**
   * The present password. A user needs it to set a new password with any credential other than Basic. A wrong password is
   * refused with 403, and attempts are slowed down. This value is ignored with Basic, without `password`, and when the
   * caller sets the password of another user.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  current_password?: string;

  /** Whether a new password also ends all API keys of the user. It is ignored without `password`. */
  @Optional(boolean)
  revoke_keys?: boolean;
}

/** The members of a user to change. */
export class UserUpdateV2 {
  static readonly shape = shape(
    {
      id: {},
      name: {},
      email: {},
      password: {},
      current_password: {},
      revoke_keys: {},
      created_at: {},
      updated_at: {},
    },
    { minMembers: 1 },
  );

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(integer, minimum(1), maximum(9007199254740991))
  id?: number;

  /**
   * The name, 1 to 200 characters. At least one is not blank. Control characters are not allowed. Blanks at both ends are
   * removed before it is stored.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(200),
    pattern(
      /^(?=[\s\S]*\S)[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have a character that is not blank, and no control characters or halves of characters',
    ),
  )
  name?: string;

  /**
   * An e-mail address (RFC 5321, without quoted local parts and address literals), in any script (RFC 6531). Blanks at
   * both ends are removed before it is stored. Invisible characters (the Unicode category C) are refused: control and
   * format characters, such as a soft hyphen or a change of direction, and code points without a character. Two addresses
   * that differ only in case are the same. An address that was stored before this rule stays valid and is shown unchanged.
   */
  @Optional(
    text,
    minLength(3),
    maxLength(254),
    pattern(
      /^(?![\s\S]*(?:\p{Cf}|\p{Co}|\p{Cn}))[ \t]*[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*@[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+(\.[^\s@.,;<>()\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]+)*[ \t]*$/u,
      'must be an e-mail address such as ada@example.com',
    ),
  )
  email?: string;

  /**
   * The password, 8 to 128 characters without control characters. Very common passwords, the name and the e-mail address
   * are refused (`TOO_COMMON`). The password is stored as a slow hash and never shown. If it is left out, it does not
   * change. A user without a password needs another credential, such as an API key.
   */
  @Optional(
    text,
    minLength(8),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  password?: string;

  /**
   * The present password. A user needs it to set a new password with any credential other than Basic. A wrong password is
   * refused with 403, and attempts are slowed down. This value is ignored with Basic, without `password`, and when the
   * caller sets the password of another user.
   */
  @Optional(
    text,
    minLength(1),
    maxLength(128),
    pattern(
      /^[^\u0000-\u001F\u007F-\u009F\uD800-\uDFFF]*$/u,
      'must have no control characters and no halves of characters',
    ),
  )
  current_password?: string;

  /** Whether a new password also ends all API keys of the user. It is ignored without `password`. */
  @Optional(boolean)
  revoke_keys?: boolean;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  created_at?: string;

  /** A client may send back the value that it read. Another value is refused. */
  @Optional(text, maxLength(24), dateTime)
  updated_at?: string;
}
