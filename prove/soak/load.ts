import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Random } from '../../testkit/random.ts';
import { Broken, requireThat } from '../options.ts';

const JSON_TYPE = 'application/json';
/** Only a request that hangs takes this long, even on a busy machine. */
const WAITING_MS = 120_000;
/** The longest time for which a subscription stays open, in milliseconds. */
const STAY_MS = 3_000;
/**
 * The number of different requests of each kind. It is small, so that the caches for them are full after the warm-up.
 */
const VARIETY = 40;
const MOST_OF_PAGE = 100;
const QUERY = 'query ($id: ID!) { product(id: $id) { id name priceMoney { amount currency } stock } }';
const FORMATS = [JSON_TYPE, 'application/xml', 'application/yaml', 'text/csv', 'text/html'];
const PAGES = ['/', '/docs', '/graphql', '/sign-in', '/docs/guides/rest', '/docs/readme'];

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** The clients of the soak. Each of their actions is a short sequence of requests, and leaves nothing open. */
export class Load {
  actions = 0;
  /**
   * Whether the load deletes users. A process remembers each deleted user for two days, to refuse the tokens of the
   * user. This takes about 150 bytes for each user, so the load cannot delete users all the time.
   */
  deletesUsers = true;
  readonly #url: string;
  readonly #key: string;
  readonly #random: Random;
  readonly #signal: AbortSignal;
  #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  #isPaused = true;
  #running = new Set<Promise<void>>();
  #fault: Error | null = null;
  #client = { id: '', secret: '' };
  #token = '';
  readonly #keys: string[] = [];
  #numbers = 0;

  constructor(url: string, key: string, random: Random, signal: AbortSignal) {
    this.#url = url;
    this.#key = key;
    this.#random = random;
    this.#signal = signal;
  }

  /** Creates the rows and the credentials that the actions need. */
  async prepare(): Promise<void> {
    const scopes = { grant_types: ['client_credentials'], scopes: ['orders:read'] };
    const body = { name: 'Courier app', ...scopes };
    const created = await this.#json<{ client_id: string; client_secret: string }>('/clients', 201, { body });
    this.#client = { id: created.client_id, secret: created.client_secret };
    this.#token = await this.#newToken();
    for (let n = 0; n < VARIETY; n += 1) this.#keys.push((await this.#makeKey()).key);
  }

  /** Reads each row of the lists twice. The service caches a row only when it is read for the second time. */
  async readAll(rows: number): Promise<void> {
    for (const list of ['products', 'users', 'orders']) {
      for (let turn = 0; turn < 2; turn += 1) {
        // The service may keep a page of a list until the next commit. After the commit of this request, the service
        // reads all pages again.
        await this.#json('/products', 201, { body: { name: 'Masala chai', price: 18.5 } });
        for (let page = 1; page <= Math.ceil(rows / MOST_OF_PAGE); page += 1)
          await this.#expect(`/api/v1/${list}?limit=${MOST_OF_PAGE}&page=${page}`, [200]);
      }
    }
  }

  /** Begins actions at this rate, until the time is over or `rest` is called. @throws the error of an action */
  async run(milliseconds: number, perSecond: number): Promise<void> {
    this.#isPaused = false;
    const end = performance.now() + milliseconds;
    while (performance.now() < end && !this.#isPaused && !this.#signal.aborted) {
      if (this.#fault !== null) throw this.#fault;
      this.#begin();
      await sleep((2 * this.#random() * 1_000) / perSecond);
    }
  }

  /** Resolves when all actions have ended and their connections are closed. */
  async rest(): Promise<void> {
    this.#isPaused = true;
    await Promise.all(this.#running);
    if (this.#fault !== null) throw this.#fault;
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true, maxSockets: 8 });
  }

  async metrics(): Promise<string> {
    return (await this.#expect('/metrics', [200])).text;
  }

  #begin(): void {
    const actions = [
      () => this.#read(),
      () => this.#read(),
      () => this.#read(),
      () => this.#graphql(),
      () => this.#graphql(),
      () => this.#write(),
      () => this.#order(),
      () => this.#visit(),
      () => this.#fail(),
      () => this.#fail(),
      () => this.#credential(),
      () => this.#webSocket(),
      () => this.#stream(),
      () => this.#leaveEarly(),
    ];
    this.actions += 1;
    const action = this.#of(actions)();
    const running = action
      .catch((error: unknown) => void (this.#fault ??= error as Error))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #read(): Promise<void> {
    const id = 1 + this.#below(VARIETY);
    const list = this.#of(['products', 'orders', 'users']);
    const page = 1 + this.#below(5);
    const accept = this.#of(FORMATS);
    const version = this.#of(['v1', 'v2']);
    await this.#expect(`/api/${version}/${list}?limit=20${version === 'v1' ? `&page=${page}` : ''}`, [200], {
      headers: { accept },
    });
    const { headers } = await this.#expect(`/api/v1/products/${id}`, [200]);
    const tag = String(headers.etag);
    await this.#expect(`/api/v1/products/${id}`, [304], { headers: { 'if-none-match': tag } });
    await this.#expect(`/api/v1/products?q=tea&sort=price&limit=${1 + this.#below(VARIETY)}`, [200]);
    if (this.#random() < 0.1)
      await this.#expect('/api/v1/products/export', [200], { headers: { accept: 'text/csv' } });
  }

  async #graphql(): Promise<void> {
    const variables = { id: String(1 + this.#below(VARIETY)) };
    await this.#expect('/graphql', [200], { method: 'POST', body: { query: QUERY, variables } });
    const query = `{ products(limit: ${1 + this.#below(VARIETY)}) { id name } orders(limit: 3) { id user { name } items { name } } }`;
    await this.#expect('/graphql', [200], { method: 'POST', body: { query } });
    const name = `Chai ${this.#next()}`;
    const create = 'mutation ($name: String!) { createProduct(name: $name, price: 18) { id } }';
    const body = { query: create, variables: { name } };
    const { text } = await this.#expect('/graphql', [200], { method: 'POST', body });
    const { data } = JSON.parse(text) as { data: { createProduct: { id: string } } };
    await this.#expect(`/api/v1/products/${data.createProduct.id}`, [204], { method: 'DELETE' });
  }

  async #write(): Promise<void> {
    const headers = { 'idempotency-key': `"soak-${this.#next()}"` };
    const body = { name: 'Masala chai', price: 18.5 };
    const first = await this.#json<{ id: number }>('/products', 201, { headers, body });
    const again = await this.#json<{ id: number }>('/products', 201, { headers, body });
    requireThat(
      first.id === again.id,
      () =>
        `A repeated request has created a second product (${again.id}) instead of returning the first one (${first.id}).`,
    );
    const path = `/products/${first.id}`;
    await this.#json(path, 200, { method: 'PATCH', body: { price: 17 } });
    await this.#expect(`/api/v1${path}`, [204], { method: 'DELETE' });
    const email = `ann${this.#next()}@example.com`;
    const { user } = await this.#json<{ user: { id: number } }>('/users', 201, {
      body: { name: 'Ann', email },
    });
    if (this.deletesUsers) await this.#expect(`/api/v1/users/${user.id}`, [204], { method: 'DELETE' });
    else await this.#json(`/users/${user.id}`, 200, { method: 'PATCH', body: { name: 'Bob' } });
  }

  async #order(): Promise<void> {
    const items = [{ product_id: 1 + this.#below(VARIETY), quantity: 1 }];
    const sent = { user_id: 1 + this.#below(10), items };
    const { status, text } = await this.#expect('/api/v1/orders', [201, 409], { method: 'POST', body: sent });
    if (status === 409) return;
    const { id } = JSON.parse(text) as { id: number };
    await this.#json(`/orders/${id}`, 200, { method: 'PATCH', body: { status: 'cancelled' } });
  }

  async #visit(): Promise<void> {
    const headers = { accept: 'text/html', 'accept-encoding': this.#of(['gzip', 'br', 'identity']) };
    const { text } = await this.#expect(this.#of(PAGES), [200], { headers });
    for (const [, asset] of text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      await this.#expect(asset as string, [200], { headers: { 'accept-encoding': 'gzip' } });
    }
  }

  async #fail(): Promise<void> {
    const fails: readonly (readonly [path: string, statuses: readonly number[], sent: Sent])[] = [
      [`/api/v1/products/${1_000_000 + this.#below(VARIETY)}`, [404], {}],
      [`/nothing-${this.#below(VARIETY)}`, [404], {}],
      ['/api/v1/products', [400], { method: 'POST', body: { name: '', price: -1 } }],
      ['/api/v1/products', [400], { method: 'POST', body: '{"name": ' }],
      ['/api/v1/products', [405], { method: 'DELETE' }],
      ['/api/v1/products', [406], { headers: { accept: 'image/png' } }],
      ['/api/v1/products', [415], { method: 'POST', body: 'x', headers: { 'content-type': 'image/png' } }],
      ['/api/v1/users', [401, 429], { headers: { 'x-api-key': `sk_1_${this.#below(VARIETY)}` } }],
      ['/api/v1/users', [401, 429], { headers: { 'x-api-key': '', authorization: 'Bearer nonsense' } }],
      [
        '/api/v1/products/1',
        [412],
        { method: 'PATCH', body: { price: 1 }, headers: { 'if-match': '"old"' } },
      ],
      ['/graphql', [200], { method: 'POST', body: { query: `{ nothing${this.#below(VARIETY)} }` } }],
      ['/graphql', [200], { method: 'POST', body: { query: 'mutation { deleteProduct(id: 99999999) }' } }],
      [
        '/oauth/token',
        [400, 401],
        {
          method: 'POST',
          body: 'grant_type=nonsense',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
      ],
    ];
    const [path, statuses, sent] = this.#of(fails);
    await this.#expect(path, statuses, sent);
  }

  async #credential(): Promise<void> {
    const headers = { 'x-api-key': this.#of(this.#keys) };
    await this.#expect('/api/v1/orders?limit=2', [200], { headers });
    // The service remembers used credentials up to a limit, even credentials that have ended. This load is too small to
    // reach the limit, so the memory for them would grow all the time, and look like a leak. So the keys that are made
    // here are not used.
    const { id } = await this.#makeKey();
    await this.#expect(`/api/v1/api-keys/${id}`, [200], { method: 'DELETE' });
    const bearer = { authorization: `Bearer ${this.#token}`, 'x-api-key': '' };
    const { status } = await this.#expect('/api/v1/orders?limit=2', [200, 401], { headers: bearer });
    if (status === 401) this.#token = await this.#newToken();
    await this.#newToken();
  }

  #makeKey(): Promise<{ id: number; key: string }> {
    return this.#json('/api-keys', 201, { body: { name: 'soak', scopes: ['orders:read'] } });
  }

  async #newToken(): Promise<string> {
    const { id, secret } = this.#client;
    const { text } = await this.#expect('/oauth/token', [200], {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'x-api-key': '',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials&scope=orders:read',
    });
    return (JSON.parse(text) as { access_token: string }).access_token;
  }

  async #webSocket(): Promise<void> {
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    socket.on('error', () => undefined);
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    await once(socket, 'open');
    const say = (message: object) => socket.send(JSON.stringify(message));
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string };
      if (type !== 'connection_ack') return;
      const fields = this.#of(['id', 'id total', 'id cursor', 'id items { name }']);
      say({ type: 'subscribe', id: '1', payload: { query: `subscription { newOrder { ${fields} } }` } });
      say({ type: 'subscribe', id: '2', payload: { query: QUERY, variables: { id: '1' } } });
      say({ type: 'subscribe', id: '3', payload: { query: 'subscription { nothing }' } });
    });
    say({ type: 'connection_init', payload: { 'X-API-Key': this.#key } });
    await sleep(this.#random() * STAY_MS);
    if (this.#random() < 0.3) say({ type: 'complete', id: '1' });
    if (this.#random() < 0.5) socket.terminate();
    else socket.close();
    await closed;
  }

  async #stream(): Promise<void> {
    const isGraphql = this.#random() < 0.5;
    const body = isGraphql ? { query: 'subscription { newOrder { id } }' } : undefined;
    const sent = {
      headers: { accept: 'text/event-stream' },
      ...(body !== undefined && { method: 'POST', body }),
    };
    const response = await this.#open(isGraphql ? '/graphql/stream' : '/api/v1/events', sent);
    requireThat(
      response.statusCode === 200,
      () => `A stream of events is answered with ${response.statusCode}.`,
    );
    response.on('error', () => undefined);
    response.resume();
    await sleep(this.#random() * STAY_MS);
    response.destroy();
  }

  /** Closes the connection before the answer has been read, or before the request is complete. */
  async #leaveEarly(): Promise<void> {
    const isLong = this.#random() < 0.5;
    const headers = { 'x-api-key': this.#key, 'content-type': JSON_TYPE, 'content-length': '1000' };
    const sent = isLong
      ? request(`${this.#url}/api/v1/products/export`, { agent: false, headers: { accept: 'text/csv' } })
      : request(`${this.#url}/api/v1/products`, { agent: false, method: 'POST', headers });
    sent.on('error', () => undefined).on('response', (response) => response.on('error', () => undefined));
    if (isLong) sent.end();
    else sent.write('{"name": ');
    await sleep(this.#random() * 50);
    sent.destroy();
  }

  async #json<T>(path: string, status: number, sent: Sent = {}): Promise<T> {
    const method = sent.method ?? 'POST';
    const { text } = await this.#expect(`/api/v1${path}`, [status], { ...sent, method });
    return JSON.parse(text) as T;
  }

  async #expect(path: string, statuses: readonly number[], sent: Sent = {}): Promise<Answer> {
    const response = await this.#open(path, sent);
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    const { statusCode: status = 0, headers } = response;
    const text = Buffer.concat(parts).toString();
    requireThat(
      statuses.includes(status),
      () =>
        `${sent.method ?? 'GET'} ${path} is answered with ${status} instead of ${statuses.join(' or ')}: ${text.slice(0, 500)}`,
    );
    return { status, headers, text };
  }

  #open(path: string, { method = 'GET', headers = {}, body }: Sent): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const all = {
      'x-api-key': this.#key,
      ...(body !== undefined && { 'content-type': JSON_TYPE }),
      ...headers,
    };
    const own = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    const sent = request(
      this.#url + path,
      { method, headers: own, agent: this.#agent, timeout: WAITING_MS },
      resolve,
    );
    sent.on('error', (error) => reject(new Broken(`${method} ${path} has no answer.`, { cause: error })));
    sent.on('timeout', () => sent.destroy(new Error('It took too long.')));
    sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
    return promise;
  }

  #next(): number {
    return ++this.#numbers;
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #of<T>(choices: readonly T[]): T {
    return choices[this.#below(choices.length)] as T;
  }
}
