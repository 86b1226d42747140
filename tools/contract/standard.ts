/**
 * The rules for the parts of an operation in openapi.yaml that follow from its other parts. An author does not write
 * these parts: `npm run contract` adds them, and `npm run codegen` refuses an operation without them.
 */

/** The properties of an operation on which the rules depend. */
export interface Facts {
  readonly method: string;
  /** Whether the path has parameters, such as `{id}`. */
  readonly hasPathParameters: boolean;
  /**
   * Whether the path belongs to the API itself, whose operations read the database. The index, the documents and the
   * health checks do not belong to it.
   */
  readonly isOfTheApi: boolean;
  readonly version: string | null;
  /** Whether a caller can be refused although its credential is valid: there are scopes, or an owner. */
  readonly needsRights: boolean;
  /** The member that names the owning user (`x-owner`). */
  readonly owner: string | null;
  readonly hasBody: boolean;
  /** Whether the operation can answer 201. */
  readonly creates: boolean;
  /** Whether any response of success has a body. */
  readonly answers: boolean;
  /** Whether a response of success is a text, which has one form only. */
  readonly isText: boolean;
  /** The parameters of the operation, by their names in `components.parameters`. */
  readonly parameters: ReadonlySet<string>;
}

export interface Standard {
  readonly name: string;
  /** The rule: whether an operation must have this part. */
  readonly when: (facts: Facts) => boolean;
  /** Whether an author may write this part where the rule does not ask for it. */
  readonly isFree?: true;
}

const always = (): boolean => true;
const has =
  (...names: readonly string[]) =>
  ({ parameters }: Facts) =>
    names.some((name) => parameters.has(name));

function isRead({ method, isOfTheApi }: Facts): boolean {
  return method === 'get' && isOfTheApi;
}

/**
 * The standard responses by status, with their names in `components.responses`. The first response whose rule is true
 * applies.
 */
export const RESPONSES: Readonly<Record<string, readonly Standard[]>> = {
  204: [{ name: 'Minimal', when: ({ method, parameters }) => method !== 'post' && parameters.has('Prefer') }],
  304: [{ name: 'NotModified', when: has('If-None-Match') }],
  400: [{ name: 'BadRequest', when: always }],
  401: [{ name: 'Unauthorized', when: always }],
  403: [{ name: 'Forbidden', when: ({ needsRights }) => needsRights }],
  404: [
    {
      name: 'NotFound',
      when: ({ hasPathParameters, owner }) => hasPathParameters || owner === 'row.id',
      isFree: true,
    },
  ],
  406: [{ name: 'NotAcceptable', when: ({ answers }) => answers }],
  409: [{ name: 'Conflict', when: has('Idempotency-Key'), isFree: true }],
  410: [{ name: 'VersionGone', when: ({ version }) => version === 'v1' }],
  412: [{ name: 'PreconditionFailed', when: has('If-Match'), isFree: true }],
  413: [{ name: 'ContentTooLarge', when: ({ hasBody }) => hasBody }],
  415: [
    { name: 'UnsupportedPatchType', when: ({ method }) => method === 'patch' },
    { name: 'UnsupportedMediaType', when: ({ hasBody }) => hasBody },
  ],
  422: [{ name: 'IdempotencyKeyReused', when: has('Idempotency-Key') }],
  428: [{ name: 'PreconditionRequired', when: has('If-Match'), isFree: true }],
  429: [{ name: 'TooManyRequests', when: always }],
  500: [{ name: 'InternalError', when: always }],
  503: [{ name: 'Unavailable', when: ({ isOfTheApi }) => isOfTheApi, isFree: true }],
  // Stands for 408, 414 and 431, which do not depend on the operation.
  default: [{ name: 'Error', when: always }],
};

/** The order of the members of an operation. */
export const OPERATION_MEMBERS: readonly string[] = [
  'operationId',
  'x-cost',
  'x-reach',
  'x-same-as',
  'summary',
  'description',
  'tags',
  'security',
  'x-owner',
  'x-graphql',
  'x-untied',
  'x-differs',
  'x-conflicts',
  'parameters',
  'requestBody',
  'responses',
];

/** The order of the media types of a body. */
export const MEDIA_TYPES: readonly string[] = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/xml',
  'application/yaml',
  'text/html',
  'text/csv',
  'application/x-ndjson',
  'text/event-stream',
];

/** The order of the members of a response. */
export const RESPONSE_MEMBERS: readonly string[] = ['description', 'headers', 'links', 'content'];

/** The headers of a response of success, in this order. */
export const HEADERS: readonly Standard[] = [
  {
    name: 'Content-Disposition',
    // An export is a file. A plain text from an operation of the API is a file too.
    when: (facts) => has('ExportFormat')(facts) || (facts.isText && facts.isOfTheApi),
  },
  { name: 'Location', when: ({ creates }) => creates },
  { name: 'Link', when: has('Page', 'PageCursor') },
  { name: 'X-Total-Count', when: has('Page', 'PageCursor') },
  {
    name: 'ETag',
    when: (facts) => facts.creates || (facts.answers && has('If-None-Match', 'If-Match')(facts)),
    isFree: true,
  },
  { name: 'Last-Modified', when: has('If-Modified-Since') },
  {
    name: 'Cache-Control',
    // A 201 that `Prefer` cannot shorten may hold a secret that is shown only once.
    when: ({ method, creates, parameters }) => method === 'get' || (creates && !parameters.has('Prefer')),
    isFree: true,
  },
  { name: 'Preference-Applied', when: has('Prefer') },
  { name: 'Idempotent-Replayed', when: has('Idempotency-Key') },
  { name: 'RateLimit-Policy', when: always },
  { name: 'RateLimit', when: always },
  { name: 'X-Request-Id', when: always },
];

/**
 * The parameters that follow from the rules. They come after all other parameters. Names are from
 * `components.parameters`.
 */
export const PARAMETERS: readonly Standard[] = [
  { name: 'Idempotency-Key', when: ({ method }) => method === 'post' || method === 'patch' },
  { name: 'If-Change-None-Match', when: has('If-Match') },
  { name: 'ListFormat', when: (facts) => isRead(facts) && has('Page', 'PageCursor')(facts) },
  {
    name: 'Format',
    when: (facts) => isRead(facts) && !facts.isText && !has('Page', 'PageCursor', 'ExportFormat')(facts),
    isFree: true,
  },
];

/**
 * A client chooses a format with one of these parameters. For each parameter, `beside` is the media type that an author
 * writes. The media types in `types` follow from it, and have the same schema.
 */
export const FORMATS: Readonly<
  Record<string, { readonly beside: string; readonly types: readonly string[] }>
> = {
  Format: { beside: 'application/json', types: ['application/xml', 'application/yaml', 'text/html'] },
  ListFormat: {
    beside: 'application/json',
    types: ['application/xml', 'application/yaml', 'text/html', 'text/csv'],
  },
  ExportFormat: { beside: 'text/csv', types: ['application/x-ndjson'] },
};

/**
 * The media types of the body of a PATCH besides `application/json`, with the schema of each. Null means the schema of
 * `application/json`.
 */
export const PATCHES: Readonly<Record<string, string | null>> = {
  'application/merge-patch+json': null,
  'application/json-patch+json': '#/components/schemas/JsonPatch',
};

/**
 * The schemes that follow from `apiKey` in `security`, with the same scopes. If there is an owner (`x-owner`), `basic`
 * follows too, without scopes.
 */
export const SCHEMES = ['oauth', 'jwt'] as const;
