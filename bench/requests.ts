import { integersFrom } from '../testkit/random.ts';
import { tokens, type BenchCredentials } from './credentials.ts';
import { idAt, userAt, usersFor } from './data.ts';
import { GRAPHQL_QUERY, ORDERS_QUERY, USER_DOCUMENT, USER_QUERY, userText } from './queries.ts';

/** The settings from which the requests of a row are made. */
export interface RequestSettings {
  readonly products: number;
  readonly port: number;
  readonly key: string;
  /** Null if the row needs no credentials. */
  readonly credentials: BenchCredentials | null;
  /** The same seed gives the same requests, so that both servers of a round get equal requests. */
  readonly seed: number;
}

type Next = () => string;

const PREPARED_TOKENS = 15_000;
/**
 * The number of products in the smallest store. All stores of the benchmark have the products and users of this store.
 * So new orders refer only to these products and users. The first of each five products is not for sale.
 */
export const SMALLEST_STORE = 40;
const PAGE_SIZE = 20;
// The usual pages. A random page of the whole table would cost LIMIT much more, because LIMIT skips rows one by one.
const SHALLOW_PAGES = 10;
// The service caches rows only for a list that was requested before. It remembers fewer lists than this number.
const PAGES_ONCE = 1_500;
// The service remembers a page by its offset and its limit. In a small store, pages with these three limits replace one
// another in its memory. So the service remembers almost none of them.
const LIMITS_ONCE = [PAGE_SIZE, PAGE_SIZE - 1, PAGE_SIZE + 1];
// The number of pages at the beginning of the table, and at its end, that are requested in random order. The service
// does not keep so many pages in memory.
const ENDS = 1000;

/** The kinds of requests. Each returns a function that makes one complete request after the other. */
export const REQUESTS = {
  getOne: (settings) => oneBy(settings, () => ''),
  getOneByKey: (settings) => oneBy(settings, () => `X-API-Key: ${credentialsIn(settings).apiKey}\r\n`),
  getOneByAdminKey: (settings) => oneBy(settings, () => keyOf(settings)),
  getOneByBasic: (settings) => oneBy(settings, () => `Authorization: ${credentialsIn(settings).basic}\r\n`),
  getOneByJwt: (settings) => {
    const token = tokens(credentialsIn(settings).signingKey)();
    return oneBy(settings, () => `Authorization: Bearer ${token}\r\n`);
  },
  getOneByNewJwt: (settings) => {
    const next = tokens(credentialsIn(settings).signingKey);
    // The tokens are signed in advance. Signing costs as much as verifying, and the core of this process shares its
    // resources with the core of the service.
    const prepared = Array.from({ length: PREPARED_TOKENS }, next);
    return oneBy(settings, () => `Authorization: Bearer ${prepared.pop() ?? next()}\r\n`);
  },
  page: (settings) => pages(settings, ''),
  pageOnce: (settings) => pagesInOrder(settings),
  pageWithTotal: (settings) => pages(settings, '&total=1'),
  firstPage: (settings) => pagesFrom(settings, 0),
  // Full pages only, because a shorter page would be cheaper.
  lastPage: (settings) => pagesFrom(settings, Math.floor(settings.products / PAGE_SIZE) - ENDS),
  create: (settings) => {
    const random = integersFrom(settings.seed);
    return () => {
      const n = random(1_000_000);
      const body = { name: `New product ${n}`, price: (n % 99_999) / 100, in_stock: n % 5 !== 0 };
      return post(settings, '/api/v1/products', body, keyOf(settings));
    };
  },
  createOrder: (settings) => {
    const random = integersFrom(settings.seed);
    return () => {
      const { id } = userAt(random(SMALLEST_STORE / 10));
      const items = [
        { product_id: idAt(5 * random(SMALLEST_STORE / 5) + 1 + random(4)), quantity: 1 + random(3) },
      ];
      return post(settings, '/api/v1/orders', { user_id: id, items }, keyOf(settings));
    };
  },
  graphql: (settings) => fixed(post(settings, '/graphql', { query: GRAPHQL_QUERY })),
  graphqlUser: (settings) => usersBy(settings, { query: USER_QUERY }),
  graphqlNewText: (settings) => newTexts(settings),
  graphqlUserTrusted: (settings) => usersBy(settings, { documentId: `sha256:${USER_DOCUMENT}` }),
  graphqlOrders: (settings) => fixed(post(settings, '/graphql', { query: ORDERS_QUERY }, keyOf(settings))),
} satisfies Record<string, (settings: RequestSettings) => Next>;

export type RequestKind = keyof typeof REQUESTS;

function usersBy(settings: RequestSettings, operation: object): Next {
  const random = integersFrom(settings.seed);
  return () => {
    const { id } = userAt(random(usersFor(settings.products)));
    return post(settings, '/graphql', { ...operation, variables: { id: String(id) } }, keyOf(settings));
  };
}

/**
 * In a window of load, each text is sent only once. The id of the user is in the text, as in the texts of a client that
 * uses no variables.
 */
function newTexts(settings: RequestSettings): Next {
  const random = integersFrom(settings.seed);
  let count = 0;
  return () => {
    count += 1;
    const { id } = userAt(random(usersFor(settings.products)));
    const query = userText(`run${settings.seed}_${count}`, id);
    return post(settings, '/graphql', { query }, keyOf(settings));
  };
}

function oneBy(settings: RequestSettings, credential: () => string): Next {
  const random = integersFrom(settings.seed);
  return () => get(settings, `/api/v1/products/${idAt(random(settings.products))}`, credential());
}

function credentialsIn({ credentials }: RequestSettings): BenchCredentials {
  if (credentials === null) throw new Error('Nobody made credentials for this row');
  return credentials;
}

function pages(settings: RequestSettings, more: string): Next {
  const random = integersFrom(settings.seed);
  const last = Math.min(SHALLOW_PAGES, Math.max(1, Math.floor(settings.products / PAGE_SIZE)));
  return () => get(settings, `/api/v1/products?page=${random(last) + 1}&limit=${PAGE_SIZE}${more}`);
}

function pagesInOrder(settings: RequestSettings): Next {
  const last = Math.min(PAGES_ONCE, Math.max(1, Math.floor(settings.products / PAGE_SIZE) - 5));
  let count = -1;
  return () => {
    count += 1;
    const limit = LIMITS_ONCE[Math.floor(count / last) % LIMITS_ONCE.length];
    return get(settings, `/api/v1/products?page=${(count % last) + 1}&limit=${limit}`);
  };
}

function pagesFrom(settings: RequestSettings, from: number): Next {
  const random = integersFrom(settings.seed);
  const start = Math.max(0, from);
  return () =>
    get(
      settings,
      `/api/v1/products?page=${start + random(Math.min(ENDS, Math.max(1, Math.floor(settings.products / PAGE_SIZE)))) + 1}&limit=${PAGE_SIZE}`,
    );
}

function get({ port }: RequestSettings, path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: store-bench\r\nAccept: application/json\r\n${headers}\r\n`;
}

function post({ port }: RequestSettings, path: string, body: object, headers = ''): string {
  const text = JSON.stringify(body);
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUser-Agent: store-bench\r\nAccept: application/json\r\n` +
    `${headers}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  );
}

function keyOf({ key }: RequestSettings): string {
  return `X-API-Key: ${key}\r\n`;
}

function fixed(request: string): Next {
  return () => request;
}
