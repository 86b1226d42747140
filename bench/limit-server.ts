import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { LimitPostgres } from './limit-postgres.ts';
import { LimitSockets } from './limit-sockets.ts';
import { LimitStore, type LimitOrder } from './limit-store.ts';
import { GRAPHQL_QUERY, ORDERS_QUERY, USER_DOCUMENT, USER_QUERY } from './queries.ts';

/**
 * The bare server LIMIT. It gives the same answers to the measured requests as the service, on the same data, with the
 * same durability. Most other requests get an error status without a body. LIMIT uses only modules of Node, the package
 * ws and the drivers of the databases. It has no framework, no contract, no ETag and no log of requests. The benchmark
 * compares the service with LIMIT. So the code of LIMIT is as fast as simple code without unusual tricks can be.
 */
export function limitServer(store: LimitStore, key: string, orders: LimitOrders = store): Server {
  const expectedKey = Buffer.from(key);
  const server = createServer((request, response) => {
    const { url = '', method } = request;
    if (method === 'POST') {
      if (url === '/graphql') {
        const isKnown = isKey(request.headers['x-api-key'], expectedKey);
        withBody(request, response, (text) => answerGraphql(store, text, isKnown, response));
      } else if (url === '/api/v1/orders' && isKey(request.headers['x-api-key'], expectedKey)) {
        withBody(request, response, (text) => answerOrder(orders, sockets, text, response));
      } else if (url !== ROOT) send(response, 404, '');
      else if (!isKey(request.headers['x-api-key'], expectedKey)) send(response, 401, '');
      else withBody(request, response, (text) => answerCreate(store, text, response));
    } else if (url.startsWith(`${ROOT}/`)) {
      const id = Number(url.slice(ROOT.length + 1));
      const product = Number.isSafeInteger(id) ? store.one(id) : null;
      if (product === null) send(response, 404, '');
      else send(response, 200, product);
    } else if (url === ROOT || url.startsWith(`${ROOT}?`)) answerPage(store, url, response);
    else send(response, 404, '');
  });
  const sockets = new LimitSockets(server, (given) => isKey(given, expectedKey));
  return server;
}

/** The part of LIMIT that places orders: `LimitStore` on SQLite, `LimitPostgres` on PostgreSQL. */
export interface LimitOrders {
  order(userId: number, productId: number, quantity: number): LimitOrder | null | Promise<LimitOrder | null>;
}

const ROOT = '/api/v1/products';
const JSON_TYPE = 'application/json; charset=utf-8';
/**
 * The answers to the queries of the benchmark, by the text of the query, or by the hash of its trusted document.
 * Queries for orders need the key.
 */
const QUERIES: ReadonlyMap<unknown, { secured: boolean; answer: (store: LimitStore, id: number) => string }> =
  new Map([
    [GRAPHQL_QUERY, { secured: false, answer: (store) => store.graphqlProducts(20) }],
    [USER_QUERY, { secured: true, answer: (store, id) => store.graphqlUser(id) }],
    [`sha256:${USER_DOCUMENT}`, { secured: true, answer: (store, id) => store.graphqlUser(id) }],
    [ORDERS_QUERY, { secured: true, answer: (store) => store.graphqlOrders() }],
  ]);

/** `total=1` asks for the total. LIMIT counts it with COUNT(*), which is the usual way. */
function answerPage(store: LimitStore, url: string, response: ServerResponse): void {
  const query = parse(url.slice(ROOT.length + 1));
  const page = Number(query['page'] ?? 1);
  const limit = Number(query['limit'] ?? 20);
  if (!(Number.isInteger(page) && page >= 1 && Number.isInteger(limit) && limit >= 1 && limit <= 100)) {
    send(response, 400, '');
    return;
  }
  const body = store.page(page, limit);
  if (query['total'] !== '1') send(response, 200, body);
  else {
    response.writeHead(200, [...headersFor(body), 'X-Total-Count', String(store.total())]);
    response.end(body);
  }
}

function answerCreate(store: LimitStore, text: string, response: ServerResponse): void {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    send(response, 400, '');
    return;
  }
  const product = productIn(body);
  if (product === null) send(response, 400, '');
  else send(response, 201, store.create(product.name, product.price, product.inStock));
}

function answerOrder(
  orders: LimitOrders,
  sockets: LimitSockets,
  text: string,
  response: ServerResponse,
): void {
  const { user_id, items } = JSON.parse(text) as {
    user_id: number;
    items: [{ product_id: number; quantity: number }];
  };
  const [{ product_id, quantity }] = items;
  const answer = (order: LimitOrder | null): void => {
    if (order === null) return send(response, 400, '');
    send(response, 201, JSON.stringify(order));
    setImmediate(() => sockets.tell(order));
  };
  const order = orders.order(user_id, product_id, quantity);
  if (order instanceof Promise) order.then(answer, () => send(response, 500, ''));
  else answer(order);
}

function answerGraphql(store: LimitStore, text: string, isKnown: boolean, response: ServerResponse): void {
  let request: { query?: unknown; documentId?: unknown; variables?: { id?: unknown } };
  try {
    request = JSON.parse(text) as typeof request;
  } catch {
    return send(response, 400, '');
  }
  const known = QUERIES.get(request.query ?? request.documentId);
  if (known === undefined) send(response, 400, '');
  else if (known.secured && !isKnown) send(response, 401, '');
  else send(response, 200, known.answer(store, Number(request.variables?.id)));
}

/**
 * Checks a body against the bounds of the contract, without generated code. Returns null for a body that is
 * not valid.
 */
function productIn(body: unknown): { name: string; price: number; inStock: boolean } | null {
  if (typeof body !== 'object' || body === null) return null;
  const { name, price, in_stock: inStock = true } = body as Record<string, unknown>;
  if (typeof name !== 'string' || typeof price !== 'number' || typeof inStock !== 'boolean') return null;
  const trimmed = name.trim();
  const isPrice = price >= 0 && price <= 10_000_000 && Math.abs(price * 100 - Math.round(price * 100)) < 1e-6;
  return trimmed.length >= 1 && trimmed.length <= 200 && isPrice ? { name: trimmed, price, inStock } : null;
}

function isKey(given: string | string[] | undefined, expected: Buffer): boolean {
  if (typeof given !== 'string') return false;
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

function withBody(request: IncomingMessage, response: ServerResponse, use: (text: string) => void): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    text += part;
  });
  request.on('end', () => {
    try {
      use(text);
    } catch (error) {
      process.stderr.write(`${String(error)}\n`);
      send(response, 500, '');
    }
  });
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, headersFor(body));
  response.end(body);
}

/**
 * The headers are a flat list of names and values. node:http takes about 1 µs less for such a list than for an object.
 */
function headersFor(body: string): string[] {
  return ['Content-Type', JSON_TYPE, 'Content-Length', String(Buffer.byteLength(body))];
}

if (import.meta.main) {
  const { LIMIT_FILE = '', LIMIT_KEY = '', LIMIT_POSTGRES, PORT = '0' } = process.env;
  const store = new LimitStore(LIMIT_FILE);
  const postgres = LIMIT_POSTGRES === undefined ? null : new LimitPostgres(LIMIT_POSTGRES);
  const server = limitServer(store, LIMIT_KEY, postgres ?? store).listen(Number(PORT), '127.0.0.1');
  process.once('SIGTERM', () => {
    server.close(() => {
      store.close();
      void postgres?.close();
    });
    server.closeAllConnections();
  });
}
