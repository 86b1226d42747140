import text from '../../documents/board.graphql?raw';
import { authorizedFetch } from '../session.js';

/*
 * The operations of the board. They are a trusted document, so the board also works on a service that executes only
 * trusted documents.
 */

/** An order, as the fragment `BoardOrder` selects it. */
export interface BoardOrder {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly userId: string | null;
  readonly createdAt: string;
  readonly totalMoney: { readonly amount: number };
  readonly items: readonly { readonly name: string; readonly quantity: number }[];
  /** Only in queries that ask for names. Null if the user was anonymised, or if the visitor may not see the user. */
  readonly user?: { readonly name: string } | null;
  /** Only in subscriptions. */
  readonly cursor?: string;
}

export interface Fault {
  readonly message: string;
  readonly extensions?: { readonly code?: string };
}

export interface Result {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly Fault[];
}

export interface Operation {
  readonly operationName: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The service refused the request. The message is for the visitor. */
export class Refused extends Error {
  constructor(
    message: string,
    /** The code of the error, such as `PRECONDITION_FAILED`. */
    readonly code: string,
    /** The time after which another try makes sense, in milliseconds. */
    readonly waitMs: number,
  ) {
    super(message);
  }
}

export function operation(operationName: string, variables: Operation['variables']): Operation {
  return { operationName, query: text, variables };
}

/**
 * @returns the value of the only field of the result; null if the service answers with null and without an error
 * @throws Refused when the service answers with an error
 * @throws TypeError when the service cannot be reached, or when the connection breaks during the answer
 * @throws SyntaxError when the answer is not complete
 */
export async function ask<T>(name: string, variables: Operation['variables']): Promise<T | null> {
  const answer = await authorizedFetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(operation(name, variables)),
  });
  const { data, errors } = (await bodyOf(answer)) as Result;
  const value = data ? Object.values(data)[0] : undefined;
  // A name that the caller may not see is an error beside the data.
  if (value !== undefined && value !== null) return value as T;
  const [fault] = errors ?? [];
  if (!fault && answer.ok) return null;
  throw refusedBy(answer, fault?.message, fault?.extensions?.code);
}

/** @throws the same errors as `ask` */
export async function read<T>(address: string): Promise<T> {
  const answer = await authorizedFetch(address, { headers: { accept: 'application/json' } });
  const body = await bodyOf(answer);
  if (answer.ok) return body as T;
  const { detail, code } = body as { readonly detail?: string; readonly code?: string };
  throw refusedBy(answer, detail, code);
}

/** The body of an answer. For a refusal without JSON, the status is enough, so the result is an empty object. */
async function bodyOf(answer: Response): Promise<unknown> {
  return answer.ok ? answer.json() : answer.json().catch(() => ({}));
}

function refusedBy({ status, headers }: Response, message?: string, code?: string): Refused {
  const seconds = Number(headers.get('retry-after'));
  return new Refused(
    message ?? `The service answered with the status ${status}.`,
    code ?? (status === 401 ? 'UNAUTHENTICATED' : ''),
    seconds > 0 ? seconds * 1000 : 5_000,
  );
}
