import { authorizedFetch } from '../session.js';

/** An import, as far as the page shows it. */
export interface Import {
  readonly id: number;
  readonly kind: string;
  readonly format: 'csv' | 'ndjson';
  readonly rehearsal: boolean;
  readonly state: 'uploading' | 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly problem: string | null;
  readonly problem_line: number | null;
  readonly bytes: number;
  readonly parts: number;
  readonly rows: number;
  readonly rows_done: number;
  readonly read: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly repeated: number;
  readonly refused: number;
  readonly created_at: string;
  readonly ended_at: string | null;
}

export interface Refusal {
  readonly line: number;
  readonly column: string;
  readonly value: string;
  readonly detail: string;
  readonly code: 'fault' | 'consequence';
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly page: {
    readonly next: string | null;
    readonly previous: string | null;
    readonly total: number | null;
  };
}

export interface Fault {
  readonly pointer?: string;
  readonly detail: string;
}

/** The service refused a request. The message is for the visitor. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly faults: readonly Fault[],
    /** The time after which another try makes sense, in milliseconds; null if the service does not say it. */
    readonly waitMs: number | null,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later. */
  get isForNow(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

const IMPORTS = '/api/v2/imports';
const ACCEPT = { accept: 'application/json' };

/** @throws Refused @throws TypeError when the service cannot be reached */
export async function ask<T>(path: string, method = 'GET'): Promise<T> {
  return (await (await request(path, { method, headers: ACCEPT })).json()) as T;
}

/**
 * @param key an `Idempotency-Key`; a repeated request has the same key, so that the service executes it once
 * @throws Refused @throws TypeError like `ask`
 */
export async function post(path: string, body: object, key?: string): Promise<Import> {
  const headers = {
    ...ACCEPT,
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': `"${key}"` }),
  };
  const answer = await request(path, { method: 'POST', body: JSON.stringify(body), headers });
  return (await answer.json()) as Import;
}

/** @throws Refused @throws TypeError like `ask` */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await authorizedFetch(IMPORTS + path, init);
  if (answer.ok) return answer;
  const problem = (await answer.json().catch(() => ({}))) as {
    readonly code?: string;
    readonly detail?: string;
    readonly title?: string;
    readonly errors?: readonly Fault[];
  };
  const { code = '', detail, title, errors = [] } = problem;
  const seconds = answer.headers.get('retry-after');
  throw new Refused(
    detail ?? title ?? 'The service refused this. Try again later.',
    answer.status,
    code,
    errors,
    seconds === null ? null : Number(seconds) * 1_000,
  );
}
