import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../testkit/contract/document.ts';
import { draftOf, parametersIn, sentOf, targetOf, type Attempt, type Draft } from './drafts.ts';
import type { ProofDatabase } from '../databases.ts';
import { IN_USE } from './conflicts.ts';
import type { Client } from './client.ts';
import { outcomeOf, type Prover } from './prover.ts';
import { spoken } from './wire.ts';
import { attempt } from './twist.ts';
import type { World } from './world.ts';

/*
 * Answers that an ordinary request does not get. The causes are, for example, a slow or odd client, a limit that is
 * used up, another request that is running, special settings, or a missing database.
 */

const BAD_KEY = { 'x-api-key': `sk_1_${'x'.repeat(43)}` };

/** The service relies on facts about credentials and keys for up to one second after it has read these facts. */
const TRUSTED_MS = 1_100;

/**
 * Whether an address belongs to version 1: it is under /api, but not under /api/v2. An address outside of /api belongs
 * to version 1 if its operation documents 410.
 */
const isOld = ({ responses }: Operation, address: string): boolean =>
  /^\/api(\/|$)/.test(address) ? !/^\/api\/v2(\/|$)/.test(address) : responses.has(410);

/** After the end of version 1, every address of version 1 must answer 410. */
export async function ended(
  prover: Prover,
  { world, client }: Pick<Faulty, 'world' | 'client'>,
): Promise<void> {
  const all = prover.operations.flatMap((operation) =>
    operation.paths.map((address) => [operation, address] as const),
  );
  for (const [operation, address] of all.filter((each) => isOld(...each))) {
    const path = Object.fromEntries(parametersIn(operation, 'path').map(({ name }) => [name, '1']));
    const draft: Draft = {
      operation,
      owner: null,
      known: () => undefined,
      address,
      path,
      query: [],
      credential: world.admin,
      headers: {},
      body: operation.body && { type: [...operation.body.media.keys()][0] as string, value: {} },
      isDoubtful: false,
    };
    await prover.ask(attempt(draft, 410, 'a request to a version that has ended'), client);
  }
}

export interface Faulty {
  readonly prover: Prover;
  /** The rows and credentials of a service that no other client uses at the same time. */
  readonly world: World;
  readonly client: Client;
  readonly database: ProofDatabase;
}

/**
 * Sends half a request for each operation that documents 408. The rest of the request is missing, so the service must
 * answer 408 after a while.
 */
export async function slow(prover: Prover, client: Client): Promise<void> {
  await Promise.all(
    operationsWith(prover, 408).map(async (operation) => {
      const begin = `${operation.method} ${addressOf(operation)} HTTP/1.1\r\nHost: store\r\n`;
      const answer = await spoken(client.url, begin);
      await prover.judged(bare(operation, begin, 408, 'half a request'), answer, client);
    }),
  );
}

/** Requests that an ordinary client does not send: with 20 KB of headers, or without `Host`. */
export async function odd(prover: Prover, client: Client): Promise<void> {
  for (const operation of operationsWith(prover, 431)) {
    const line = `${operation.method} ${addressOf(operation)} HTTP/1.1\r\n`;
    const large = `${line}Host: store\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`;
    await prover.judged(
      bare(operation, large, 431, '20 KB of headers'),
      await spoken(client.url, large),
      client,
    );
  }
  for (const operation of operationsWith(prover, 400).filter(({ method }) => method === 'OPTIONS')) {
    const text = `OPTIONS ${addressOf(operation)} HTTP/1.1\r\nConnection: close\r\n\r\n`;
    await prover.judged(
      bare(operation, text, 400, 'a request without Host'),
      await spoken(client.url, text),
      client,
    );
  }
}

/**
 * The answers of a service that requires conditions, and allows only one request an hour without a valid credential.
 * The function also removes the old events of this service.
 */
export async function strict({ prover, world, client, database }: Faulty): Promise<void> {
  for (const operation of operationsWith(prover, 428)) {
    const draft = await draftOf(world, operation, false);
    // With `atomic: false`, each change of a batch would have its own status. Without `atomic`, the batch is atomic.
    if (draft.body) delete (draft.body.value as { atomic?: boolean }).atomic;
    await prover.ask(attempt(draft, 428, 'a change without a condition'), client);
  }
  const expiring = operationsWith(prover, 410).filter(hasCursor);
  if (expiring.length > 0) {
    await world.rows.row('Product', true);
    await world.rows.row('Product', true);
    await database.forget();
  }
  for (const operation of expiring) {
    const draft = await draftOf(world, operation, false);
    await prover.ask(
      attempt(
        { ...draft, query: [['after', '0']] },
        410,
        'a cursor of an event that is removed from the log',
      ),
      client,
    );
  }
  for (const operation of operationsWith(prover, 429)) {
    const draft = await draftOf(world, operation);
    const greedy = { ...draft, credential: BAD_KEY };
    await client.send(sentOf(greedy));
    await prover.ask(attempt(greedy, 429, 'a client address that has used up its requests'), client);
  }
}

/**
 * A request whose `Idempotency-Key` is in use by another request that is being served. On SQLite this case does not
 * exist, because acts wait for each other.
 */
export async function inUse({ prover, world, client, database }: Faulty): Promise<void> {
  const { lock } = database;
  if (lock === null) return;
  for (const operation of keyed(prover)) {
    const draft = {
      ...(await draftOf(world, operation, false)),
      headers: { 'idempotency-key': `held-${operation.id}` },
    };
    const unlock = await lock();
    const first = client.send(sentOf(draft));
    try {
      await database.untilWaiting();
      const made = attempt(draft, 409, 'a request whose Idempotency-Key is in use by another request');
      await prover.ask({ ...made, due: { ...made.due, code: IN_USE } }, client);
    } finally {
      await unlock();
      await first;
    }
  }
}

/** The answers that only `inUse` causes. */
export function onlyInUse(prover: Prover): ReadonlySet<string> {
  return new Set(keyed(prover).map(({ id }) => `${id} ${outcomeOf(409, IN_USE)}`));
}

function keyed(prover: Prover): readonly Operation[] {
  return prover.operations.filter(({ conflicts }) => conflicts.includes(IN_USE));
}

/** First a table is missing, and the answer is 500. Then the database is missing, and the answer is 503. */
export async function broken({ prover, world, client, database }: Faulty): Promise<void> {
  const drafts = new Map<Operation, Draft>();
  for (const operation of operationsWith(prover, 503)) {
    drafts.set(operation, await draftOf(world, operation, operation.owner === 'row.id'));
  }
  for (const operation of operationsWith(prover, 500)) {
    if (!drafts.has(operation)) drafts.set(operation, await draftOf(world, operation));
  }
  // The service has not seen this key yet, so it has to ask the database.
  const { key } = await world.post('/api-keys', { name: 'Unseen' });
  const unseen = { 'x-api-key': String(key) };
  await database.spoil();
  for (const operation of operationsWith(prover, 500)) {
    const draft = { ...(drafts.get(operation) as Draft), credential: BAD_KEY };
    await prover.ask(attempt(draft, 500, 'a request for which a table is missing'), client);
  }
  await database.takeAway();
  await sleep(TRUSTED_MS);
  for (const operation of operationsWith(prover, 503)) {
    const draft = drafts.get(operation) as Draft;
    const credential = draft.owner?.key ?? (isForEveryCaller(operation) ? unseen : world.admin);
    await prover.ask(
      attempt({ ...draft, credential, query: [] }, 503, 'a request without a database'),
      client,
    );
  }
}

function operationsWith({ operations }: Prover, status: number): readonly Operation[] {
  return operations.filter(({ responses }) => responses.has(status));
}

/**
 * Whether any valid credential is enough. Such an operation perhaps reads nothing from the database except the
 * credential, because it only describes the caller.
 */
function isForEveryCaller({ ways, owner }: Operation): boolean {
  return ways !== null && owner === null && ways.every(({ scopes }) => scopes.length === 0);
}

function hasCursor({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'after');
}

function addressOf(operation: Operation): string {
  const path = Object.fromEntries([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '1']));
  return targetOf({ address: operation.path, path, query: [] });
}

/**
 * An attempt over a bare socket. The service refuses such a request without looking at its method, so the answer has a
 * body even if the method is HEAD.
 */
function bare(operation: Operation, text: string, status: number, reason: string): Attempt {
  const method = operation.method === 'HEAD' ? 'GET' : operation.method;
  const target = `${addressOf(operation)} (over a bare socket: ${JSON.stringify(text.slice(0, 200))})`;
  return {
    operation: { ...operation, method },
    sent: { method: operation.method, target, headers: {} },
    due: { statuses: [status], reason },
  };
}
