import { items, member, members, typeOf, type Node } from '../json.ts';
import type { Document } from './document.ts';
import { METHODS } from './model.ts';

/** The values that are allowed at a place of the document. Schemas have their own rules, in keywords.ts. */
type Grammar =
  'text' | 'flag' | 'object' | 'any' | { readonly list: Grammar } | { readonly map: Grammar } | Thing;

interface Thing {
  readonly members: Readonly<Record<string, Grammar>>;
  readonly required: readonly string[];
  /** Whether a reference may stand here instead of the value. */
  readonly ref: boolean;
}

const list = (of: Grammar): Grammar => ({ list: of });
const map = (of: Grammar): Grammar => ({ map: of });
const thing = (required: string, names: Readonly<Record<string, Grammar>>, ref = false): Thing => ({
  members: names,
  required: required.split(' ').filter((name) => name !== ''),
  ref,
});

const WORDS = { summary: 'text', description: 'text' } as const;
const EXAMPLES = { example: 'any', examples: 'object' } as const;
const SECURITY = list(map(list('text')));
const SERVERS = list(thing('url', { ...WORDS, url: 'text', 'x-internal': 'flag' }));
const HEADER = thing(
  'schema',
  { ...WORDS, ...EXAMPLES, required: 'flag', deprecated: 'flag', schema: 'object' },
  true,
);
const CONTENT = map(thing('schema', { ...EXAMPLES, schema: 'object' }));
const LINK = thing('operationId', { ...WORDS, operationId: 'text', parameters: map('text') }, true);
const RESPONSE = thing(
  'description',
  { ...WORDS, headers: map(HEADER), content: CONTENT, links: map(LINK) },
  true,
);
const PARAMETER = thing(
  'name in description schema',
  {
    ...HEADER.members,
    name: 'text',
    in: 'text',
    style: 'text',
    explode: 'flag',
    'x-graphql': 'text',
    'x-untied': 'text',
    'x-answer': 'flag',
    'x-cost': 'any',
    'x-graphql-enum': map('text'),
  },
  true,
);
const BODY = thing('content', { ...WORDS, required: 'flag', content: CONTENT, 'x-max-body': 'any' }, true);
const OPERATION = thing('responses', {
  ...WORDS,
  operationId: 'text',
  tags: list('text'),
  security: SECURITY,
  parameters: list(PARAMETER),
  requestBody: BODY,
  responses: map(RESPONSE),
  deprecated: 'flag',
  externalDocs: 'object',
  'x-graphql': 'text',
  'x-untied': 'text',
  'x-differs': map('text'),
  'x-owner': 'text',
  'x-cost': 'any',
  'x-reach': map('any'),
  'x-same-as': 'text',
  'x-conflicts': list('text'),
  'x-about': 'text',
  // `addresses.ts` refuses this member, with a reason.
  servers: SERVERS,
});
const PATH = thing('', {
  ...WORDS,
  ...Object.fromEntries(METHODS.map((method) => [method, OPERATION])),
  parameters: list(PARAMETER),
  servers: SERVERS,
  'x-alias': 'text',
  'x-version': 'text',
});
const SCHEME_TEXTS = ['type', 'in', 'name', 'scheme', 'bearerFormat', 'openIdConnectUrl', 'description'];
const SCHEME = thing(
  'type',
  {
    ...Object.fromEntries(SCHEME_TEXTS.map((name) => [name, 'text'])),
    flows: 'object',
    'x-scopes': list('text'),
  },
  true,
);
const DOCUMENT = thing('openapi info servers paths', {
  openapi: 'text',
  info: 'object',
  servers: SERVERS,
  tags: list('object'),
  security: SECURITY,
  externalDocs: 'object',
  paths: map(PATH),
  components: thing('', {
    schemas: map('object'),
    responses: map(RESPONSE),
    parameters: map(PARAMETER),
    examples: 'object',
    requestBodies: map(BODY),
    headers: map(HEADER),
    securitySchemes: map(SCHEME),
    links: map(LINK),
  }),
});

/** Members that OpenAPI allows and this contract must not have, each with the text of its fault. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  head: 'must not be here: HEAD follows from the GET beside it; remove head',
  options: 'must not be here: OPTIONS follows from the other methods of the path; remove options',
};

/**
 * Refuses misspelt members and wrong types before other code reads them. For example, `security: null` must not be read
 * like `security: []`.
 */
export function checkStructure(document: Document): void {
  check(document, document.root, DOCUMENT);
}

function check(document: Document, node: Node, grammar: Grammar): void {
  const kind = typeOf(node.value);
  const wanted = kindOf(grammar);
  if (wanted !== null && kind !== wanted) {
    document.fault(node, `must be ${wanted}, not ${kind}`);
  } else if (typeof grammar === 'object') {
    if ('list' in grammar) for (const item of items(node)) check(document, item, grammar.list);
    else if ('map' in grammar) for (const [, value] of members(node)) check(document, value, grammar.map);
    else if (grammar.ref && member(node, '$ref') !== undefined) {
      check(document, node, thing('$ref', { $ref: 'text', ...WORDS }));
    } else checkMembers(document, node, grammar);
  }
}

function checkMembers(document: Document, node: Node, grammar: Thing): void {
  for (const name of grammar.required) {
    if (member(node, name) === undefined) document.fault(node, `has no ${name}`);
  }
  for (const [name, value] of members(node)) {
    const inner = Object.hasOwn(grammar.members, name) ? grammar.members[name] : undefined;
    if (inner === undefined) document.fault(value, `${name} ${LEFT_OUT[name] ?? 'is not supported here'}`);
    else check(document, value, inner);
  }
}

function kindOf(grammar: Grammar): string | null {
  if (typeof grammar === 'object') return 'list' in grammar ? 'array' : 'object';
  return { text: 'string', flag: 'boolean', object: 'object', any: null }[grammar];
}
