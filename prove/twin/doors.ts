import { requireThat } from '../options.ts';
import type { Answer, Client } from '../contract/client.ts';
import type { Headers } from '../contract/world.ts';
import type { Intent, Wish } from './intents.ts';
import { kindOf, mutationOf, type Operation } from './mutations.ts';
import { requestOf, type Style } from './rest.ts';
import { shown, type Door, type Shown } from './shapes.ts';

/** The outcome of a write. */
export interface Outcome {
  /** The code of the refusal; null when the write was done. */
  readonly code: string | null;
  /** The rows that the answer shows. */
  readonly rows: readonly Shown[];
  /** The code of the refusal of each change of a batch; null when the change was done. */
  readonly results?: readonly (string | null)[];
}

interface BatchResult {
  readonly op: string;
  readonly status: number;
  readonly product?: unknown;
  readonly error?: { readonly code: string };
}

/**
 * Whether the proof makes this write through this door. Version 2 also has batches and the stock of a product, but the
 * proof does not write them through version 2.
 */
export function isTaken(intent: Intent, door: Door): boolean {
  if (intent.action === 'batch') return door === 'v1';
  if (intent.action === 'setProductStock') return door !== 'v2';
  if (intent.action === 'replaceUser') return door !== 'graphql';
  return door !== 'v1' || !('members' in intent) || !('description' in intent.members);
}

/** Writes to the service and reads from it through each of its doors. */
export class Doors {
  readonly #client: Pick<Client, 'send'>;
  readonly #credentials: Readonly<Record<Wish['who'], Headers>>;
  /** The number of requests that were sent. */
  requests = 0;

  constructor(client: Pick<Client, 'send'>, credentials: Readonly<Record<Wish['who'], Headers>>) {
    this.#client = client;
    this.#credentials = credentials;
  }

  /** Reads as the administrator. */
  get(target: string, headers: Headers = {}): Promise<Answer> {
    this.requests += 1;
    return this.#client.send({ method: 'GET', target, headers: { ...this.#credentials.admin, ...headers } });
  }

  async ask(
    operation: Operation,
    who: Wish['who'] = 'admin',
  ): Promise<{
    readonly data?: Readonly<Record<string, unknown>> | null;
    readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
  }> {
    this.requests += 1;
    const { text } = await this.#client.send({
      method: 'POST',
      target: '/graphql',
      headers: { ...this.#credentials[who], 'content-type': 'application/json' },
      body: JSON.stringify(operation),
    });
    return JSON.parse(text) as Awaited<ReturnType<Doors['ask']>>;
  }

  /** @param tagEnd the part after the version in an entity tag */
  async write(
    { intent, who, expectedVersion }: Wish,
    door: Door,
    style: Style,
    tagEnd: string,
  ): Promise<Outcome> {
    if (door === 'graphql') {
      const { data, errors } = await this.ask(mutationOf(intent, expectedVersion), who);
      const [error] = errors ?? [];
      if (error) return { code: error.extensions.code, rows: [] };
      const row = data?.['it'];
      if (row === null) return { code: 'NOT_FOUND', rows: [] };
      return { code: null, rows: [shown(kindOf(intent.action), door, row)] };
    }
    const sent = requestOf(intent, door, style);
    const condition = expectedVersion === undefined ? {} : { 'if-match': `"${expectedVersion}${tagEnd}` };
    this.requests += 1;
    const answer = await this.#client.send({
      ...sent,
      headers: { ...this.#credentials[who], ...sent.headers, ...condition },
    });
    return outcomeOf(answer, intent, door);
  }
}

function outcomeOf({ status, text }: Answer, intent: Intent, door: 'v1' | 'v2'): Outcome {
  const body = text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
  if (status >= 300) return { code: String(body?.['code']), rows: [] };
  if (intent.action === 'batch') {
    const results = body?.['results'] as readonly BatchResult[];
    return {
      code: null,
      rows: results.flatMap(({ product }) => (product ? [shown('product', door, product)] : [])),
      results: results.map(({ error }) => error?.code ?? null),
    };
  }
  requireThat(
    (status === 204) === (body === null),
    () => `An answer with the status ${status} has the body "${text}".`,
  );
  if (body === null) return { code: null, rows: [] };
  if (intent.action === 'setProductStock') return { code: null, rows: [{ stock: body['quantity'] }] };
  const kind = kindOf(intent.action);
  return { code: null, rows: [shown(kind, door, kind === 'user' && door === 'v1' ? body['user'] : body)] };
}
