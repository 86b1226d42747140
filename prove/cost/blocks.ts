import type { Pair } from './message.ts';

/** A building block of a text, which is repeated. A function makes the block for each index. */
export type Block = string | ((index: number) => string);

/** Building blocks of texts. Many parsers, patterns and decoders become slow on texts of such blocks. */
export const BLOCKS: readonly Block[] = [
  ' ', '\t', '\n', '\r\n', ',', ';', ':', '.', '-', '_', '=', '&', '+', '/', '\\', '"', "'", '`', '#', '*', '?', '@', '|', '~',
  '(', ')', '[', ']', '{', '}', '<', '>', '[]', '{}', '[{', '{"":', '{"a":[', '""', '\\"', '\\u0000', '\\ud83d', '"\\n",',
  '%', '%41', '%2f', '%ff', '%25', '%u0041', '..', '../', '//', './', 'a', 'A', '0', '9', '0.', '1e9', '-0', '9,', 'a.', 'a@', 'a b ',
  'é', 'e\u0301', '😀', '👩‍👩‍👧‍👦', 'ß', 'İ', 'ﷺ', '\u0301', '\u200d', '\u202e', '\ufeff', '\u00a0', '\u2028', 'Ω',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'https://', 'x@x.', '@x', 'Bearer ', 'Basic ', 'a=b; ', 'a="b", ', 'W/"1-v1-0", ', '*/*;q=0.1, ',
  'text/html;level=1, ', 'gzip;q=0.5, ', 'for="[::1]:1";proto=https, ', '127.0.0.1, ', 'bytes=0-1,', 'name,', '-name,', 'T00:00:00Z',
  'null,', '0,', '0 ', 'id ', '__typename ', '@include(if:true) ', '...F ', '... on Query{', '{a:', '$a:Int ', '"""', '#\n', '&amp;', '<a>',
  (n) => `k${n}=v; `, (n) => `k${n}=v&`, (n) => `${n},`, (n) => `"k${n}":0,`, (n) => `"${n}":{},`, (n) => `/k${n}`, (n) => `k${n}, `,
  (n) => `a${n}:__typename `, (n) => `a${n}:products{id} `, (n) => `$v${n}:Int `, (n) => `...F${n} `, (n) => `k${n}:0 `,
  (n) => `fragment F${n} on Query{...F${n + 1}} `, (n) => `a${n}:product(id:${n}){name stock} `, (n) => `query Q${n}{__typename} `,
  (n) => `_${n}:products(q:"z${n}"){id} `, (n) => String.fromCodePoint(0x4e00 + (n % 20_000)), (n) => `@d${n} `,
]; // prettier-ignore

/** Values for a part of a JSON body. Later changes can make a text in such a value longer. */
export const VALUES: readonly unknown[] = [
  null, true, 0, -1, 0.1, 1e308, 2 ** 60, '', 'x', '1', 'é', {}, [], [0], [[]], { '': 0 }, { a: {} }, [{ a: 0 }],
  { op: 'test', path: '/name', value: 'x' }, { op: 'copy', from: '', path: '/a' }, { op: 'move', from: '/name', path: '/name' },
  { op: 'add', path: '/a/-', value: [] }, { op: 'replace', path: '', value: {} }, { op: 'create', name: 'Chai', price: 18 },
  { op: 'delete', id: 1 }, { op: 'update', id: 1, name: 'x' }, { productId: '1', quantity: 1 }, { product_id: 1, quantity: 1 },
  { query: '{__typename}' }, { idempotencyKey: 'k' }, { persistedQuery: { version: 1, sha256Hash: 'a' } }, { ['__proto__']: null },
]; // prettier-ignore

/** No credential, valid credentials of each scheme, and invalid credentials. */
export const CREDENTIALS: readonly (readonly Pair[])[] = [
  [],
  [['x-api-key', '{{admin}}']],
  [['x-api-key', '{{key}}']],
  [['x-api-key', 'sk_1_x']],
  [['authorization', '{{basic}}']],
  [['authorization', '{{oauth}}']],
  [['authorization', '{{jwt}}']],
  [['authorization', 'Basic YTpi']],
  [['authorization', 'Bearer a.b.c']],
  [['authorization', 'Bearer eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ4In0.c']],
  [['authorization', 'Bearer x']],
  [['authorization', 'Digest a="b", c="d"']],
];

/** Optional header fields of a request. */
export const HEADERS: readonly Pair[] = [
  ['accept', 'application/json'], ['accept', 'text/html'], ['accept', 'application/xml'], ['accept', 'application/yaml'],
  ['accept', 'text/csv'], ['accept', 'application/x-ndjson'], ['accept', 'text/event-stream'], ['accept', '*/*;q=0.1, text/*;q=0.5'],
  ['accept', 'application/graphql-response+json'], ['accept-encoding', 'gzip, br;q=0.5'], ['accept-language', 'de-AT, de;q=0.5'],
  ['accept-charset', 'utf-8'], ['content-type', 'application/json; charset=utf-8'], ['content-type', 'application/merge-patch+json'],
  ['content-type', 'application/json-patch+json'], ['content-type', 'multipart/form-data; boundary=a'], ['content-type', 'text/plain'],
  ['content-type', 'application/x-www-form-urlencoded'], ['content-encoding', 'gzip'], ['if-match', '"1-v1-00000000"'],
  ['if-none-match', 'W/"1-v1-00000000", *'], ['if-modified-since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
  ['if-unmodified-since', 'Sat, 01 Jan 2000 00:00:00 GMT'], ['if-range', '"1"'], ['range', 'bytes=0-1, 3-4'], ['prefer', 'return=minimal, wait=1'],
  ['idempotency-key', 'key'], ['idempotency-key', '"key"'], ['cookie', 'a=b; c=d'], ['forwarded', 'for=1.2.3.4;proto=https;host=a'],
  ['x-forwarded-for', '1.2.3.4, 5.6.7.8'], ['x-forwarded-host', 'a'], ['x-forwarded-proto', 'https'], ['x-request-id', 'a'],
  ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'], ['origin', 'https://a.example'], ['referer', 'https://a.example/b'],
  ['access-control-request-method', 'PUT'], ['access-control-request-headers', 'a, b'], ['sec-fetch-site', 'cross-site'],
  ['last-event-id', '0'], ['user-agent', 'Mozilla/5.0 (X11; Linux)'], ['te', 'trailers'], ['expect', '100-continue'], ['via', '1.1 a'],
  ['cache-control', 'no-cache, max-age=0'], ['pragma', 'no-cache'], ['host', 'a:b'], ['link', '<a>; rel="b"'], ['x', 'y'],
  ['apollo-require-preflight', '1'], ['sec-websocket-protocol', 'graphql-transport-ws, a'], ['sec-websocket-extensions', 'a; b="c"'],
]; // prettier-ignore
